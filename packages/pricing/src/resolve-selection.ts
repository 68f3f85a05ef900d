import { findItem, findReferenced } from './find-in-menu.ts';
import { type Circumstances, ownPrice } from './item-price.ts';
import { localTime } from './local-time.ts';
import { chosenSize, resolveModifiers } from './resolve-modifiers.ts';
import { taxLinesOf } from './tax-lines.ts';
import type {
  FaultReason,
  PriceFault,
  PricingContext,
  Reference,
  ResolvedModifier,
  ResolvedSelection,
  Result,
  SelectionRequest,
} from './types.ts';

/**
 * Reads everything that the menu says about the price of a top-level selection. The dining option
 * is that of the order; a selection's own comes first. The place is for faults.
 */
export function resolveSelection(
  request: SelectionRequest,
  diningOption: Reference,
  place: string,
  { menus, supplement, configuration, settings, instant }: PricingContext,
): Result<ResolvedSelection> {
  const faults: PriceFault[] = [];
  const fault = (where: string, reason: FaultReason) => faults.push({ place: where, reason });
  const eaten = findReferenced(configuration.diningOptions, request.diningOption ?? diningOption);
  if (!eaten) fault(`${place}.diningOption`, 'UNKNOWN_DINING_OPTION');
  const quantity = request.quantity ?? 1;
  const isTakeOut = eaten?.behavior === 'TAKE_OUT' && !eaten.curbside;
  const specialRequest = { ...nothing, quantity, isTakeOut };
  if (request.selectionType === 'SPECIAL_REQUEST') return resultOf(specialRequest, faults);

  const found = findItem(menus, request.itemGroup, request.item);
  if (!found) {
    fault(place, 'NOT_IN_MENU');
    return resultOf(specialRequest, faults);
  }
  const { item, groupGuids } = found;
  const circumstances: Circumstances = {
    menus,
    now: () => localTime(instant, menus.restaurantTimeZone),
    currencyExponent: settings.currencyExponent,
  };
  const requested = request.modifiers ?? [];
  const sizes = chosenSize(item, requested, circumstances);
  const price = ownPrice(item, request.openPriceAmount, sizes, circumstances);
  if (typeof price !== 'bigint') fault(place, price);
  const itemMinor = typeof price === 'bigint' ? Number(price) : 0;
  const selecting = { circumstances, supplement, places: new Map(), fault };
  const modifiers = resolveModifiers(item, requested, sizes, place, selecting);
  const unitMinor = modifiers.reduce((sum, one) => sum + one.unitMinor, itemMinor);
  if (unitMinor < 0) fault(place, 'BELOW_ZERO');
  if (!Number.isSafeInteger(unitMinor) || unitMinor * quantity > Number.MAX_SAFE_INTEGER) {
    fault(place, 'TOO_LARGE');
  }
  const resolved: ResolvedSelection = {
    itemGuid: item.guid,
    groupGuids,
    quantity,
    isMeasured: item.unitOfMeasure !== 'NONE',
    isDiscountable: item.isDiscountable,
    isTaxIncluded: item.taxInclusion === 'TAX_INCLUDED',
    isTakeOut,
    receiptLinePriceMinor: itemMinor,
    unitMinor,
    taxLines: taxLinesOf(itemMinor, item.taxInfo, modifiers),
    modifiers: modifiers.map(pricesOf),
    isVoided: false,
  };
  return resultOf(resolved, faults);
}

export function resultOf<T>(priced: T, faults: readonly PriceFault[]): Result<T> {
  return faults.length > 0 ? { priced: null, faults } : { priced, faults: null };
}

/** A modifier without what only its taxes needed. */
function pricesOf({
  receiptLinePriceMinor,
  unitMinor,
  modifiers,
}: ResolvedModifier): ResolvedModifier {
  return { receiptLinePriceMinor, unitMinor, modifiers: modifiers.map(pricesOf) };
}

const nothing: ResolvedSelection = {
  itemGuid: null,
  groupGuids: [],
  quantity: 1,
  isMeasured: false,
  isDiscountable: false,
  isTaxIncluded: false,
  isTakeOut: false,
  receiptLinePriceMinor: 0,
  unitMinor: 0,
  taxLines: [],
  modifiers: [],
  isVoided: false,
};
