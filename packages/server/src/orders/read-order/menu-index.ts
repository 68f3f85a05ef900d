import type {
  MenusDocument,
  ModifierGroup,
  ModifierOption,
  ResolvedMenuGroup,
  ResolvedMenuItem,
  ResolvedPreModifier,
} from '@servery/contract';
import type { MenuSupplement } from '@servery/pricing';

export interface PublishedMenus {
  readonly document: MenusDocument;
  readonly supplement: MenuSupplement;
  /** Of items, groups, modifier groups and pre-modifiers, by GUID. */
  readonly externalIds: ReadonlyMap<string, string>;
}

interface Identified {
  readonly guid: string;
  readonly multiLocationId: string;
}

/** Where things are in the published menus; built once for each document. */
export interface MenuIndex {
  /** Groups may hang in several menus; the first one counts. */
  readonly groups: Finder<ResolvedMenuGroup>;
  /** Items in groups, and items behind options. */
  readonly items: Finder<ResolvedMenuItem | ModifierOption>;
  readonly modifierGroups: Finder<ModifierGroup>;
  readonly preModifiers: Finder<ResolvedPreModifier>;
}

/** Finds by GUID or multiLocationId. */
export class Finder<T extends Identified> {
  readonly #byGuid = new Map<string, T>();
  readonly #byMultiLocationId = new Map<string, T>();

  constructor(all: Iterable<T>) {
    for (const each of all) {
      if (this.#byGuid.has(each.guid)) continue;
      this.#byGuid.set(each.guid, each);
      this.#byMultiLocationId.set(each.multiLocationId, each);
    }
  }

  byGuid(guid: string): T | undefined {
    return this.#byGuid.get(guid);
  }

  byMultiLocationId(id: string): T | undefined {
    return this.#byMultiLocationId.get(id);
  }
}

const indexes = new WeakMap<MenusDocument, MenuIndex>();

export function indexOf(document: MenusDocument): MenuIndex {
  const known = indexes.get(document);
  if (known) return known;
  const groups = document.menus.flatMap(({ menuGroups }) => menuGroups.flatMap(withSubgroups));
  const options = Object.values(document.modifierOptionReferences);
  const preModifierGroups = Object.values(document.preModifierGroupReferences);
  const index = {
    groups: new Finder(groups),
    items: new Finder<ResolvedMenuItem | ModifierOption>([
      ...groups.flatMap(({ menuItems }) => menuItems),
      ...options,
    ]),
    modifierGroups: new Finder(Object.values(document.modifierGroupReferences)),
    preModifiers: new Finder(preModifierGroups.flatMap(({ preModifiers }) => preModifiers)),
  };
  indexes.set(document, index);
  return index;
}

function withSubgroups(group: ResolvedMenuGroup): ResolvedMenuGroup[] {
  return [group, ...group.menuGroups.flatMap(withSubgroups)];
}

export function modifierGroupsOf(
  document: MenusDocument,
  references: readonly number[],
): ModifierGroup[] {
  return references.flatMap((one) => document.modifierGroupReferences[one] ?? []);
}

export function optionsOf(document: MenusDocument, group: ModifierGroup): ModifierOption[] {
  return group.modifierOptionReferences.flatMap(
    (one) => document.modifierOptionReferences[one] ?? [],
  );
}

export function preModifiersOf(
  document: MenusDocument,
  { preModifierGroupReference: reference }: ModifierGroup,
): readonly ResolvedPreModifier[] {
  return reference === null
    ? []
    : (document.preModifierGroupReferences[reference]?.preModifiers ?? []);
}
