import type {
  PricingRules,
  ResolvedMenuItem,
  StoredFields,
  TimePrice,
  TimeSpecificPrice,
} from '@servery/contract';
import { schedulesOf } from './schedules.ts';
import type { Published, PublishedObjects } from './source.ts';

export type EnteredPricing = NonNullable<StoredFields<'menuItems' | 'menuGroups'>['pricing']>;

/** What an item costs in one menu and one group. */
export interface ResolvedPrice
  extends Pick<ResolvedMenuItem, 'price' | 'pricingStrategy' | 'pricingRules'> {
  readonly isPriced: boolean;
  /** For `SIZE_PRICE`: the group whose options are the sizes. */
  readonly sizeGroup: Published<'menuOptionGroups'> | null;
}

/** MENU-12. */
const UNPRICED: ResolvedPrice = {
  ...{ price: null, pricingStrategy: 'BASE_PRICE', pricingRules: null },
  ...{ isPriced: false, sizeGroup: null },
};

/**
 * MENU-11: an item's own pricing, else that of the nearest group upward that has one.
 * `groupPricing` is null if there is none, as for the item behind an option.
 */
export function resolvePrice(
  own: EnteredPricing | null,
  groupPricing: EnteredPricing | null,
  menuGuid: string,
  objects: PublishedObjects,
): ResolvedPrice {
  const isOfGroup = own === null || own.strategy === 'GROUP_PRICE';
  const entered = isOfGroup ? groupPricing : own;
  const pricing =
    entered?.strategy === 'PRICE_LEVEL'
      ? objects.priceGroups.get(entered.priceGroup ?? '')?.fields.pricing
      : entered;
  if (!pricing) return UNPRICED;
  const { strategy, price, menuPrices, timePrices } = pricing;
  const sizeGroup = objects.menuOptionGroups.get(pricing.sizeGroup ?? '') ?? null;
  const priced = { pricingRules: null, isPriced: true, sizeGroup: null };
  switch (strategy) {
    case 'BASE_PRICE':
      return price === null ? UNPRICED : { ...priced, price, pricingStrategy: strategy };
    case 'MENU_SPECIFIC_PRICE': {
      const found = menuPrices.find(({ menu }) => menu === menuGuid)?.price ?? price;
      return found === null ? UNPRICED : { ...priced, price: found, pricingStrategy: strategy };
    }
    case 'TIME_SPECIFIC_PRICE': {
      if (price === null) return UNPRICED;
      const timeSpecificPricingRules = timeRules(price, timePrices);
      const pricingRules = rulesOf({ timeSpecificPricingRules });
      return { ...priced, price, pricingStrategy: strategy, pricingRules };
    }
    case 'SIZE_PRICE': {
      if (!sizeGroup) return UNPRICED;
      const pricingRules = rulesOf({ sizeSpecificPricingGuid: sizeGroup.guid });
      return { ...priced, price: null, pricingStrategy: strategy, pricingRules, sizeGroup };
    }
    case 'OPEN_PRICE':
      return { ...priced, price: null, pricingStrategy: strategy };
    default:
      return UNPRICED;
  }
}

export function rulesOf(rules: Partial<PricingRules>): PricingRules {
  return {
    timeSpecificPricingRules: [],
    sizeSpecificPricingGuid: null,
    sizeSequencePricingRules: [],
    ...rules,
  };
}

function timeRules(basePrice: number, prices: readonly TimePrice[]): TimeSpecificPrice[] {
  return [...Map.groupBy(prices, ({ price }) => price)].map(([timeSpecificPrice, hours]) => ({
    timeSpecificPrice,
    basePrice,
    schedule: schedulesOf(hours),
  }));
}
