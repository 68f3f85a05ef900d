import { parseGuid } from '../support/ids.ts';

/** What an item is known by. */
export interface ItemIdentity {
  readonly guid: string;
  readonly multiLocationId: string;
  readonly name: string;
  readonly sku: string | null;
  readonly plu: string | null;
  readonly archived: boolean;
}

/** How somebody names an item: in one way or in several, which then have to agree. */
export interface ItemNaming {
  readonly guid: string | null;
  readonly multiLocationId: string | null;
  readonly sku: string | null;
  readonly plu: string | null;
  readonly name: string | null;
}

type Way = keyof ItemNaming;

/** What a naming leads to. */
export type Identification =
  | { readonly kind: 'item'; readonly item: ItemIdentity }
  | { readonly kind: 'several'; readonly way: Way; readonly candidates: readonly ItemIdentity[] }
  /** Each way names an item, but not the same one. */
  | { readonly kind: 'contradiction'; readonly ways: readonly Way[] }
  /** `isArchived`: there was one, and it is off the menu. */
  | { readonly kind: 'none'; readonly way: Way; readonly isArchived: boolean };

/** Makes a function that tells which of the items a naming leads to; archived ones are none. */
export function itemFinder(items: readonly ItemIdentity[]): (naming: ItemNaming) => Identification {
  // Sets, because a thousand items may be called the same in several ways.
  const index = new Map<string, Set<ItemIdentity>>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const known = index.get(key);
      if (known) known.add(item);
      else index.set(key, new Set([item]));
    }
  }
  return (naming) => identify(keysOf(naming), (key) => index.get(key) ?? new Set());
}

function identify(
  keys: readonly string[],
  named: (key: string) => ReadonlySet<ItemIdentity>,
): Identification {
  const found = keys.map((key) => ({ way: wayOf(key), all: named(key) }));
  for (const { way, all } of found) {
    if ([...all].every(({ archived }) => archived)) {
      return { kind: 'none', way, isArchived: all.size > 0 };
    }
  }
  const [first, ...others] = found;
  const candidates = [...(first?.all ?? [])].filter(
    (item) => !item.archived && others.every(({ all }) => all.has(item)),
  );
  const [item] = candidates;
  if (!item) return { kind: 'contradiction', ways: found.map(({ way }) => way) };
  if (candidates.length === 1) return { kind: 'item', item };
  return { kind: 'several', way: found.at(-1)?.way ?? 'name', candidates };
}

/** One key for each way in which it is named. */
function keysOf(naming: ItemNaming): string[] {
  const { guid, multiLocationId, sku, plu, name } = naming;
  const keys: readonly (readonly [Way, string | null])[] = [
    ['guid', guid && parseGuid(guid)],
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

/** People write a name as they like: case and blanks do not tell two items apart. */
function plainName(name: string): string {
  return name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
