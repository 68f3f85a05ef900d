import { isAmong, isBogo, isExcluded, isListed } from './discounts.ts';
import { findReferenced } from './find-in-menu.ts';
import { isWithin, type LocalTime } from './local-time.ts';
import { toMinor } from './round.ts';
import type { Discount, DiscountRule, PriceFault, ResolvedCheck } from './types.ts';

/** What the rules of discounts look at. */
export interface Judging {
  readonly discounts: readonly Discount[];
  readonly diningOptionGuid: string | undefined;
  readonly preDiscountMinor: number;
  readonly now: LocalTime;
  readonly currencyExponent: number;
}

/** Finds the discounts of a check that may not be used (ORD-31, ORD-35). */
export function judgeDiscounts(
  { selections, appliedDiscounts }: ResolvedCheck,
  place: string,
  judging: Judging,
): PriceFault[] {
  const find = (one: { readonly discount: { readonly guid?: string | null } }) =>
    findReferenced(judging.discounts, one.discount);
  const faults: PriceFault[] = [];
  for (const { requestIndex, resolved, appliedDiscounts: own } of selections) {
    own.forEach((one, index) => {
      const rule = find(one)?.rule ?? null;
      if (rule === null) return;
      const isMeant = isAmong(resolved, rule) && !isExcluded(resolved, rule);
      if (isMeant && isInEffect(rule, judging)) return;
      const where = `${place}.selections[${requestIndex}].appliedDiscounts[${index}]`;
      faults.push({ place: where, reason: 'DISCOUNT_RULE_NOT_MET' });
    });
  }
  const hasItemLevel = selections.some((one) => one.appliedDiscounts.length > 0);
  const ofCheck = appliedDiscounts.map(find);
  const exclusive = ofCheck.filter((one) => one && !one.nonExclusive);
  ofCheck.forEach((discount, index) => {
    const where = `${place}.appliedDiscounts[${index}]`;
    const rule = discount?.rule ?? null;
    if (rule && !(hasRequired(rule, selections) && isInEffect(rule, judging))) {
      faults.push({ place: where, reason: 'DISCOUNT_RULE_NOT_MET' });
    }
    if (!discount || discount.nonExclusive) return;
    const goesWithOthers = hasItemLevel || ofCheck.some((one) => one && isBogo(one));
    if (exclusive.length > 1 || (!isBogo(discount) && goesWithOthers)) {
      faults.push({ place: where, reason: 'DISCOUNT_EXCLUSIVE' });
    }
  });
  return faults;
}

function hasRequired(
  { requiredItems, requiredGroups }: DiscountRule,
  selections: ResolvedCheck['selections'],
): boolean {
  if (requiredItems.length === 0 && requiredGroups.length === 0) return true;
  return selections.some(({ resolved }) => isListed(resolved, requiredItems, requiredGroups));
}

function isInEffect(rule: DiscountRule, judging: Judging): boolean {
  const { diningOptionGuid = '', preDiscountMinor, now, currencyExponent } = judging;
  const { minCheckAmount, maxCheckAmount, diningOptions, startDate, endDate, days, times } = rule;
  const worth = BigInt(preDiscountMinor);
  return (
    (minCheckAmount === null || worth > toMinor(minCheckAmount, currencyExponent)) &&
    (maxCheckAmount === null || worth < toMinor(maxCheckAmount, currencyExponent)) &&
    (diningOptions.length === 0 || diningOptions.includes(diningOptionGuid)) &&
    (startDate === null || startDate <= now.date) &&
    (endDate === null || now.date <= endDate) &&
    (times.length === 0
      ? days.length === 0 || days.includes(now.day)
      : times.some((range) => isWithin(range, days, now)))
  );
}
