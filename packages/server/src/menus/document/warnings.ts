import type { ConfigurationWarning, ModifierGroup } from '@servery/contract';
import { itemsOf } from './compare.ts';
import type { Cut } from './modifiers.ts';
import type { ResolvedMenus } from './resolve.ts';

type Warned = ConfigurationWarning & { readonly guid: string };

const PARTNERS = 'ORDERING_PARTNERS';

/** What can be published and may not be intended (MENU-9), each object once. */
export function warningsOf(
  document: ResolvedMenus | null,
  cuts: readonly Cut[],
  nameOf: (collection: 'menuItems' | 'menuOptionGroups', guid: string) => string | null,
): ConfigurationWarning[] {
  const all = [
    ...unpriced(document),
    ...hiddenChoices(document),
    ...cuts.map(({ optionGroup, item }) => ({
      ...placeOf('menuOptionGroups', optionGroup, nameOf('menuOptionGroups', optionGroup)),
      message:
        `has ${shown(nameOf('menuItems', item))}, which leads back to itself, so partners see ` +
        'no modifiers of it there; remove one of the two links',
    })),
  ];
  return [...new Map(all.map((each) => [`${each.guid} ${each.message}`, each])).values()];
}

function unpriced(document: ResolvedMenus | null): Warned[] {
  const found = itemsOf(document).filter(
    ({ item }) => item.price === null && item.pricingStrategy === 'BASE_PRICE',
  );
  return found.map(({ menu, group, item }) => ({
    ...placeOf('menuItems', item.guid, item.name),
    field: 'pricing',
    message:
      `has no price in the group ${shown(group.name)} of the menu ${shown(menu.name)}, so nobody ` +
      'can order it; set a price on the item or the group',
  }));
}

/** Groups that partners must choose from, of items or options, and see too few options of. */
function hiddenChoices(document: ResolvedMenus | null): Warned[] {
  if (!document) return [];
  const items = itemsOf(document).map(({ item }) => item);
  return [...items, ...Object.values(document.modifierOptionReferences)].flatMap((one) => {
    if (!one.visibility.includes(PARTNERS)) return [];
    const groups = one.modifierGroupReferences.flatMap(
      (reference) => document.modifierGroupReferences[reference] ?? [],
    );
    return groups.flatMap((group) => {
      const needed = group.requiredMode === 'REQUIRED' ? Math.max(1, group.minSelections) : 0;
      const seen = optionsSeen(group, document);
      if (seen >= needed) return [];
      return {
        ...placeOf('menuOptionGroups', group.guid, group.name),
        message:
          `requires ${needed} of its options for ${shown(one.name)}, but ordering partners see ` +
          `only ${seen}; show them more, or require fewer`,
      };
    });
  });
}

function optionsSeen(group: ModifierGroup, document: ResolvedMenus): number {
  const options = group.modifierOptionReferences.flatMap(
    (reference) => document.modifierOptionReferences[reference] ?? [],
  );
  const visible = options.filter(({ visibility }) => visibility.includes(PARTNERS));
  return visible.some(({ allowsDuplicates }) => allowsDuplicates)
    ? Number.POSITIVE_INFINITY
    : visible.length;
}

function placeOf(collection: string, guid: string, name: string | null) {
  return { collection, guid, name, field: '' };
}

const shown = (name: string | null) => JSON.stringify(name ?? '');
