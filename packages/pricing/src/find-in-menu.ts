import type {
  Identified,
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
): { item: MenuItem; groupGuids: string[] } | undefined {
  for (const { menuGroups } of menus) {
    const path = findGroup(menuGroups, itemGroup);
    const found = findReferenced(path?.[0]?.menuItems ?? [], item);
    if (path && found) return { item: found, groupGuids: path.map(({ guid }) => guid) };
  }
  return undefined;
}

/** The group first, then the groups above it. */
function findGroup(
  groups: readonly MenuGroup[],
  reference: Reference | null | undefined,
): MenuGroup[] | undefined {
  const found = findReferenced(groups, reference);
  if (found) return [found];
  for (const group of groups) {
    const path = findGroup(group.menuGroups, reference);
    if (path) return [...path, group];
  }
  return undefined;
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
