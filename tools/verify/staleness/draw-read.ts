import type { Lots } from '../crash/random.ts';
import { type Asker, claimOfArchive } from './access.ts';
import { type Claim, claim, Misfit, type Watched } from './claim.ts';
import { FLICKER, guidOf, type MarkedKind, markedItems } from './contents.ts';
import { type Account, type Fixture, OFFICE_SCOPE, type Place } from './fixture.ts';
import {
  claimsOfList,
  claimsOfMenus,
  claimsOfMetadata,
  claimsOfNoFlicker,
  claimsOfObject,
  claimsOfTips,
} from './read-configuration.ts';
import {
  claimsOfConnections,
  claimsOfGroup,
  claimsOfInfo,
  claimsOfStock,
  type StockView,
  searchedItems,
} from './read-others.ts';

/** A read that is drawn by lot: what is asked, what it hangs on, and how its answer is read. */
export interface Read {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What it is about, the same for all pages of a walk. */
  readonly resource: string;
  readonly body?: string;
  readonly asker: Asker;
  /** What it hangs on beside the rights of whoever asks. */
  readonly watched: readonly Watched[];
  /** What the body of a 200 says. Throws Misfit. */
  claims(body: unknown): Claim[];
  /** What a refusal says that only this operation has; null when nothing. */
  readonly refusal?: (status: number, text: string) => Claim[] | null;
  /** For lists: what of the first page later pages belong to. */
  readonly walked: Watched | null;
}

/** Which reads there are, each as often as it stands here. */
const draws: readonly ((fixture: Fixture, lots: Lots) => Drawn)[] = [
  ...Array<typeof drawList>(4).fill(drawList),
  ...Array<typeof drawObject>(3).fill(drawObject),
  drawTips,
  drawTips,
  ...Array<typeof drawMenus>(3).fill(drawMenus),
  ...Array<typeof drawStock>(3).fill(drawStock),
  drawOfficeStock,
  ...Array<typeof drawInfo>(2).fill(drawInfo),
  drawGroup,
  drawConnections,
  drawConnectionPage,
];

/** Draws a read. */
export function drawRead(fixture: Fixture, lots: Lots): Read {
  const read = lots.pick(draws)(fixture, lots);
  return { ...read, resource: read.path };
}

/** A read before it is named by its path. */
type Drawn = Omit<Read, 'resource'>;

const KINDS: readonly MarkedKind[] = [
  'menus',
  'menuGroups',
  'taxRates',
  'serviceCharges',
  'printers',
];
/** Only long lists have pages to walk; they cost the checker most. */
const LONG_CHANCE = 0.35;
const OLD_TOKEN_CHANCE = 0.15;
const STEADY_CHANCE = 0.5;

function drawAsker(
  fixture: Fixture,
  lots: Lots,
  place: Place | null,
  scope: string | null,
  accounts: readonly Account[] = fixture.accounts,
): Asker {
  const known = accounts.filter(({ tokens }) => tokens.length > 0);
  const isSteady = lots.chance(STEADY_CHANCE) && known.includes(fixture.steady);
  const account = isSteady ? fixture.steady : lots.pick(known);
  const newest = account.tokens.at(-1);
  const token = newest && lots.chance(OLD_TOKEN_CHANCE) ? lots.pick(account.tokens) : newest;
  if (!token) throw new Error(`${account.name} has no token`);
  return { account, token, place, scope, allowsArchived: false };
}

function drawPlace({ places }: Fixture, lots: Lots): Place {
  const [first, ...others] = places;
  return first && lots.chance(LONG_CHANCE) ? first : lots.pick(others);
}

function drawList(fixture: Fixture, lots: Lots): Drawn {
  const kind = lots.chance(0.4) ? 'menuItems' : lots.pick(KINDS);
  const place = kind === 'menuItems' ? drawPlace(fixture, lots) : lots.pick(fixture.places);
  const since = lots.pick([null, null, '2020-01-01T00:00:00.000Z', fixture.builtAt]);
  const query = since === null ? '' : `?lastModified=${encodeURIComponent(since)}`;
  return {
    ...{ operation: `configuration.${kind}.list`, method: 'GET' },
    path: `/config/v2/${kind}${query}`,
    asker: drawAsker(fixture, lots, place, 'config:read'),
    watched: [place.configuration],
    claims: (body) => claimsOfList(place, kind, body, since === fixture.builtAt),
    walked: place.configuration,
  };
}

function drawObject(fixture: Fixture, lots: Lots): Drawn {
  const place = lots.pick(fixture.places);
  const isItem = lots.chance(0.5);
  const kind = isItem ? 'menuItems' : lots.pick(KINDS);
  const index = isItem ? lots.pick([...markedItems(place), FLICKER, FLICKER]) : 1;
  const gone = isItem && index === FLICKER;
  return {
    ...{ operation: `configuration.${kind}.get`, method: 'GET' },
    path: `/config/v2/${kind}/${guidOf(place, kind, index)}`,
    asker: drawAsker(fixture, lots, place, 'config:read'),
    watched: [place.configuration],
    claims: (body) => claimsOfObject(place, kind, body),
    refusal: (status) => (status === 404 && gone ? claimsOfNoFlicker(place) : null),
    walked: null,
  };
}

function drawTips(fixture: Fixture, lots: Lots): Drawn {
  const place = lots.pick(fixture.places);
  return {
    ...{ operation: 'configuration.tipWithholding.get', method: 'GET' },
    path: '/config/v2/tipWithholding',
    asker: drawAsker(fixture, lots, place, 'config:read'),
    watched: [place.configuration],
    claims: (body) => claimsOfTips(place, body),
    walked: null,
  };
}

