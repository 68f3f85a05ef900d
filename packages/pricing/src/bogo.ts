import { isAmong, isBogo, least } from './discounts.ts';
import type { NewEntry } from './entry.ts';
import { findReferenced } from './find-in-menu.ts';
import type {
  BogoSide,
  Discount,
  DiscountRequest,
  DiscountRule,
  FaultReason,
  ResolvedCheck,
} from './types.ts';

/** A selection with what is left of it for BOGO discounts. */
interface Stock {
  readonly index: number;
  readonly selection: ResolvedCheck['selections'][number];
  free: bigint;
  readonly given: Given[];
}

/** Units of a selection that a BOGO discount gives. */
export interface Given {
  readonly request: DiscountRequest;
  readonly discount: Discount;
  readonly get: NonNullable<DiscountRule['get']>;
  readonly units: bigint;
  /** The selections that were bought, by position in the resolved check. */
  readonly triggers: readonly Taken[];
}

interface Taken {
  readonly index: number;
  readonly units: bigint;
}

export interface Part extends NewEntry {
  readonly given: Given | null;
}

/** Applies the BOGO discounts of a check in their order: splits off what they give (ORD-33). */
export function splitByBogo(
  check: ResolvedCheck,
  discounts: readonly Discount[],
  fault: (discountIndex: number, reason: FaultReason) => void,
): Part[] {
  const stocks = check.selections.map((selection, index) => ({
    selection,
    index,
    given: [],
    free: unitsOf(selection),
  }));
  check.appliedDiscounts.forEach((request, index) => {
    const discount = findReferenced(discounts, request.discount);
    if (!discount || !isBogo(discount)) return;
    const reason = give(stocks, request, discount);
    if (reason !== null) fault(index, reason);
  });
  return stocks.flatMap(partsOf);
}

/** Something measured counts as one. What is discounted already takes no part. */
function unitsOf({ resolved, appliedDiscounts }: ResolvedCheck['selections'][number]): bigint {
  if (resolved.isVoided || appliedDiscounts.length > 0) return 0n;
  return resolved.isMeasured ? 1n : BigInt(Math.floor(resolved.quantity));
}

function give(
  stocks: readonly Stock[],
  request: DiscountRequest,
  discount: Discount,
): FaultReason | null {
  const { buy = null, get = null } = discount.rule ?? {};
  if (!buy || !get) return 'DISCOUNT_NOT_APPLICABLE';
  const triggers = take(stocks, buy);
  const bought = triggers.reduce((sum, { units }) => sum + units, 0n);
  if (bought < BigInt(buy.quantity)) return 'BOGO_WITHOUT_BUY_ITEMS';
  const taken = take(byPriority(stocks, discount.itemPickingPriority), get);
  if (taken.length === 0) return 'BOGO_WITHOUT_GET_ITEMS';
  for (const { index, units } of taken) {
    stocks[index]?.given.push({ request, discount, get, units, triggers });
  }
  return null;
}

/** Takes units of the first selections that are meant, up to the quantity. */
function take(stocks: readonly Stock[], side: BogoSide): Taken[] {
  let needed = BigInt(side.quantity);
  const taken: Taken[] = [];
  for (const stock of stocks) {
    const units = least(stock.free, needed);
    if (units === 0n || !isAmong(stock.selection.resolved, side)) continue;
    stock.free -= units;
    needed -= units;
    taken.push({ index: stock.index, units });
  }
  return taken;
}

function byPriority(stocks: readonly Stock[], priority: Discount['itemPickingPriority']) {
  const sign = priority === 'LEAST_EXPENSIVE' ? 1 : priority === 'MOST_EXPENSIVE' ? -1 : 0;
  const unit = ({ selection: { resolved } }: Stock) => resolved.unitMinor;
  return stocks.toSorted((a, b) => sign * (unit(a) - unit(b)));
}

/** What stays of a selection, then its parts that were given. */
function partsOf({ selection, given }: Stock): Part[] {
  const { requestIndex, resolved, appliedDiscounts } = selection;
  const whole = { requestIndex, resolved, appliedDiscounts, isSplit: false };
  if (given.length === 0) return [{ ...whole, quantity: resolved.quantity, given: null }];
  if (resolved.isMeasured) {
    return given.map((one) => ({ ...whole, quantity: resolved.quantity, given: one }));
  }
  const left = given.reduce((sum, { units }) => sum - Number(units), resolved.quantity);
  const parts = given.map((one) => ({ ...whole, quantity: Number(one.units), given: one }));
  const all = left === 0 ? parts : [{ ...whole, quantity: left, given: null }, ...parts];
  return all.map((part, index) => ({ ...part, isSplit: index > 0 }));
}
