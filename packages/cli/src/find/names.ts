import type { OperationId, Scope } from '@servery/contract';
import type { PlatformCall } from '../command.ts';
import { nullIfRefused } from './find.ts';

/** The name of something by its id; the id itself where the name is not known. */
export type NameOf = (id: string) => string;

/** Where names are. An account without the scope does not ask: the refusal would be logged. */
const lists = {
  client: { operation: 'backOffice.clients.list', scope: 'clients:read' },
  person: { operation: 'backOffice.people.list', scope: 'people:read' },
  restaurant: { operation: 'backOffice.restaurants.list', scope: 'restaurants.admin:read' },
  group: { operation: 'backOffice.managementGroups.list', scope: 'restaurants.admin:read' },
  partner: { operation: 'backOffice.partners.list', scope: 'clients:read' },
} as const satisfies Record<string, { operation: OperationId; scope: Scope }>;

export const ACTORS = ['client', 'person'] as const;

const LOOKED_AT = 500;

/** The names of what has these ids, for tables; programs get the ids. */
export async function namesOf(
  { client, flags }: Pick<PlatformCall, 'client' | 'flags'>,
  ids: readonly (string | null)[],
  kinds: readonly (keyof typeof lists)[],
): Promise<NameOf> {
  const wanted = new Set(ids.filter((id) => id !== null && !id.startsWith('system:')).map(bare));
  const names = new Map<string, string>();
  const isDone = () => [...wanted].every((id) => names.has(id));
  if (flags.json || isDone()) return (id) => id;
  const { id: self, name: own, grants, restaurants } = await client.call('backOffice.whoami');
  names.set(self, own);
  for (const { guid, name } of [...restaurants, ...grants]) if (guid && name) names.set(guid, name);
  const scopes = new Set(grants.flatMap((grant) => grant.scopes.map(({ scope }) => scope)));
  for (const kind of kinds) {
    const { operation, scope } = lists[kind];
    if (isDone() || !scopes.has(scope)) continue;
    const listed = await client.list(operation, {}, LOOKED_AT).catch(nullIfRefused);
    for (const item of listed?.results ?? []) {
      const id = 'clientId' in item ? item.clientId : 'guid' in item ? item.guid : item.personGuid;
      names.set(id, item.name);
    }
  }
  return (id) => names.get(bare(id)) ?? id;
}

/** Items whose field has a name in place of an id. */
export async function withNames<Item, Field extends keyof Item>(
  call: Pick<PlatformCall, 'client' | 'flags'>,
  items: readonly Item[],
  field: Field,
): Promise<readonly Item[]> {
  const nameOf = await namesOf(
    call,
    items.map((item) => String(item[field])),
    ACTORS,
  );
  return items.map((item) => ({ ...item, [field]: nameOf(String(item[field])) }));
}

function bare(id: string | null): string {
  return id?.replace(/^person:/, '') ?? '';
}