function drawMenus(fixture: Fixture, lots: Lots): Drawn {
  const place = lots.pick(fixture.places);
  const isWhole = lots.chance(0.5);
  return {
    ...{ operation: isWhole ? 'menus.get' : 'menus.getMetadata', method: 'GET' },
    path: `/menus/v2/${isWhole ? 'menus' : 'metadata'}`,
    asker: drawAsker(fixture, lots, place, 'menus:read'),
    watched: [place.configuration],
    claims: (body) => (isWhole ? claimsOfMenus(place, body) : claimsOfMetadata(place, body)),
    walked: null,
  };
}

function drawStock(fixture: Fixture, lots: Lots): Drawn {
  const place = lots.pick(fixture.places);
  const view = lots.pick<StockView>(['all', 'QUANTITY', 'OUT_OF_STOCK', 'search']);
  const isSearch = view === 'search';
  return {
    operation: isSearch ? 'stock.search' : 'stock.list',
    method: isSearch ? 'POST' : 'GET',
    path: `/stock/v1/inventory${isSearch ? '/search' : view === 'all' ? '' : `?status=${view}`}`,
    ...(isSearch && { body: JSON.stringify({ guids: searchedItems(place) }) }),
    asker: drawAsker(fixture, lots, place, 'stock:read'),
    watched: [place.stock, place.configuration],
    claims: (body) => claimsOfStock(place, view, body),
    walked: null,
  };
}

/** As the console polls it, without the items that are in stock. */
function drawOfficeStock({ office, places }: Fixture, lots: Lots): Drawn {
  const place = lots.pick(places);
  const [token] = office.tokens;
  if (!token) throw new Error('the back office has no token');
  return {
    ...{ operation: 'backOffice.stock.list', method: 'GET' },
    path: `/backoffice/v1/restaurants/${place.guid}/stock?status=QUANTITY,OUT_OF_STOCK`,
    asker: { account: office, token, place: null, scope: OFFICE_SCOPE, allowsArchived: true },
    watched: [place.stock, place.configuration],
    claims: (body) => claimsOfStock(place, 'all', (body as { results: unknown }).results),
    walked: null,
  };
}

function drawInfo(fixture: Fixture, lots: Lots): Drawn {
  const place = lots.pick(fixture.places);
  const isAny = lots.chance(0.5);
  const asker = drawAsker(fixture, lots, place, 'restaurants:read');
  return {
    ...{ operation: 'restaurants.get', method: 'GET' },
    path: `/restaurants/v1/restaurants/${place.guid}${isAny ? '?includeArchived=true' : ''}`,
    // An archived one is let in, and its document then tells that it is, or there is none.
    asker: { ...asker, allowsArchived: true },
    watched: [],
    claims: (body) => {
      const { general } = body as { general: { archived: boolean } };
      if (general.archived && !isAny)
        throw new Misfit('strange', 'an archived one was not asked for');
      return claimsOfInfo(place, body);
    },
    refusal: (status) => (status === 404 && !isAny ? [claimOfArchive(place, true)] : null),
    walked: null,
  };
}

function drawGroup(fixture: Fixture, lots: Lots): Drawn {
  const [groupGuid] = fixture.groupGuids;
  const place = lots.pick(fixture.places);
  const outside = claim(place.info, `${place.tag} is elsewhere`, (state) => {
    return state.groupGuid !== groupGuid;
  });
  return {
    ...{ operation: 'restaurants.listGroup', method: 'GET' },
    path: `/restaurants/v1/groups/${groupGuid}/restaurants`,
    asker: drawAsker(fixture, lots, place, 'restaurants:read'),
    watched: fixture.places.map(({ info }) => info),
    claims: (body) => claimsOfGroup(fixture, groupGuid, body),
    refusal: (status, text) =>
      status === 403 && text.includes('does not belong to the management group') ? [outside] : null,
    walked: null,
  };
}

function drawConnections(fixture: Fixture, lots: Lots): Drawn {
  const { asker, watched, partner } = drawPartner(fixture, lots);
  return {
    ...{ operation: 'partners.restaurants.list', method: 'GET' },
    path: '/partners/v1/restaurants',
    ...{ asker, watched },
    claims: (body) => claimsOfConnections(fixture, partner, body as never, true),
    walked: null,
  };
}

function drawConnectionPage(fixture: Fixture, lots: Lots): Drawn {
  const { asker, watched, partner } = drawPartner(fixture, lots);
  const pageSize = lots.pick([1, 2, 200]);
  return {
    ...{ operation: 'partners.connectedRestaurants.list', method: 'GET' },
    path: `/partners/v1/connectedRestaurants?pageSize=${pageSize}`,
    ...{ asker, watched },
    claims: (body) => {
      const page = body as { results: readonly never[]; totalCount: number };
      const isWhole = page.results.length === page.totalCount;
      if (pageSize === 200 && !isWhole) {
        throw new Misfit('mixed', `${page.results.length} results of ${page.totalCount}`);
      }
      return claimsOfConnections(fixture, partner, page.results, isWhole);
    },
    walked: null,
  };
}

function drawPartner(fixture: Fixture, lots: Lots) {
  const ofPartners = fixture.accounts.filter(({ partner }) => partner !== null);
  const asker = drawAsker(fixture, lots, null, null, ofPartners);
  const { partner } = asker.account;
  if (!partner) throw new Error('the account of a partner has none');
  const watched = fixture.places.flatMap(({ guid, info }) => {
    const connection = partner.connections.get(guid);
    return connection ? [info, connection] : [];
  });
  return { asker, watched, partner };
}
