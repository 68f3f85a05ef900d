import { demand, type OfficeCall } from './back-office.ts';
import type { Watched } from './claim.ts';
import { FIRST_CONTENT, firstDocument } from './contents.ts';
import {
  type Account,
  type ConnectionState,
  type Fixture,
  OFFICE_SCOPE,
  type Partner,
  type Place,
  READ_SCOPES,
} from './fixture.ts';
import { infoPatch } from './info.ts';
import { settingsAt } from './stock-levels.ts';
import { Subject } from './subject.ts';

/** Items of the restaurants: the first has more than two pages of them. */
const ITEM_COUNTS = [620, 12, 12, 12] as const;
const FIRST_LABEL = 1;

/** What building takes: the operator's calls, and how many servers there are. */
export interface BuildDeps {
  readonly call: OfficeCall;
  readonly processes: number;
}

/** Builds groups, restaurants, partners and accounts through the back office. */
export async function buildFixture(deps: BuildDeps): Promise<Fixture> {
  const { call } = deps;
  const [one, other] = await Promise.all(
    ['Stale One', 'Stale Two'].map((name) =>
      demand<{ guid: string }>(call, 'POST', '/managementGroups', { name }),
    ),
  );
  const groupGuids = [one?.guid ?? '', other?.guid ?? ''] as const;
  const subjects: Watched[] = [];
  const places: Place[] = [];
  for (const number of ITEM_COUNTS.keys()) {
    places.push(await buildPlace(deps, number, groupGuids[0], subjects));
  }
  const partners = [
    await buildPartner(deps, 'Partner one', places, subjects),
    await buildPartner(deps, 'Partner two', places, subjects),
  ];
  const [first = null, second = null] = partners;
  const scopes = [...READ_SCOPES];
  const writing = [...scopes, 'stock:write'];
  const make = (name: string, owner: Owner, granted: readonly string[]) =>
    openAccount(deps, name, owner, granted, subjects);
  const steady = await make('steady', { partner: first, groupGuid: null }, writing);
  const accounts = [
    steady,
    await make('changing', { partner: first, groupGuid: null }, scopes),
    await make('second', { partner: second, groupGuid: null }, scopes),
    await make('group', { partner: null, groupGuid: groupGuids[0] }, scopes),
  ];
  const office = await make('office', { partner: null, groupGuid: null }, [OFFICE_SCOPE]);
  const { now: builtAt } = await demand<{ now: string }>(call, 'GET', '/clock');
  return { places, partners, groupGuids, accounts, steady, office, builtAt, subjects };
}

async function buildPlace(
  { call, processes }: BuildDeps,
  number: number,
  groupGuid: string,
  subjects: Watched[],
): Promise<Place> {
  const tag = `r${number}`;
  const patch = infoPatch(tag, FIRST_LABEL);
  const general = { ...patch.general, timeZone: 'America/New_York', currencyCode: 'USD' };
  const { guid } = await demand<{ guid: string }>(call, 'POST', '/restaurants', {
    ...patch,
    general: { ...general, managementGroupGuid: groupGuid },
  });
  const info = { label: FIRST_LABEL, groupGuid, isArchived: false };
  const configuration = { label: FIRST_LABEL, content: FIRST_CONTENT };
  const stock = { content: FIRST_CONTENT, isOut: false };
  const place: Place = {
    ...{ tag, guid, number, itemCount: ITEM_COUNTS[number] ?? 0 },
    info: new Subject(`restaurant ${tag}`, processes, info),
    configuration: new Subject(`configuration of ${tag}`, processes, configuration),
    stock: new Subject(`stock of ${tag}`, processes, stock),
    menusShown: new Map(),
  };
  subjects.push(place.info, place.configuration, place.stock);
  await demand(call, 'POST', `/restaurants/${guid}/configuration/apply`, {
    document: { configuration: firstDocument(place) },
    note: String(FIRST_LABEL),
  });
  await demand(call, 'POST', `/restaurants/${guid}/stock`, {
    changes: settingsAt(place, FIRST_CONTENT, true),
  });
  return place;
}

async function buildPartner(
  { call, processes }: BuildDeps,
  name: string,
  places: readonly Place[],
  subjects: Watched[],
): Promise<Partner> {
  const { guid } = await demand<{ guid: string }>(call, 'POST', '/partners', { name });
  const connections = new Map<string, Subject<ConnectionState>>();
  for (const place of places) {
    await demand(call, 'POST', `/restaurants/${place.guid}/connections`, {
      partnerGuid: guid,
      externalRestaurantRef: String(FIRST_LABEL),
      employee: { firstName: 'Ada', email: 'ada@example.com' },
    });
    const state = { isOn: true, label: FIRST_LABEL };
    const subject = new Subject(`connection of ${place.tag} to ${name}`, processes, state);
    connections.set(place.guid, subject);
    subjects.push(subject);
  }
  return { name, guid, connections };
}

/** Whose an account is. */
export type Owner = Pick<Account, 'partner' | 'groupGuid'>;

/** Makes an account; it has no token yet. */
export async function openAccount(
  { call, processes }: BuildDeps,
  name: string,
  owner: Owner,
  scopes: readonly string[],
  subjects: Watched[],
): Promise<Account> {
  const { partner, groupGuid } = owner;
  const made = await demand<{ client: { clientId: string }; clientSecret: string }>(
    call,
    'POST',
    '/clients',
    {
      ...{ name, scopes },
      ...(partner && { type: 'PARTNER', partnerGuid: partner.guid }),
      ...(groupGuid && { type: 'CUSTOMER', managementGroupGuid: groupGuid }),
      ...(!partner && !groupGuid && { type: 'BACK_OFFICE' }),
    },
  );
  const client = new Subject(`account ${name}`, processes, { isRevoked: false, scopes });
  subjects.push(client);
  const { clientSecret } = made;
  const { clientId } = made.client;
  return { name, clientId, clientSecret, partner, groupGuid, client, tokens: [] };
}
