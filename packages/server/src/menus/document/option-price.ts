import type {
  ModifierGroup,
  ModifierOption,
  SizeSequencePricingRule,
  StoredFields,
} from '@servery/contract';
import { resolvePrice, rulesOf } from './price.ts';
import { named, type Published, type PublishedObjects } from './source.ts';

type OptionGroup = Published<'menuOptionGroups'>;
type GroupFields = StoredFields<'menuOptionGroups'>;

/** Where an option or a group hangs, as far as prices depend on it. */
interface Place {
  readonly menuGuid: string;
  /** The sizes of the item, or of the nearest option on the way that has its own. */
  readonly sizes: OptionGroup | null;
}

export interface OptionPrice
  extends Pick<ModifierOption, 'price' | 'pricingStrategy' | 'pricingRules'> {
  /** The group that the guest chooses the option's own size from. */
  readonly sizeGroup: OptionGroup | null;
}

/** MENU-13. `override` is the price that the group gives to the option. */
export function optionPrice(
  { pricingMode, groupPricing, sizeBehavior }: GroupFields,
  item: Published<'menuItems'>,
  override: number | null,
  { menuGuid, sizes }: Place,
  objects: PublishedObjects,
): OptionPrice {
  const rest = { pricingRules: null, sizeGroup: null };
  if (pricingMode === 'NO_CHARGE') return { ...rest, price: 0, pricingStrategy: 'GROUP_PRICE' };
  if (pricingMode === 'GROUP' && groupPricing) {
    const price = groupPricing.strategy === 'FIXED_PRICE' ? groupPricing.price : null;
    return { ...rest, price, pricingStrategy: 'GROUP_PRICE' };
  }
  if (override !== null) return { ...rest, price: override, pricingStrategy: 'BASE_PRICE' };
  const { isPriced, ...own } = resolvePrice(item.fields.pricing, null, menuGuid, objects);
  // An option that nobody priced is free (MENU-12).
  if (!isPriced) return { ...rest, price: 0, pricingStrategy: 'BASE_PRICE' };
  if (!own.sizeGroup || !sizes || sizeBehavior === 'OWN_SIZE') return own;
  const prices = sizePrices(own.sizeGroup, menuGuid, objects);
  const pricingRules = rulesOf({
    sizeSpecificPricingGuid: sizes.guid,
    sizeSequencePricingRules: rulesBySize(sizes, prices, objects),
  });
  return { ...own, pricingRules, sizeGroup: null };
}

/** How a group prices its options, where they don't say it themselves (MENU-15). */
export function groupPrice(
  { pricingMode, groupPricing }: GroupFields,
  { sizes }: Place,
  objects: PublishedObjects,
): Pick<ModifierGroup, 'pricingStrategy' | 'pricingRules'> {
  if (pricingMode !== 'GROUP' || !groupPricing || groupPricing.strategy === 'FIXED_PRICE') {
    return { pricingStrategy: 'NONE', pricingRules: null };
  }
  const { strategy: pricingStrategy } = groupPricing;
  if (pricingStrategy === 'SEQUENCE_PRICE') {
    const sequencePrices = sequenceOf(groupPricing.sequencePrices);
    const rule = { sizeName: null, sizeGuid: null, sequencePrices };
    return { pricingStrategy, pricingRules: rulesOf({ sizeSequencePricingRules: [rule] }) };
  }
  const prices = groupPricing.sizePrices.map(({ sizeName, prices }): [string, number[]] => [
    sizeName,
    pricingStrategy === 'SIZE_PRICE' ? prices.slice(0, 1) : prices,
  ]);
  const pricingRules = rulesOf({
    sizeSpecificPricingGuid: sizes?.guid ?? null,
    sizeSequencePricingRules: rulesBySize(sizes, new Map(prices), objects),
  });
  return { pricingStrategy, pricingRules };
}

/** What an option of a group without charge would cost, as far as one number says it. */
export function priceIfCharged(
  item: Published<'menuItems'>,
  override: number | null,
  objects: PublishedObjects,
): number {
  return override ?? resolvePrice(item.fields.pricing, null, '', objects).price ?? 0;
}

/** The prices of the sizes of a size group by their names. */
function sizePrices(
  { fields }: OptionGroup,
  menuGuid: string,
  objects: PublishedObjects,
): Map<string, number[]> {
  const overrides = new Map(fields.optionSettings.map(({ item, price }) => [item, price]));
  return new Map(
    named(objects.menuItems, fields.options).map((item) => {
      const override = overrides.get(item.guid) ?? null;
      const { price } = resolvePrice(item.fields.pricing, null, menuGuid, objects);
      return [item.fields.name, [override ?? price ?? 0]];
    }),
  );
}

/** One rule for each size of the item that there are prices for, matched by its exact name. */
function rulesBySize(
  sizes: OptionGroup | null,
  prices: ReadonlyMap<string, readonly number[]>,
  { menuItems }: PublishedObjects,
): SizeSequencePricingRule[] {
  return named(menuItems, sizes?.fields.options ?? []).flatMap(({ guid, fields }) => {
    const ofSize = prices.get(fields.name);
    if (!ofSize) return [];
    return { sizeName: fields.name, sizeGuid: guid, sequencePrices: sequenceOf(ofSize) };
  });
}

function sequenceOf(prices: readonly number[]) {
  return prices.map((price, index) => ({ sequence: index + 1, price }));
}
