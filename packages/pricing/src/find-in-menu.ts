import type {
  Identified,
  Menu,
  MenuGroup,
  MenuItem,
  MenusDocument,
  ModifierGroup,
  ModifierOption,
  PreModifier,
  Reference,
} from './types.ts';

export function findReferenced<T extends { readonly guid: string }>(
  all: readonly T[],
  reference: Reference | null | undefined,
): T | undefined {
  const { guid, multiLocationId } = reference ?? {};
  if (guid) return all.find((one) => one.guid === guid);
  if (!multiLocationId) return undefined;
  return all.find((one) => (one as Partial<Identified>).multiLocationId === multiLocationId);
}

/** An item in the group that it is ordered from, with the GUIDs of that group and those above. */
export function findItem(
  { menus }: MenusDocument,
  itemGroup: Reference | null | undefined,
  item: Reference | null | undefined,
): { item: MenuItem; groupGuids: readonly string[] } | undefined {
  for (const menu of menus) {
    const group = findIndexed(groupsOfMenu(menu), itemGroup);
    const found = group && findIndexed(itemsOf(group.menuItems), item);
    if (found) return { item: found, groupGuids: group.groupGuids };
  }
  return undefined;
}

/** The first of each GUID and of each multi-location id. */
interface Index<T> {
  readonly byGuid: ReadonlyMap<string, T>;
  readonly byMultiLocationId: ReadonlyMap<string, T>;
}

interface PlacedGroup extends Identified {
  readonly menuItems: readonly MenuItem[];
  /** Its own first, then those of the groups above it. */
  readonly groupGuids: readonly string[];
}

// An order of many selections would search the whole of a long menu for each of them. Menus never
// change once they are published, so what was indexed stays true.
const groupsOfMenu = remembering(({ menuGroups }: Menu) => indexed(placedGroups(menuGroups, [])));
const itemsOf = remembering(indexed<MenuItem>);

/** The groups of a level come before all groups below them. */
function placedGroups(groups: readonly MenuGroup[], above: readonly string[]): PlacedGroup[] {
  const level = groups.map(({ guid, multiLocationId, menuItems }) => {
    return { guid, multiLocationId, menuItems, groupGuids: [guid, ...above] };
  });
  const below = groups.flatMap(({ guid, menuGroups }) =>
    placedGroups(menuGroups, [guid, ...above]),
  );
  return [...level, ...below];
}

function remembering<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const remembered = made.get(key);
    if (remembered) return remembered;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

function indexed<T extends Identified>(all: readonly T[]): Index<T> {
  // Of equal keys a map keeps the last.
  const backwards = all.toReversed();
  return {
    byGuid: new Map(backwards.map((one) => [one.guid, one])),
    byMultiLocationId: new Map(backwards.map((one) => [one.multiLocationId, one])),
  };
}

function findIndexed<T>(
  { byGuid, byMultiLocationId }: Index<T>,
  reference: Reference | null | undefined,
): T | undefined {
  const { guid, multiLocationId } = reference ?? {};
  if (guid) return byGuid.get(guid);
  return multiLocationId ? byMultiLocationId.get(multiLocationId) : undefined;
}

export function groupsOf(menus: MenusDocument, references: readonly number[]): ModifierGroup[] {
  return references.flatMap((one) => menus.modifierGroupReferences[one] ?? []);
}

export function optionsOf(menus: MenusDocument, group: ModifierGroup): ModifierOption[] {
  return group.modifierOptionReferences.flatMap((one) => menus.modifierOptionReferences[one] ?? []);
}

export function preModifiersOf(menus: MenusDocument, group: ModifierGroup): readonly PreModifier[] {
  const { preModifierGroupReference: reference } = group;
  if (reference === null) return [];
  return menus.preModifierGroupReferences[reference]?.preModifiers ?? [];
}
