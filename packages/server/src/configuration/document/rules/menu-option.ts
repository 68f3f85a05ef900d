import type { GroupPricing, PreModifier, PreModifierGroup, StoredFields } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';
import { isMultiSelectOf, mostSelectionsOf, requiredModeOf } from '../option-group.ts';
import type { Money } from './amount.ts';
import { checkParts } from './pricing.ts';

type OptionGroup = StoredFields<'menuOptionGroups'>;

export function checkMenuOptionGroup(group: OptionGroup, place: Place, money: Money): void {
  checkSelections(group, place);
  checkGroupPricing(group, place, money);
  checkSettings(group, place.at('optionSettings'), money);
  const { defaultOptionsChargePrice, defaultOptionsSubstitutionPricing } = group;
  if (defaultOptionsSubstitutionPricing === 'YES' && defaultOptionsChargePrice === 'YES') {
    const message = 'must be "NO" when defaultOptionsChargePrice is "YES"';
    place.fault(message, 'defaultOptionsSubstitutionPricing');
  }
}

function checkSelections(group: OptionGroup, place: Place): void {
  const { minSelections, maxSelections } = group;
  if (maxSelections !== null && maxSelections < minSelections) {
    place.fault(`must not be less than minSelections, which is ${minSelections}`, 'maxSelections');
  }
  if (requiredModeOf(group) === 'REQUIRED' && maxSelections === 0) {
    place.fault('must be at least 1, because a choice is required', 'maxSelections');
  }
  if (!isMultiSelectOf(group) && maxSelections !== null && maxSelections > 1) {
    place.fault(`must be true when maxSelections is ${maxSelections}`, 'isMultiSelect');
  }
}

const groupParts = ['price', 'sequencePrices', 'sizePrices'] as const;
const neededParts: Readonly<
  Record<GroupPricing['strategy'], readonly (typeof groupParts)[number][]>
> = {
  FIXED_PRICE: ['price'],
  SEQUENCE_PRICE: ['sequencePrices'],
  SIZE_PRICE: ['sizePrices'],
  SIZE_SEQUENCE_PRICE: ['sizePrices'],
};

/** Modifiers can cost less than nothing: leaving something out can make an item cheaper. */
function checkGroupPricing(group: OptionGroup, place: Place, money: Money): void {
  const { pricingMode, groupPricing: pricing } = group;
  if ((pricingMode === 'GROUP') !== (pricing !== null)) {
    const message = pricing
      ? `must be null or absent when pricingMode is ${pricingMode}`
      : 'is missing; the pricingMode GROUP needs it';
    place.fault(message, 'groupPricing');
  }
  if (pricing === null) return;
  const here = place.at('groupPricing');
  checkParts(pricing, groupParts, neededParts[pricing.strategy], here);
  money.checkDecimals(pricing.price, here, 'price');
  pricing.sequencePrices.forEach((price, index) => {
    money.checkDecimals(price, here, 'sequencePrices', index);
  });
  const names = new Set<string>();
  pricing.sizePrices.forEach(({ sizeName, prices }, index) => {
    const size = here.at('sizePrices', index);
    if (names.has(sizeName)) size.fault('is in this list already; keep one', 'sizeName');
    names.add(sizeName);
    if (pricing.strategy === 'SIZE_PRICE' && prices.length !== 1) {
      size.fault('must be one price for the strategy SIZE_PRICE', 'prices');
    }
    prices.forEach((price, nth) => {
      money.checkDecimals(price, size, 'prices', nth);
    });
  });
}

function checkSettings(group: OptionGroup, place: Place, money: Money): void {
  const options = new Set(group.options);
  const seen = new Set<string>();
  group.optionSettings.forEach(({ item, price, allowsDuplicates }, index) => {
    money.checkDecimals(price, place, index, 'price');
    if (!options.has(item)) place.fault('is not one of the options of the group', index, 'item');
    if (seen.has(item)) place.fault('is in this list already; keep one', index, 'item');
    seen.add(item);
    if (allowsDuplicates && !isMultiSelectOf(group)) {
      const message = 'must be false, because only one option can be chosen';
      place.fault(message, index, 'allowsDuplicates');
    }
  });
  const defaults = group.optionSettings.filter(({ isDefault }) => isDefault).length;
  const most = mostSelectionsOf(group);
  if (defaults > most) {
    place.fault(`has ${defaults} default options, but at most ${most} can be chosen`);
  }
}

export function checkPreModifier(preModifier: PreModifier, place: Place): void {
  if (preModifier.scalePrice && preModifier.scaleFactor === null) {
    place.fault('is missing; it is needed when scalePrice is true', 'scaleFactor');
  }
  if (!preModifier.scalePrice && preModifier.basePrice === null) {
    place.fault('is missing; it is needed when scalePrice is false', 'basePrice');
  }
  if (preModifier.scaleFactor !== null && preModifier.scaleFactor < 0) {
    place.fault('must not be negative', 'scaleFactor');
  }
}

export function checkDefaultPreModifierGroup(
  groups: readonly { readonly fields: PreModifierGroup; readonly place: Place }[],
): void {
  let chosen: string | null = null;
  for (const { fields: group, place } of groups) {
    if (!group.isDefault) continue;
    if (chosen !== null) {
      const message = `only one group can be the default, and ${JSON.stringify(chosen)} is it`;
      place.fault(message, 'isDefault');
    }
    chosen ??= group.name;
  }
}
