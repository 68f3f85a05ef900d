import type { MenuSupplement } from '@servery/pricing';
import { priceIfCharged } from './option-price.ts';
import { byGuid, named, type PublishedObjects } from './source.ts';

/** What prices of orders depend on and the document doesn't tell. */
export function supplementOf(objects: PublishedObjects): MenuSupplement {
  const { menuItems, menuOptionGroups } = objects;
  const groups = [...menuOptionGroups.values()].sort(byGuid);
  const free = groups.filter(({ fields }) => fields.pricingMode === 'NO_CHARGE');
  const noChargePrices = free.flatMap(({ guid, fields }) => {
    const overrides = new Map(fields.optionSettings.map(({ item, price }) => [item, price]));
    return named(menuItems, fields.options).map((item) => {
      const price = priceIfCharged(item, overrides.get(item.guid) ?? null, objects);
      return { optionGroup: guid, item: item.guid, price };
    });
  });
  const options = new Set(groups.flatMap(({ fields }) => fields.options));
  const unique = [...menuItems.values()].filter(
    ({ guid, fields }) => fields.modifierTaxBehavior === 'UNIQUE' && options.has(guid),
  );
  return {
    noChargePrices: noChargePrices.filter(({ price }) => price !== 0),
    uniquelyTaxedItems: unique.sort(byGuid).map(({ guid }) => guid),
  };
}
