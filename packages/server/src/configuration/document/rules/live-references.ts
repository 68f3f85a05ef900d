import type { Pricing } from '@servery/contract';
import { shown } from '../../../document/shown.ts';
import type { LiveObjects, Placed } from './live-objects.ts';

interface Naming {
  readonly pricing?: Pick<Pricing, 'sizeGroup' | 'priceGroup'> | null;
  readonly taxRates?: readonly string[] | null;
}

/**
 * Other references to archived objects are left out. Without these, prices and taxes would change
 * silently.
 */
export function checkLiveReferences(live: LiveObjects): void {
  const { menus, menuGroups, menuItems, menuOptionGroups, priceGroups, taxRates } = live;
  const naming: Iterable<Placed<Naming>>[] = [menus, menuGroups, menuItems, priceGroups].map(
    (objects) => objects.values(),
  );
  for (const { fields, place } of naming.flatMap((objects) => [...objects])) {
    const { sizeGroup = null, priceGroup = null } = fields.pricing ?? {};
    if (sizeGroup !== null && !menuOptionGroups.has(sizeGroup)) {
      place.fault('is archived; choose another size group', 'pricing', 'sizeGroup');
    }
    if (priceGroup !== null && !priceGroups.has(priceGroup)) {
      place.fault('is archived; choose another price level', 'pricing', 'priceGroup');
    }
    fields.taxRates?.forEach((guid, index) => {
      if (taxRates.has(guid)) return;
      place.fault('is archived; remove it from the list', 'taxRates', index);
    });
  }
  checkSizeGroups(live);
}

/** The items of a size group are the sizes, and their base prices the prices of the sizes. */
function checkSizeGroups({ menuGroups, menuItems, menuOptionGroups, priceGroups }: LiveObjects) {
  const sized: Placed<Naming>[] = [menuGroups, menuItems, priceGroups].flatMap((objects) => [
    ...objects.values(),
  ]);
  for (const { fields, place } of sized) {
    const guid = fields.pricing?.sizeGroup ?? null;
    const group = guid === null ? undefined : menuOptionGroups.get(guid)?.fields;
    if (!group) continue;
    const names = new Set<string>();
    for (const option of group.options) {
      const size = menuItems.get(option)?.fields;
      if (!size) continue;
      const [what, where] = [shown(size.name), ['pricing', 'sizeGroup'] as const];
      if (size.pricing?.strategy !== 'BASE_PRICE') {
        place.fault(`has the size ${what}, whose pricing is not a BASE_PRICE; set it`, ...where);
      }
      if (names.has(size.name)) {
        place.fault(`has two sizes named ${what}; rename or remove one`, ...where);
      }
      names.add(size.name);
    }
  }
}
