import type { DiscountRequest, ResolvedCheck, ResolvedSelection } from '@servery/pricing';
import type { OrderingConfiguration } from '../configuration.ts';
import type { OrderCharge, OrderCheck, OrderDiscount, OrderSelection } from '../order.ts';

/** An applied discount as it goes into the prices again: it stays the same one. */
export interface StoredDiscount extends DiscountRequest {
  readonly stored: OrderDiscount;
}

export interface StoredCharge {
  readonly serviceCharge: { readonly guid: string };
  readonly chargeAmount: number | null;
  readonly stored: OrderCharge;
}

export interface Reopened {
  /** For each selection that was ordered, the parts that discounts made of it. */
  readonly parts: readonly (readonly [OrderSelection, ...OrderSelection[]])[];
  readonly check: ResolvedCheck;
}

/** ORD-42: what stands on a stored check, as it was before discounts split its selections. */
export function reopenCheck(
  check: OrderCheck,
  { discounts }: Pick<OrderingConfiguration, 'discounts'>,
): Reopened {
  const standing = check.selections.filter(({ voidedAtMs }) => voidedAtMs === null);
  const parts: [OrderSelection, ...OrderSelection[]][] = [];
  for (const selection of standing) {
    const origin = selection.splitOriginGuid;
    const whole = origin === null ? undefined : parts.find(([first]) => first.guid === origin);
    if (whole) whole.push(selection);
    else parts.push([selection]);
  }
  const bogos = standing.flatMap(({ appliedDiscounts, quantity }) =>
    appliedDiscounts.filter(isBogo).map((stored) => ({ stored, quantity })),
  );
  const selections = parts.map(([first, ...others], requestIndex) => ({
    requestIndex,
    resolved: withQuantity(first.resolved, [first, ...others]),
    appliedDiscounts: first.appliedDiscounts.filter((one) => !isBogo(one)).map(requestOf),
  }));
  const appliedServiceCharges = check.appliedServiceCharges.map(
    (stored): StoredCharge => ({
      serviceCharge: { guid: stored.serviceCharge.guid },
      chargeAmount: stored.openAmount,
      stored,
    }),
  );
  const returned = [...Map.groupBy(bogos, ({ stored }) => stored.discountGuid)].flatMap(
    ([guid, given]) => {
      // It stood on the check once for each full quantity that it gave.
      const units = given.reduce((sum, { quantity }) => sum + Math.ceil(quantity), 0);
      const times = Math.ceil(units / (discounts.get(guid)?.rule?.get?.quantity ?? 1));
      return given.slice(0, times).map(({ stored }) => requestOf(stored));
    },
  );
  const appliedDiscounts = [...check.appliedDiscounts.map(requestOf), ...returned];
  const { taxExempt } = check;
  return { parts, check: { selections, appliedDiscounts, appliedServiceCharges, taxExempt } };
}

/** Prices with the voided selections where they stood: they count 0 and stay as they are. */
export function withVoided(
  before: readonly OrderSelection[],
  built: readonly OrderSelection[],
): OrderSelection[] {
  const all = [...built];
  before.forEach((selection, index) => {
    if (selection.voidedAtMs === null) return;
    const earlier = new Set(before.slice(0, index).map(({ guid }) => guid));
    all.splice(all.findLastIndex(({ guid }) => earlier.has(guid)) + 1, 0, selection);
  });
  return all;
}

const isBogo = ({ type }: OrderDiscount) => type === 'BOGO';

function withQuantity(
  resolved: ResolvedSelection,
  parts: readonly OrderSelection[],
): ResolvedSelection {
  return { ...resolved, quantity: parts.reduce((sum, { quantity }) => sum + quantity, 0) };
}

const requestOf = (stored: OrderDiscount): StoredDiscount => ({
  discount: { guid: stored.discountGuid },
  discountAmount: stored.openAmount,
  stored,
});
