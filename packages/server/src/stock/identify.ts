export interface ItemIdentity {
  readonly guid: string;
  readonly multiLocationId: string;
  readonly name: string;
  readonly sku: string | null;
  readonly plu: string | null;
  readonly archived: boolean;
}

export const namingWays = ['guid', 'multiLocationId', 'sku', 'plu', 'name'] as const;
type Way = (typeof namingWays)[number];

/** Several ways have to agree. */
export type ItemNaming = { readonly [Each in Way]: string | null };

export type Identification =
  | { readonly kind: 'item'; readonly item: ItemIdentity }
  | { readonly kind: 'several'; readonly way: Way; readonly candidates: readonly ItemIdentity[] }
  | { readonly kind: 'contradiction'; readonly ways: readonly Way[] }
  /** `isArchived`: the item existed and is off the menu. */
  | { readonly kind: 'none'; readonly way: Way; readonly isArchived: boolean };

type Called = ReadonlySet<ItemIdentity>;

export interface ItemFinder {
  /** Add all items before the first search. */
  add(items: readonly ItemIdentity[]): void;
  find(naming: ItemNaming): Identification;
}

/** Sets and remembered answers keep this linear, even when thousands of items share names. */
export function itemFinder(): ItemFinder {
  const added = new Set<string>();
  const live = new Map<string, Set<ItemIdentity>>();
  const archived = new Set<string>();
  const answers = new Map<string, Identification>();
  return {
    add: (items) => {
      for (const item of items.filter(({ guid }) => !added.has(guid))) {
        added.add(item.guid);
        for (const key of keysOf(item)) {
          const known = live.get(key);
          if (item.archived) archived.add(key);
          else if (known) known.add(item);
          else live.set(key, new Set([item]));
        }
      }
    },
    find: (naming) => {
      const keys = keysOf(naming);
      const question = JSON.stringify(keys);
      const answer = answers.get(question) ?? identify(keys, live, archived);
      answers.set(question, answer);
      return answer;
    },
  };
}

function identify(
  keys: readonly string[],
  live: ReadonlyMap<string, Called>,
  archived: ReadonlySet<string>,
): Identification {
  const found: { readonly way: Way; readonly all: Called }[] = [];
  for (const key of keys) {
    const [way, all] = [wayOf(key), live.get(key)];
    if (!all) return { kind: 'none', way, isArchived: archived.has(key) };
    found.push({ way, all });
  }
  const [first, ...others] = found
    .map(({ all }) => all)
    .sort((one, other) => one.size - other.size);
  const candidates = [...(first ?? [])].filter((item) => others.every((all) => all.has(item)));
  const [item] = candidates;
  if (!item) return { kind: 'contradiction', ways: found.map(({ way }) => way) };
  if (candidates.length === 1) return { kind: 'item', item };
  return { kind: 'several', way: found.at(-1)?.way ?? 'name', candidates };
}

function keysOf(naming: ItemNaming): string[] {
  const { guid, multiLocationId, sku, plu, name } = naming;
  const keys: readonly (readonly [Way, string | null])[] = [
    ['guid', guid],
    ['multiLocationId', multiLocationId],
    ['sku', sku],
    ['plu', plu],
    ['name', name && plainName(name)],
  ];
  return keys.flatMap(([way, text]) => (text === null ? [] : [`${way} ${text}`]));
}

function wayOf(key: string): Way {
  return key.slice(0, key.indexOf(' ')) as Way;
}

/** Case and spaces do not distinguish items. */
function plainName(name: string): string {
  return name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
