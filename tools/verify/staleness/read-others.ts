import { type Claim, claim, Misfit } from './claim.ts';
import { BROUGHT_BACK, COUNTED, FLICKER, guidOf, ODD_OUT } from './contents.ts';
import type { Fixture, Partner, Place } from './fixture.ts';
import { labelOf } from './info.ts';
import { claimOfFlicker } from './read-configuration.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The items whose stock is looked at, in the order in which a search asks for them. */
export function searchedItems(place: Pick<Place, 'number'>): string[] {
  return [...COUNTED, ODD_OUT, BROUGHT_BACK, FLICKER].map((index) =>
    guidOf(place, 'menuItems', index),
  );
}

/** Which items a list of stock shows: those of a status, all that are not in stock, or a search. */
export type StockView = 'QUANTITY' | 'OUT_OF_STOCK' | 'all' | 'search';

/** Says which state a list of stock shows. */
export function claimsOfStock(place: Place, view: StockView, body: unknown): Claim[] {
  const elements = new Map((body as readonly Fields[]).map((each) => [each.guid, each]));
  const at = (index: number) => elements.get(guidOf(place, 'menuItems', index));
  const known = new Set(searchedItems(place));
  for (const guid of elements.keys()) {
    if (!known.has(String(guid))) throw new Misfit('foreign', `${place.tag} has stock of ${guid}`);
  }
  const isOutAt = (index: number) => at(index)?.status === 'OUT_OF_STOCK';
  const claims: Claim[] = [];
  const counted = view === 'OUT_OF_STOCK' ? null : countOf(place, COUNTED.map(at));
  if (view === 'QUANTITY') return [claimOfStock(place, counted, null)];
  const [isOdd, isOut] = [isOutAt(ODD_OUT), isOutAt(BROUGHT_BACK)];
  if (counted !== null && (counted % 2 === 1) !== isOdd) {
    throw new Misfit('mixed', `stock of ${place.tag}: ${counted} and the odd one out ${isOdd}`);
  }
  claims.push(claimOfStock(place, counted, { isOdd, isOut }));
  const flicker = at(FLICKER);
  const isValid = view === 'search' ? flicker?.itemGuidValidity === 'VALID' : flicker !== undefined;
  claims.push(claimOfFlicker(place, isValid));
  return claims;
}

function claimOfStock(
  place: Place,
  counted: number | null,
  outs: { readonly isOdd: boolean; readonly isOut: boolean } | null,
): Claim {
  const said = `stock ${counted ?? ''} ${outs ? JSON.stringify(outs) : ''}`;
  return claim(place.stock, said, ({ content, isOut }) => {
    if (counted !== null && content !== counted) return false;
    return !outs || (isOut === outs.isOut && (content % 2 === 1) === outs.isOdd);
  });
}

function countOf(place: Place, elements: readonly (Fields | undefined)[]): number {
  const [first, ...others] = elements.map((element) => element?.quantity);
  if (typeof first !== 'number' || others.some((quantity) => quantity !== first)) {
    throw new Misfit('mixed', `stock of ${place.tag} shows ${first}, ${others.join(', ')}`);
  }
  return first;
}

/** Says what a restaurant's document shows. */
export function claimsOfInfo({ tag, guid, info }: Place, body: unknown): Claim[] {
  const { general, urls, location, ...document } = body as Record<string, Fields>;
  if ((document.guid as unknown) !== guid)
    throw new Misfit('foreign', `${tag} is ${document.guid}`);
  const { name, locationName, description, managementGroupGuid, archived } = general ?? {};
  const texts = [name, locationName, description, urls?.website, location?.address1];
  const label = labelOf(tag, texts);
  if (label === null) throw new Misfit('mixed', `${tag} says ${texts.join(', ')}`);
  const said = `${tag} ${label}, archived ${archived}, in ${managementGroupGuid}`;
  return [
    claim(info, said, (state) => {
      const isSame = state.label === label && state.isArchived === archived;
      return isSame && state.groupGuid === managementGroupGuid;
    }),
  ];
}

/** Says which restaurants a group has. */
export function claimsOfGroup(fixture: Fixture, groupGuid: string, body: unknown): Claim[] {
  const guids = new Set((body as readonly Fields[]).map(({ guid }) => guid));
  return fixture.places.map(({ tag, guid, info }) => {
    const isThere = guids.has(guid);
    const said = `${tag} ${isThere ? '' : 'not '}in the group`;
    return claim(info, said, (state) => {
      return (!state.isArchived && state.groupGuid === groupGuid) === isThere;
    });
  });
}

/** Says which connections a partner has; with `isWhole` what is not listed is not connected. */
export function claimsOfConnections(
  fixture: Fixture,
  partner: Partner,
  elements: readonly Fields[],
  isWhole: boolean,
): Claim[] {
  const listed = new Map(elements.map((element) => [element.restaurantGuid, element]));
  return fixture.places.flatMap((place) => {
    const connection = partner.connections.get(place.guid);
    const element = listed.get(place.guid);
    if (!connection) return [];
    if (element) return claimsOfElement(place, connection, element);
    if (!isWhole) return [];
    return [claim(connection, `${place.tag} is not listed`, ({ isOn }) => !isOn)];
  });
}

function claimsOfElement(
  { tag, info }: Place,
  connection: Parameters<typeof claim<{ isOn: boolean; label: number }>>[0],
  element: Fields,
): Claim[] {
  const { restaurantName, locationName, managementGroupGuid, deleted } = element;
  const label = labelOf(tag, [restaurantName, locationName]);
  if (label === null)
    throw new Misfit('mixed', `${tag} listed: ${restaurantName}, ${locationName}`);
  const reference = Number(element.externalRestaurantRef);
  return [
    claim(connection, `${tag} connected as ${reference}`, (state) => {
      return state.isOn && state.label === reference;
    }),
    claim(info, `${tag} listed as ${label}, deleted ${deleted}`, (state) => {
      const isSame = state.label === label && state.isArchived === deleted;
      return isSame && state.groupGuid === managementGroupGuid;
    }),
  ];
}
