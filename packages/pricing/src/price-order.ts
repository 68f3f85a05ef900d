import { findReferenced } from './find-in-menu.ts';
import { joinSplits } from './join-splits.ts';
import { judgeDiscounts } from './judge-discounts.ts';
import { localTime } from './local-time.ts';
import { priceCheck } from './price-check.ts';
import { resolveSelection, resultOf } from './resolve-selection.ts';
import type {
  CheckRequest,
  OrderRequest,
  PricedCheck,
  PricedOrder,
  PriceFault,
  PricingContext,
  Reference,
  ResolvedCheck,
  Result,
} from './types.ts';

/** Prices a new order. Either all of it is priced, or all faults are told. */
export function priceOrder(order: OrderRequest, context: PricingContext): Result<PricedOrder> {
  const faults: PriceFault[] = [];
  const checks: PricedCheck[] = [];
  order.checks.forEach((request, index) => {
    const result = priceNewCheck(request, order.diningOption, `checks[${index}]`, context);
    if (result.faults) faults.push(...result.faults);
    else checks.push(result.priced);
  });
  return resultOf({ checks }, faults);
}

function priceNewCheck(
  request: CheckRequest,
  diningOption: Reference,
  place: string,
  context: PricingContext,
): Result<PricedCheck> {
  const resolution = resolveCheck(request, diningOption, place, context);
  if (resolution.faults) return resolution;
  const check = resolution.priced;
  const result = priceCheck(check, place, context);
  if (result.faults) return result;
  const { configuration, menus, settings, instant } = context;
  const faults = judgeDiscounts(check, place, {
    discounts: configuration.discounts,
    diningOptionGuid: findReferenced(configuration.diningOptions, diningOption)?.guid,
    preDiscountMinor: result.priced.preDiscountMinor,
    now: localTime(instant, menus.restaurantTimeZone),
    currencyExponent: settings.currencyExponent,
  });
  return faults.length > 0 ? resultOf(result.priced, faults) : result;
}

/** Reads from the menu what a check's selections cost, and undoes what an echoed BOGO did. */
export function resolveCheck(
  request: CheckRequest,
  diningOption: Reference,
  place: string,
  context: PricingContext,
): Result<ResolvedCheck> {
  const faults: PriceFault[] = [];
  const joined = joinSplits(request, context.configuration.discounts, context.menus);
  const selections = joined.selections.flatMap(({ requestIndex, request: selection }) => {
    const where = `${place}.selections[${requestIndex}]`;
    const result = resolveSelection(selection, diningOption, where, context);
    if (result.faults) faults.push(...result.faults);
    if (result.faults) return [];
    const { appliedDiscounts = [] } = selection;
    return [{ requestIndex, resolved: result.priced, appliedDiscounts }];
  });
  const check: ResolvedCheck = {
    selections,
    appliedDiscounts: joined.appliedDiscounts,
    appliedServiceCharges: request.appliedServiceCharges ?? [],
    taxExempt: request.taxExempt ?? false,
  };
  return resultOf(check, faults);
}
