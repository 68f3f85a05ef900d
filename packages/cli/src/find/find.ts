import { type Client, type ItemOf, Refused, type RequestFor } from '@servery/client/back-office';
import type { OperationId } from '@servery/contract';
import type { At, Session } from '../command.ts';
import { demoClient, resolveClient } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import { isGuid, quoted } from '../readers.ts';
import { didYouMean } from './did-you-mean.ts';

/** Things of one kind: what they are called, and what names them. */
export interface Kind<Item> {
  readonly one: string;
  readonly several: string;
  /** The command that lists them. */
  readonly listed: string;
  /** The command that lists those of a name, which comes behind it. */
  readonly searched?: string;
  /** What tells those of one name apart. */
  readonly details?: (item: Item) => readonly (string | null | undefined)[];
  readonly id: (item: Item) => string;
  readonly names: (item: Item) => readonly (string | null)[];
  /** A part of a name is not enough. */
  readonly isWholeOnly?: boolean;
}

export interface Named {
  readonly guid: string;
  readonly name: string | null;
  readonly archived?: boolean;
}

export const LOOKED_AT = 2_000;
const SHOWN_AT_MOST = 8;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
/** What a platform issues as a client ID; no account is looked up by that as a name. */
export const ISSUED_ID = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function named(one: string, several: string, listed: string): Kind<Named> {
  return { one, several, listed, id: ({ guid }) => guid, names: ({ name }) => [name] };
}

interface Location extends Named {
  readonly locationName?: string | null;
  readonly locationCode?: string | null;
}

export const RESTAURANT: Kind<Location> = {
  ...named('restaurant', 'restaurants', 'servery restaurants list'),
  searched: 'servery restaurants list --search',
  details: ({ locationName, locationCode }) => [locationName, locationCode],
};
const GROUP: Kind<Named> = {
  ...named('management group', 'management groups', 'servery groups list'),
  searched: 'servery groups list --search',
};
const PARTNER = named('partner', 'partners', 'servery partners list');

interface Account {
  readonly clientId: string;
  readonly name: string;
  readonly revokedAt: string | null;
}

const ACCOUNT: Kind<Account> = {
  ...{ one: 'API account', several: 'API accounts', listed: 'servery clients list' },
  ...{ id: ({ clientId }) => clientId, names: ({ name }) => [name], isWholeOnly: true },
};

export const PERSON: Kind<{ personGuid: string; name: string; email: string }> = {
  ...{ one: 'person', several: 'people', listed: 'servery people list', isWholeOnly: true },
  ...{ id: ({ personGuid }) => personGuid, names: ({ name, email }) => [name, email] },
};

const ENDPOINT: Kind<{ guid: string; url: string }> = {
  ...{ one: 'endpoint', several: 'endpoints', listed: 'servery webhooks list' },
  ...{ id: ({ guid }) => guid, names: ({ url }) => [url] },
};

/** Whether two names are the same but for case and blanks around them. */
export function isSame(name: string | null, text: string): boolean {
  return name?.trim().toLowerCase() === text.trim().toLowerCase();
}

/** Those that a text names: by the whole name if any, else by a part. */
export function namedBy<Item>(
  { names, isWholeOnly }: Kind<Item>,
  text: string,
  items: readonly Item[],
): { readonly found: readonly Item[]; readonly isWhole: boolean } {
  const whole = items.filter((item) => names(item).some((name) => isSame(name, text)));
  if (whole.length > 0 || isWholeOnly) return { found: whole, isWhole: true };
  const part = text.trim().toLowerCase();
  const found = items.filter((item) =>
    names(item).some((name) => name?.toLowerCase().includes(part)),
  );
  return { found, isWhole: false };
}

/**
 * The id of the one thing that a text names: by GUID, by a whole name, or by a part that only it
 * has. `search` gives those that a text finds, and all without one. Throws CommandFailure.
 */
export async function oneOf<Item>(
  kind: Kind<Item>,
  text: string,
  search: (text: string | undefined) => Promise<readonly Item[]>,
): Promise<string> {
  if (isGuid(text)) return text.toLowerCase();
  if (text.trim() === '') throw invalidUsage(`which ${kind.one}? The name is empty.`);
  const { found, isWhole } = namedBy(kind, text, await search(text));
  const [only] = found;
  if (only && found.length === 1) return kind.id(only);
  throw only ? severalOf(kind, text, found, isWhole) : noneOf(kind, text, await search(undefined));
}

/** What to throw where several have a name. */
export function severalOf<Item>(
  { several, id, names, details, listed, searched }: Kind<Item>,
  text: string,
  found: readonly Item[],
  isWhole: boolean,
): Error {
  const label = (item: Item) => {
    const { archived, revokedAt } = item as { archived?: boolean; revokedAt?: string | null };
    const mark = archived ? ' (archived)' : revokedAt ? ' (revoked)' : '';
    const apart = (details?.(item) ?? []).filter((detail) => detail).join(', ');
    return `\n  ${id(item)}  ${names(item).join(' ')}${apart && `, ${apart}`}${mark}`;
  };
  const shown = found.slice(0, SHOWN_AT_MOST).map(label).join('');
  const use = isWhole ? 'an ID' : 'an ID or a whole name';
  const list = searched ? `${searched} ${quoted(text.trim())}` : listed;
  const more = found.length - SHOWN_AT_MOST;
  const rest = more > 0 ? `\nand ${more} more: narrow the name, or list them with: ${list}` : '';
  return invalidUsage(`several ${several} are named ${quoted(text)}. Use ${use}:${shown}${rest}`);
}

