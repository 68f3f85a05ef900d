import { decimal, fraction, times } from './fraction.ts';
import { round, toMinor } from './round.ts';
import type {
  Discount,
  DiscountRequest,
  DiscountRule,
  FaultReason,
  ResolvedSelection,
} from './types.ts';

export function isBogo({ type, selectionType }: Discount): boolean {
  return type === 'BOGO' || selectionType === 'BOGO';
}

/** What a discount takes off a base, which is at least zero (ORD-32, ORD-34). */
export function reductionOf(
  { type, percentage, amount }: Discount,
  { discountAmount }: DiscountRequest,
  base: bigint,
  currencyExponent: number,
): bigint | FaultReason {
  if (type === 'PERCENT') {
    return percentage === null ? 'DISCOUNT_WITHOUT_AMOUNT' : percentOf(base, percentage);
  }
  if (type !== 'FIXED' && type !== 'OPEN_FIXED') return 'DISCOUNT_NOT_APPLICABLE';
  const off = type === 'FIXED' ? amount : (discountAmount ?? null);
  if (off === null || off <= 0) return 'DISCOUNT_WITHOUT_AMOUNT';
  return least(toMinor(off, currencyExponent), base);
}

/** Percentages of discounts and charges are rounded HALF_EVEN. */
export function percentOf(base: bigint, percentage: number): bigint {
  return round(times(fraction(base, 100n), decimal(percentage)), 'HALF_EVEN');
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Whether a selection is of one of the items or in one of the groups. */
export function isListed(
  { itemGuid, groupGuids }: ResolvedSelection,
  items: readonly string[],
  groups: readonly string[],
): boolean {
  if (itemGuid === null) return false;
  return items.includes(itemGuid) || groupGuids.some((guid) => groups.includes(guid));
}

/** Lists without anything limit nothing. */
export function isAmong(
  selection: ResolvedSelection,
  { items, groups }: { readonly items: readonly string[]; readonly groups: readonly string[] },
): boolean {
  if (items.length === 0 && groups.length === 0) return selection.itemGuid !== null;
  return isListed(selection, items, groups);
}

export function isExcluded(selection: ResolvedSelection, rule: DiscountRule | null): boolean {
  return rule !== null && isListed(selection, rule.excludedItems, rule.excludedGroups);
}
