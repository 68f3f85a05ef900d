import {
  type FaultReason,
  minorUnitDecimals,
  type OrderRequest,
  type PricedOrder,
  type PricingContext,
  priceOrder,
  type SelectionRequest,
} from '@servery/pricing';
import type { FaultPath, Faults } from '../../http/faults.ts';
import { pathOf } from '../order-faults.ts';
import { refuseOutsideLimits } from '../read-order/read-charges.ts';
import type { ReadCheck, ReadOrder } from '../read-order/read-order.ts';
import type { ReadSelection } from '../read-order/read-selection.ts';
import type { ReadingContext } from '../read-order/reading.ts';

export type PercentTaxBasis = PricingContext['settings']['percentTaxBasis'];

const pricedFields = ['selections', 'appliedDiscounts', 'appliedServiceCharges', 'taxExempt'];

/** Prices the checks that have no faults yet, and notes the faults of the prices. */
export function priceRead(
  order: ReadOrder,
  context: ReadingContext,
  percentTaxBasis: PercentTaxBasis,
): PricedOrder | null {
  const { diningOption, checks } = order;
  const { menus, faults, restaurant } = context;
  if (!diningOption) return null;
  const isSound = ({ part }: ReadCheck) => pricedFields.every((name) => part.isSound(name));
  const pricing = pricingContextOf(context, percentTaxBasis);
  const request: OrderRequest = {
    diningOption: { guid: diningOption.guid },
    // A place in the order stays a place in the order.
    checks: checks.map((check) => (isSound(check) ? checkForPricing(check) : { selections: [] })),
  };
  if (!menus && request.checks.some(({ selections }) => selections.length > 0)) return null;
  const { priced, faults: found } = priceOrder(request, pricing);
  for (const { place, reason } of found ?? [])
    notePriceFault(faults, [...context.path, ...pathOf(place)], reason);
  priced?.checks.forEach(({ preDiscountMinor }, index) => {
    for (const charge of checks[index]?.appliedServiceCharges ?? []) {
      refuseOutsideLimits(charge, preDiscountMinor, restaurant.currencyCode);
    }
  });
  return priced;
}

export function pricingContextOf(
  { menus, configuration, restaurant, nowMs }: ReadingContext,
  percentTaxBasis: PercentTaxBasis,
): PricingContext {
  return {
    menus: menus?.document ?? noMenus(restaurant.timeZone),
    supplement: menus?.supplement ?? { noChargePrices: [], uniquelyTaxedItems: [] },
    configuration: configuration.pricing,
    settings: { currencyExponent: minorUnitDecimals(restaurant.currencyCode), percentTaxBasis },
    instant: nowMs,
  };
}

/** ORD-42: a discount that became inactive since it was agreed is only not given anew. */
export function agreedPricingContextOf(
  context: ReadingContext,
  percentTaxBasis: PercentTaxBasis,
): PricingContext {
  const pricing = pricingContextOf(context, percentTaxBasis);
  const discounts = [...context.configuration.discounts.values()];
  return { ...pricing, configuration: { ...pricing.configuration, discounts } };
}

/** A check without items can still be opened. */
const noMenus = (restaurantTimeZone: string): PricingContext['menus'] => ({
  restaurantTimeZone,
  menus: [],
  modifierGroupReferences: {},
  modifierOptionReferences: {},
  preModifierGroupReferences: {},
});

export function checkForPricing(check: ReadCheck): OrderRequest['checks'][number] {
  return {
    selections: check.selections.map(selectionForPricing),
    appliedDiscounts: check.appliedDiscounts,
    appliedServiceCharges: check.appliedServiceCharges,
    taxExempt: check.taxExempt,
  };
}

export function selectionForPricing(selection: ReadSelection): SelectionRequest {
  const { entry, portion, itemGroup, optionGroup, preModifier, diningOption } = selection;
  const guid = entry?.guid ?? portion?.guid;
  const named = (object: { readonly guid: string } | null) => object && { guid: object.guid };
  return {
    item: guid === undefined ? null : { guid },
    itemGroup: named(itemGroup),
    optionGroup: named(optionGroup),
    preModifier: named(preModifier),
    quantity: selection.quantity,
    selectionType: selection.selectionType,
    diningOption: named(diningOption),
    openPriceAmount: selection.openPriceAmount,
    appliedDiscounts: selection.appliedDiscounts,
    splitOrigin: selection.splitOrigin,
    modifiers: selection.modifiers.map(selectionForPricing),
  };
}

const texts: Readonly<Record<FaultReason, string>> = {
  NOT_IN_MENU: 'is not in the published menus: read the menus again',
  UNPRICED: 'has an item without a price: the restaurant must price it first',
  SIZE_MISSING: 'needs a size: send an option of the size group',
  BELOW_ZERO: 'costs less than zero before discounts: choose other modifiers',
  TOO_LARGE: 'is too expensive to price: order less',
  UNKNOWN_DINING_OPTION: 'is not a published dining option of this restaurant: send one that is',
  UNKNOWN_TAX_RATE: 'has a tax rate that is not published: ask the restaurant to correct its menus',
  TABLE_TAX_INCLUDED:
    'has a price that includes a tax from a tax table: ask the restaurant to correct its menus',
  UNKNOWN_DISCOUNT:
    'is not an active discount of this restaurant: applicableDiscounts lists those that you can add',
  DISCOUNT_NOT_APPLICABLE: 'is a kind of discount that cannot be used here: leave it out',
  DISCOUNT_WITHOUT_AMOUNT: 'needs a discountAmount above zero: send one',
  DISCOUNT_RULE_NOT_MET: 'cannot be used because the rule of the discount is not met: leave it out',
  DISCOUNT_EXCLUSIVE: 'cannot be combined with the other discounts of the check: leave it out',
  BOGO_WITHOUT_BUY_ITEMS:
    'cannot be used because nothing that it requires was ordered: leave it out',
  BOGO_WITHOUT_GET_ITEMS:
    'cannot be used because nothing that it discounts was ordered: leave it out',
  UNKNOWN_SERVICE_CHARGE: 'is not a published service charge of this restaurant: send one that is',
  CHARGE_WITHOUT_AMOUNT: 'needs a chargeAmount: send one',
};

const notThere: readonly FaultReason[] = [
  'UNKNOWN_DINING_OPTION',
  'UNKNOWN_DISCOUNT',
  'UNKNOWN_SERVICE_CHARGE',
];

export const priceFaultText = (reason: FaultReason) => texts[reason];

export function notePriceFault(faults: Faults, path: FaultPath, reason: FaultReason): void {
  if (notThere.includes(reason)) faults.addOfClass('notFound', path, texts[reason]);
  else faults.add(path, texts[reason]);
}
