import type {
  ApiClient,
  ManagementGroup,
  ReachedRestaurant,
  RestaurantOverview,
  WhoAmI,
} from '@servery/contract';
import { PlatformRefusal, type Query, type Remote, readPages, segment } from '../back-office.ts';
import { resolveClient } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { didYouMean } from './did-you-mean.ts';
import { isSame, type Kind, listedAt, type Named, oneOf } from './one-of.ts';

/** Finds what people call by name; each gives what a path takes, and throws CommandFailure. */
export interface Finder {
  restaurant(nameOrGuid: string): Promise<string>;
  /** The one that is named, or the first of the sandbox that is open when none is. */
  restaurantOr(nameOrGuid: string | undefined): Promise<string>;
  group(nameOrGuid: string): Promise<string>;
  partner(nameOrGuid: string): Promise<string>;
  /** A client id, the name of an account, or its name in demo.json. */
  client(nameOrId: string): Promise<string>;
}

const RESTAURANT: Kind = {
  one: 'restaurant',
  several: 'restaurants',
  listed: 'servery restaurants list',
};
const GROUP: Kind = {
  one: 'management group',
  several: 'management groups',
  listed: 'servery groups list',
};
const PARTNER: Kind = { one: 'partner', several: 'partners', listed: 'servery partners list' };

const LOOKED_AT = 2_000;
/** What a platform gives out as a client id: no account is looked for by that as a name. */
export const ISSUED_ID = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** A finder that asks the platform; the restaurants of the sandbox are known without a request. */
export function finderOn(remote: Remote, demo: Session['demo']): Finder {
  const search = <Item extends Named>(path: string, query: Query) =>
    listedAt<Item>(remote, `/backoffice/v1/${path}`, query);
  const restaurants = async (text: string | undefined): Promise<readonly Named[]> => {
    try {
      return await search<RestaurantOverview>('restaurants', { search: text });
    } catch (error) {
      if (!(error instanceof PlatformRefusal) || error.status !== FORBIDDEN) throw error;
      return await reached(remote);
    }
  };
  const find: Finder = {
    restaurant: async (text) => {
      const known = demo?.restaurants.filter(({ name }) => isSame(name, text)) ?? [];
      return oneOf(RESTAURANT, text, async (name) =>
        known.length === 1 ? known : await restaurants(name),
      );
    },
    restaurantOr: async (text) => {
      if (text !== undefined) return find.restaurant(text);
      const first = demo?.restaurants.find(({ archived }) => !archived);
      if (first) return first.guid;
      throw invalidUsage(
        'which restaurant? Name it with --restaurant: "servery restaurants list" shows them.',
      );
    },
    group: (text) =>
      oneOf(GROUP, text, (name) => search<ManagementGroup>('managementGroups', { search: name })),
    partner: (text) => oneOf(PARTNER, text, (name) => search('partners', { name })),
    client: async (text) => {
      const hasName = isNameAlone(text);
      const known = hasName ? text : resolveClient(text, demo);
      if (known !== text || ISSUED_ID.test(text)) return known;
      const clients = await clientsCalled(remote, text);
      const [only, ...others] = clients;
      if (only && others.length === 0) return only;
      if (others.length === 0) {
        // What is no name may still be the id of an account: suggestions are for what is none.
        if (!hasName && !(await isMissing(remote, text))) return text;
        const meant = await accountsMeant(remote, demo, text);
        if (!hasName && meant === '') return text;
        throw invalidUsage(
          `no API account within reach is called ${JSON.stringify(text)}${meant || '.'} Write ` +
            'its whole name or its clientId. "servery clients list" shows what there is.',
        );
      }
      throw invalidUsage(
        `several API accounts are called ${JSON.stringify(text)}: write the clientId, one of ` +
          `${clients.join(', ')}.`,
      );
    },
  };
  return find;
}

/**
 * The GUID of the one restaurant among those that is meant; `listed` is the command that shows
 * them. Throws CommandFailure for a name that none or several have.
 */
export function restaurantAmong(
  text: string,
  restaurants: readonly Named[],
  listed: string,
): Promise<string> {
  return oneOf({ ...RESTAURANT, listed }, text, async () => restaurants);
}

/** Whether the text can be the name of an account, and is no id: ids have neither blanks nor ä. */
export function isNameAlone(text: string): boolean {
  return /[^!-~]/.test(text.trim());
}

/** The restaurants within reach, where they may not be listed. */
async function reached(remote: Remote): Promise<readonly ReachedRestaurant[]> {
  return (await remote.get<WhoAmI>('/backoffice/v1/whoami')).restaurants;
}

/** Whether the platform says that no account has that id; false where that may not be asked. */
async function isMissing(remote: Remote, id: string): Promise<boolean> {
  try {
    await remote.get(`/backoffice/v1/clients/${segment(id)}`);
    return false;
  } catch (error) {
    if (error instanceof PlatformRefusal) return error.status === NOT_FOUND;
    throw error;
  }
}

/** Which accounts were probably meant, for a sentence; empty where they may not be listed. */
export async function accountsMeant(
  remote: Remote,
  demo: Session['demo'],
  text: string,
): Promise<string> {
  const accounts = await listedAccounts(remote, {});
  const names = accounts.map(({ name }) => name);
  return didYouMean(text, [...Object.keys(demo?.clients ?? {}), ...names]);
}

/** The ids of the accounts of that name, of the live ones if any is; none if no list is allowed. */
export async function clientsCalled(remote: Remote, text: string): Promise<readonly string[]> {
  const same = (await listedAccounts(remote, { name: text })).filter(({ name }) =>
    isSame(name, text),
  );
  const live = same.filter(({ revokedAt }) => revokedAt === null);
  return (live.length > 0 ? live : same).map(({ clientId }) => clientId);
}

/** The accounts that fit; none where they may not be listed. */
async function listedAccounts(remote: Remote, query: Query): Promise<readonly ApiClient[]> {
  try {
    return (await readPages<ApiClient>(remote, '/backoffice/v1/clients', query, LOOKED_AT)).results;
  } catch (error) {
    if (error instanceof PlatformRefusal && error.status === FORBIDDEN) return [];
    throw error;
  }
}
