import type { ApiClient, Person, Scope, WhoAmI } from '@servery/contract';
import { PlatformRefusal, readPages } from '../back-office.ts';
import type { Call } from './verb.ts';

/** What somebody or something is called, by its id; the id itself where nobody knows. */
export type NameOf = (id: string) => string;

interface List {
  readonly path: string;
  /** Who does not hold it is not told, and asking would be a refusal in the log of requests. */
  readonly scope: Scope;
  readonly entry: (item: never) => readonly [id: string, name: string];
}

const named = ({ guid, name }: { readonly guid: string; readonly name: string }) =>
  [guid, name] as const;

/** Where the names of things of a kind are. */
const lists = {
  client: {
    path: 'clients',
    scope: 'clients:read',
    entry: ({ clientId, name }: ApiClient) => [clientId, name],
  },
  person: {
    path: 'people',
    scope: 'people:read',
    entry: ({ personGuid, name }: Person) => [personGuid, name],
  },
  restaurant: { path: 'restaurants', scope: 'restaurants.admin:read', entry: named },
  group: { path: 'managementGroups', scope: 'restaurants.admin:read', entry: named },
  partner: { path: 'partners', scope: 'clients:read', entry: named },
} as const satisfies Readonly<Record<string, List>>;

/** Who makes changes. */
export const ACTORS = ['client', 'person'] as const;

const LOOKED_AT = 500;

/**
 * The names of what has these ids, which is of some of these kinds, for tables that people read:
 * whoever is asked for JSON gets the ids. Who and `person:` and a GUID are one. What the account
 * may not read keeps its id.
 */
export async function namesOf(
  { remote, flags }: Pick<Call<object>, 'remote' | 'flags'>,
  ids: readonly (string | null)[],
  kinds: readonly (keyof typeof lists)[],
): Promise<NameOf> {
  const wanted = new Set(ids.filter((id) => id !== null && !id.startsWith('system:')).map(bare));
  const names = new Map<string, string>();
  const isDone = () => [...wanted].every((id) => names.has(id));
  if (flags.json || isDone()) return (id) => id;
  const { id: self, name: own, grants, restaurants } = await remote.get<WhoAmI>(WHOAMI);
  names.set(self, own);
  for (const { guid, name } of [...restaurants, ...grants]) if (guid && name) names.set(guid, name);
  const scopes = new Set(grants.flatMap((grant) => grant.scopes.map(({ scope }) => scope)));
  for (const kind of kinds) {
    const list: List = lists[kind];
    if (isDone() || !scopes.has(list.scope)) continue;
    const path = `/backoffice/v1/${list.path}`;
    const items = await readPages<never>(remote, path, {}, LOOKED_AT).catch(noneIfRefused);
    for (const item of items.results) names.set(...list.entry(item));
  }
  return (id) => names.get(bare(id)) ?? id;
}

const WHOAMI = '/backoffice/v1/whoami';

function bare(id: string | null): string {
  return id?.replace(/^person:/, '') ?? '';
}

function noneIfRefused(error: unknown): { readonly results: never[] } {
  if (error instanceof PlatformRefusal) return { results: [] };
  throw error;
}
