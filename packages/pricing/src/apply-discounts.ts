import type { Given } from './bogo.ts';
import { isBogo, isExcluded, least, percentOf, reductionOf } from './discounts.ts';
import { type Entry, leftOf, netOf } from './entry.ts';
import { findReferenced } from './find-in-menu.ts';
import { fraction } from './fraction.ts';
import { scale, toMinor } from './round.ts';
import { share } from './share.ts';
import type { Discount, DiscountRequest, FaultReason, PricedDiscount } from './types.ts';

/** What applying discounts needs beside the entries. */
export interface Applying {
  readonly discounts: readonly Discount[];
  readonly currencyExponent: number;
}

type Fault = (index: number, reason: FaultReason) => void;

/** Applies the item-level discounts of an entry (ORD-32). */
export function applyItemDiscounts(entry: Entry, applying: Applying, fault: Fault): void {
  entry.appliedDiscounts.forEach((request, index) => {
    const discount = findReferenced(applying.discounts, request.discount);
    const off = reduction(discount, 'ITEM', request, leftOf(entry), applying);
    if (typeof off === 'string') fault(index, off);
    else if (discount) record(entry, request, discount, off, [], applying);
  });
}

/** Takes off what a BOGO discount gives. */
export function applyGiven(
  entry: Entry,
  given: Given,
  positionOf: (index: number) => number,
  applying: Applying,
): void {
  const { request, discount, get, units, triggers } = given;
  const { currencyExponent } = applying;
  const off = () =>
    get.amountType === 'PERCENT'
      ? percentOf(entry.guestMinor, get.value)
      : scale(toMinor(get.value, currencyExponent), fraction(units));
  const bought = triggers.map((one) => ({
    selection: positionOf(one.index),
    quantity: Number(one.units),
  }));
  record(entry, request, discount, least(off(), entry.guestMinor), bought, applying);
}

/** Applies check-level discounts (ORD-34): amounts first, then percents, each on what is left. */
export function applyCheckDiscounts(
  entries: readonly Entry[],
  requests: readonly DiscountRequest[],
  applying: Applying,
  fault: Fault,
): PricedDiscount[] {
  const found = requests.map((request, index) => ({
    request,
    index,
    discount: findReferenced(applying.discounts, request.discount),
  }));
  const isPercent = ({ discount }: { readonly discount: Discount | undefined }) =>
    discount?.type === 'PERCENT';
  const inOrder = [...found.filter((one) => !isPercent(one)), ...found.filter(isPercent)];
  return inOrder.flatMap(({ request, index, discount }) => {
    if (discount && isBogo(discount)) return [];
    const rule = discount?.rule ?? null;
    const chosen = entries.filter(
      ({ resolved }) => resolved.isDiscountable && !isExcluded(resolved, rule),
    );
    const left = chosen.map(leftOf);
    const base = left.reduce((sum, one) => sum + one, 0n);
    const off = reduction(discount, 'CHECK', request, base, applying);
    if (typeof off === 'string') fault(index, off);
    if (typeof off === 'string' || !discount) return [];
    const shares = share(
      off,
      left.map((one) => fraction(one)),
    );
    const nets = chosen.map((entry, at) => takeOff(entry, shares[at] ?? 0n, applying));
    const net = nets.reduce((sum, one) => sum + one, 0n);
    return [describe(discount, request, off, net, [])];
  });
}

function reduction(
  discount: Discount | undefined,
  level: Discount['selectionType'],
  request: DiscountRequest,
  base: bigint,
  { currencyExponent }: Applying,
): bigint | FaultReason {
  if (!discount) return 'UNKNOWN_DISCOUNT';
  if (discount.selectionType !== level) return 'DISCOUNT_NOT_APPLICABLE';
  return reductionOf(discount, request, base, currencyExponent);
}

function record(
  entry: Entry,
  request: DiscountRequest,
  discount: Discount,
  off: bigint,
  triggers: PricedDiscount['triggers'],
  applying: Applying,
): void {
  const minor = entry.resolved.isDiscountable ? off : 0n;
  const net = takeOff(entry, minor, applying);
  entry.discounts.push(describe(discount, request, minor, net, triggers));
}

/** Returns what the discount takes off the price without included tax. */
function takeOff(entry: Entry, minor: bigint, { currencyExponent }: Applying): bigint {
  const before = netOf(entry, entry.discountMinor, currencyExponent);
  entry.discountMinor += minor;
  return before - netOf(entry, entry.discountMinor, currencyExponent);
}

function describe(
  { guid, name, type, percentage }: Discount,
  request: DiscountRequest,
  minor: bigint,
  net: bigint,
  triggers: PricedDiscount['triggers'],
): PricedDiscount {
  return {
    discount: guid,
    name,
    type,
    percentage,
    request,
    triggers,
    discountMinor: Number(minor),
    nonTaxDiscountMinor: Number(net),
  };
}
