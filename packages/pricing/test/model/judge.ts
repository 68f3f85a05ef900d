import type {
  CheckRequest,
  Discount,
  DiscountRequest,
  FaultReason,
  OrderRequest,
  PricingContext,
  SelectionRequest,
} from '../../src/index.ts';
import { type ModelCheck, type ModelCheckRequest, modelCheck } from './check.ts';
import { minor } from './exact.ts';
import { type Meet, type ModelSelection, modelSelection, Refusal } from './selection.ts';
import { holds, localTime } from './time.ts';

/** What the model says of a new order. Throws a Refusal. */
export function modelOrder(order: OrderRequest, context: PricingContext, meet: Meet): ModelCheck[] {
  if (order.checks.length > 1) meet('order: several checks');
  meet(`currency: ${context.settings.currencyExponent as 0 | 2 | 3} decimals`);
  const reasons: FaultReason[] = [];
  const checks = order.checks.map((request) => {
    const check = orRefused(reasons, () => modelRequest(request, order, context, meet));
    if (!check) return null;
    orRefused(reasons, () => judge(check, order, context, meet));
    return orRefused(reasons, () => modelCheck(check, context, meet));
  });
  if (reasons.length > 0) throw new Refusal(...reasons);
  return checks.filter((check) => check !== null);
}

/** Goes on after a refusal, to find all reasons. */
function orRefused<T>(reasons: FaultReason[], model: () => T): T | null {
  try {
    return model();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    reasons.push(...refusal.reasons);
    return null;
  }
}

/** A check with its selections as the menu prices them. */
export function modelRequest(
  request: CheckRequest,
  { diningOption }: OrderRequest,
  context: PricingContext,
  meet: Meet,
): ModelCheckRequest {
  const reasons: FaultReason[] = [];
  const selection = (one: SelectionRequest, index: number): ModelSelection | null =>
    orRefused(reasons, () => modelSelection(one, index, diningOption, context, meet));
  const selections = request.selections.map(selection).filter((one) => one !== null);
  if (reasons.length > 0) throw new Refusal(...reasons);
  return {
    selections,
    appliedDiscounts: request.appliedDiscounts ?? [],
    appliedServiceCharges: request.appliedServiceCharges ?? [],
    taxExempt: request.taxExempt ?? false,
  };
}

/** ORD-22, ORD-31, ORD-35: whether the discounts may be used. */
function judge(
  check: ModelCheckRequest,
  { diningOption }: OrderRequest,
  context: PricingContext,
  meet: Meet,
): void {
  const reasons: FaultReason[] = [];
  const find = ({ discount }: DiscountRequest): Discount => {
    const found = context.configuration.discounts.find(({ guid }) => guid === discount.guid);
    if (!found) throw new Refusal('UNKNOWN_DISCOUNT');
    return found;
  };
  // The sum that the response shows: what a BOGO splits is rounded for each part.
  const isBogo = (request: DiscountRequest) => find(request).type === 'BOGO';
  const split = {
    ...check,
    appliedDiscounts: check.appliedDiscounts.filter(isBogo),
    appliedServiceCharges: [],
  };
  const worth = orRefused([], () => modelCheck(split, context, () => undefined))?.preDiscount ?? 0n;
  const now = localTime(context.instant, context.menus.restaurantTimeZone);
  const judgeCommon = (discount: Discount, request: DiscountRequest) => {
    if (discount.type === 'OPEN_FIXED' && !((request.discountAmount ?? 0) > 0)) {
      reasons.push('DISCOUNT_WITHOUT_AMOUNT');
    }
    const { rule } = discount;
    if (!rule) return;
    meet('discount: with a rule');
    const { currencyExponent } = context.settings;
    const { minCheckAmount, maxCheckAmount, startDate, endDate, days, times } = rule;
    const isMet =
      (minCheckAmount === null || worth > minor(minCheckAmount, currencyExponent)) &&
      (maxCheckAmount === null || worth < minor(maxCheckAmount, currencyExponent)) &&
      (rule.diningOptions.length === 0 || rule.diningOptions.includes(diningOption.guid ?? '')) &&
      (startDate === null || startDate <= now.date) &&
      (endDate === null || now.date <= endDate) &&
      (times.length === 0 || times.some((range) => holds(range, days, now))) &&
      (times.length > 0 || days.length === 0 || days.includes(now.day));
    if (!isMet) reasons.push('DISCOUNT_RULE_NOT_MET');
  };
  for (const selection of check.selections) {
    for (const request of selection.appliedDiscounts) {
      const discount = find(request);
      const isRight = discount.selectionType === 'ITEM' && isPriced(discount, false);
      if (!isRight) reasons.push('DISCOUNT_NOT_APPLICABLE');
      judgeCommon(discount, request);
      const { items = [], groups = [] } = discount.rule ?? {};
      const isFor =
        (items.length === 0 && groups.length === 0) || isAmong(selection, items, groups);
      if (!isFor) reasons.push('DISCOUNT_RULE_NOT_MET');
    }
  }
  const onCheck = check.appliedDiscounts.map((request) => {
    const discount = find(request);
    const isRight = discount.selectionType !== 'ITEM' && isPriced(discount, true);
    if (!isRight) reasons.push('DISCOUNT_NOT_APPLICABLE');
    judgeCommon(discount, request);
    const { requiredItems = [], requiredGroups = [] } = discount.rule ?? {};
    const isThere =
      (requiredItems.length === 0 && requiredGroups.length === 0) ||
      check.selections.some((one) => isAmong(one, requiredItems, requiredGroups));
    if (!isThere) reasons.push('DISCOUNT_RULE_NOT_MET');
    return discount;
  });
  const exclusive = onCheck.filter(({ nonExclusive }) => !nonExclusive);
  const isAlone =
    !check.selections.some((one) => one.appliedDiscounts.length > 0) &&
    !onCheck.some(({ type }) => type === 'BOGO');
  const isExclusiveOnCheck = exclusive.some(({ type }) => type !== 'BOGO');
  if (exclusive.length > 1 || (isExclusiveOnCheck && !isAlone)) {
    reasons.push('DISCOUNT_EXCLUSIVE');
  }
  if (reasons.length > 0) throw new Refusal(...reasons);
  if (exclusive.length > 0) meet('discount: exclusive');
}

/** Of the kinds that orders can have. */
function isPriced({ type }: Discount, isOnCheck: boolean): boolean {
  return (
    type === 'PERCENT' ||
    type === 'FIXED' ||
    type === 'OPEN_FIXED' ||
    (type === 'BOGO' && isOnCheck)
  );
}

function isAmong(
  { itemGuid, groupGuids }: ModelSelection,
  items: readonly string[],
  groups: readonly string[],
): boolean {
  return items.includes(itemGuid ?? '') || groupGuids.some((guid) => groups.includes(guid));
}