/** What to throw where nothing has a name; `items` may have been meant. */
export function noneOf<Item>(
  { one, listed, names }: Kind<Item>,
  text: string,
  items: readonly Item[],
  others: readonly string[] = [],
): Error {
  const meant = didYouMean(text, [...others, ...items.flatMap(names)]) || '.';
  return invalidUsage(
    `no ${one} that you have access to is named ${quoted(text)}${meant} ` +
      `"${listed}" shows what there is.`,
  );
}

/** The items of a list that a name is looked up among. */
export async function allOf<Id extends OperationId>(
  client: Client,
  id: Id,
  request: RequestFor<Id> = {},
): Promise<readonly ItemOf<Id>[]> {
  return (await client.list(id, request, LOOKED_AT)).results;
}

/** Null for a refusal: for a look before a change that the platform may refuse as well. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof Refused) return null;
  throw error;
}

/** Items; none where the account may not read them. */
export async function noneIfForbidden<Item>(
  asked: Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused && error.status === FORBIDDEN) return [];
    throw error;
  }
}

/** The GUID of a restaurant; those of the sandbox are known without a request. */
export async function findRestaurant(text: string, { client, demo }: Session): Promise<string> {
  const known = demo?.restaurants.filter(({ name }) => isSame(name, text)) ?? [];
  return await oneOf(RESTAURANT, text, async (search) => {
    if (known.length === 1) return known;
    try {
      return await allOf(client, 'backOffice.restaurants.list', { query: { search } });
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== FORBIDDEN) throw error;
      return (await client.call('backOffice.whoami')).restaurants;
    }
  });
}

/** The first restaurant of the sandbox that is open. */
export function firstRestaurant({ demo }: Pick<Session, 'demo'>): string {
  const first = demo?.restaurants.find(({ archived }) => !archived);
  if (first) return first.guid;
  throw invalidUsage(
    'which restaurant? Name it with --restaurant: "servery restaurants list" shows them.',
  );
}

export function findGroup(text: string, { client }: Session): Promise<string> {
  return oneOf(GROUP, text, (search) =>
    allOf(client, 'backOffice.managementGroups.list', { query: { search } }),
  );
}

export function findPartner(text: string, { client }: Session): Promise<string> {
  return oneOf(PARTNER, text, (name) =>
    allOf(client, 'backOffice.partners.list', { query: { name } }),
  );
}

/** The GUID of a partner that a restaurant can connect to, for callers who may not list all partners. */
export function findPartnerAt(text: string, { client, given }: At): Promise<string> {
  const kind = { ...PARTNER, listed: 'servery connections partners' };
  const params = { restaurantGuid: String(given.restaurant) };
  return oneOf(kind, text, (name) =>
    allOf(client, 'backOffice.connections.partners', { params, query: { name } }),
  );
}

export function findPerson(text: string, { client }: Session): Promise<string> {
  return oneOf(PERSON, text, () => allOf(client, 'backOffice.people.list'));
}

/** The GUID of a webhook endpoint, by its address or a part of it. */
export function findEndpoint(text: string, { client }: Session): Promise<string> {
  return oneOf(ENDPOINT, text, () => allOf(client, 'backOffice.webhooks.endpoints.list'));
}

/** Whether the text can only be a name: ids have no blanks and no letters beyond ASCII. */
export function isNameAlone(text: string): boolean {
  return /[^!-~]/.test(text.trim());
}

/** The accounts of a name, or all; the live ones if any is; none where they may not be listed. */
export async function accountsNamed(
  { client }: Session,
  text: string | undefined,
): Promise<readonly Account[]> {
  const query = { name: text };
  const accounts = await noneIfForbidden(allOf(client, 'backOffice.clients.list', { query }));
  if (text === undefined) return accounts;
  const { found } = namedBy(ACCOUNT, text, accounts);
  const live = found.filter(({ revokedAt }) => revokedAt === null);
  return live.length > 0 ? live : found;
}

/** The id of an API account: by id, by name, or by its name in demo.json. */
export async function findClient(text: string, session: Session): Promise<string> {
  const { client, demo } = session;
  const known = isNameAlone(text) ? text : resolveClient(text, demo);
  if (known !== text || ISSUED_ID.test(text)) return known;
  const found = await accountsNamed(session, text);
  const [only] = found;
  if (only && found.length === 1) return only.clientId;
  if (only) throw severalOf(ACCOUNT, text, found, true);
  const isMissing = async () => {
    try {
      await client.call('backOffice.clients.get', { params: { clientId: text } });
      return false;
    } catch (error) {
      if (error instanceof Refused) return error.status === NOT_FOUND;
      throw error;
    }
  };
  const isId = !isNameAlone(text);
  // Suggestions are only for what is not an id either.
  if (isId && !(await isMissing())) return text;
  const error = await noAccount(text, session);
  if (isId && !error.message.includes('Did you mean')) return text;
  throw error;
}

/** What to throw for an account that is not there. */
export async function noAccount(text: string, session: Session): Promise<Error> {
  const names = Object.keys(session.demo?.clients ?? {});
  return noneOf(ACCOUNT, text, await accountsNamed(session, undefined), names);
}

/** The id of the one account of a name or of a name in demo.json; null for none. */
export async function accountCalled(text: string, session: Session): Promise<string | null> {
  const known = demoClient(text, session.demo);
  if (known !== null || ISSUED_ID.test(text)) return known;
  const found = await accountsNamed(session, text);
  const [only] = found;
  if (found.length > 1) throw severalOf(ACCOUNT, text, found, true);
  if (only) return only.clientId;
  // An account that may list no accounts still has a name.
  const { type, id, name } = await session.client.call('backOffice.whoami');
  return type !== 'PERSON' && isSame(name, text) ? id : null;
}
