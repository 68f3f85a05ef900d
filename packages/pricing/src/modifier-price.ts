import { decimal } from './fraction.ts';
import { type ChosenSizes, type Circumstances, ownPrice } from './item-price.ts';
import { scale, toMinor } from './round.ts';
import type { FaultReason, ModifierGroup, ModifierOption, PreModifier } from './types.ts';

/** Whether the price of each option depends on how many of the group came before. */
export function isSequencePriced({ pricingStrategy }: ModifierGroup): boolean {
  return pricingStrategy === 'SEQUENCE_PRICE' || pricingStrategy === 'SIZE_SEQUENCE_PRICE';
}

/** The price of one portion of a modifier by its group (ORD-27). Places count from 1. */
export function portionPrice(
  { group, option }: { readonly group: ModifierGroup; readonly option: ModifierOption },
  place: number,
  openPriceAmount: number | null | undefined,
  sizes: ChosenSizes,
  circumstances: Circumstances,
): bigint | FaultReason {
  const isPricedByGroup = option.pricingStrategy === 'GROUP_PRICE' && option.price === null;
  if (!isPricedByGroup) {
    const price = ownPrice(option, openPriceAmount, sizes, circumstances);
    // A modifier that nobody priced is free (MENU-12).
    return price === 'UNPRICED' ? 0n : price;
  }
  const { sizeSpecificPricingGuid = null, sizeSequencePricingRules = [] } =
    group.pricingRules ?? {};
  const size = sizes.find(({ groupGuid }) => groupGuid === sizeSpecificPricingGuid)?.option;
  const rule = sizeSequencePricingRules.find(
    ({ sizeGuid }) => sizeGuid === null || sizeGuid === size?.guid,
  );
  const last = rule?.sequencePrices.findLast(({ sequence }) => sequence <= place);
  return last ? toMinor(last.price, circumstances.currencyExponent) : 'SIZE_MISSING';
}

/** Whether a pre-modifier takes the modifier away, as `NO` does. */
export function takesAway(preModifier: PreModifier | null): boolean {
  return preModifier?.multiplicationFactor === 0 && preModifier.chargeAsExtra !== true;
}

/** ORD-28. `extra` is the price of one more portion, asked for only if that is charged. */
export function applyPreModifier(
  price: bigint,
  { chargeAsExtra, multiplicationFactor, fixedPrice }: PreModifier,
  extra: () => bigint,
  currencyExponent: number,
): bigint {
  if (chargeAsExtra) return price + extra();
  if (multiplicationFactor !== null) return scale(price, decimal(multiplicationFactor));
  return price + toMinor(fixedPrice ?? 0, currencyExponent);
}
