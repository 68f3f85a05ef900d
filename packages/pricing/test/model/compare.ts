import {
  type DiscountRequest,
  type OrderRequest,
  type PricedCheck,
  type PricedModifier,
  type PricingContext,
  priceCheck,
  priceOrder,
  type ResolvedCheck,
  type Result,
  resolveCheck,
} from '../../src/index.ts';
import type { Addition, Case } from './cases.ts';
import { type ModelCheck, modelCheck, type Taxes, total } from './check.ts';
import { type Exact, product, rounded, whole } from './exact.ts';
import type { Feature } from './features.ts';
import { modelOrder, modelRequest } from './judge.ts';
import { type ModelModifier, Refusal } from './selection.ts';

/** What came out: plain data that can be compared, or the reasons of a refusal. */
type Outcome =
  | { readonly checks: readonly unknown[]; readonly reasons: null }
  | { readonly checks: null; readonly reasons: readonly string[] };

/** How the module and the model differ on a case; null if they agree. */
export function difference(given: Case, count: (feature: Feature) => void): string | null {
  const { order, context, addition } = given;
  const met = new Set<Feature>();
  const meet = (feature: Feature) => met.add(feature);
  const expected = outcomeOf(() => modelOrder(order, context, meet));
  const found = shownResult(priceOrder(order, context), ({ checks }) => checks);
  for (const reason of expected.reasons ?? []) count(`refused: ${reason}` as Feature);
  if (expected.reasons) return compare('priced', expected, found);
  const problem =
    compare('priced', expected, found) ??
    echoed(order, context) ??
    (addition && priceAgain(given, addition, meet));
  for (const feature of met) count(feature);
  return problem;
}

/** ORD-42: something is added to the first check and something is voided, at a later instant. */
function priceAgain(
  { order, context }: Case,
  { selections, voided, instant, configuration }: Addition,
  meet: (feature: Feature) => void,
): string | null {
  const later = { ...context, instant, configuration };
  const [first] = order.checks;
  if (!first) return null;
  const more = { selections };
  meet('again: added at another instant');
  if (configuration !== context.configuration) meet('again: other configuration');
  const offset = first.selections.length;
  const expected = outcomeOf(() => {
    const stood = modelRequest(first, order, context, meet);
    const added = modelRequest(more, order, later, meet).selections;
    const all = [
      ...stood.selections.map((one) => ({ ...one, isVoided: voided.includes(one.requestIndex) })),
      ...added.map((one) => ({ ...one, requestIndex: one.requestIndex + offset })),
    ];
    if (all.some(({ isVoided }) => isVoided)) meet('selection: voided');
    return [modelCheck({ ...stood, selections: all }, later, meet)];
  });
  const stood = resolveCheck(first, order.diningOption, 'check', context);
  const added = resolveCheck(more, order.diningOption, 'check', later);
  if (!stood.priced) return 'an order that was priced could not be read again';
  if (!added.priced)
    return compare(
      'added',
      expected,
      shownResult(added, () => []),
    );
  // What is stored is JSON.
  const stored = JSON.parse(JSON.stringify(stood.priced)) as ResolvedCheck;
  const all = [
    ...stored.selections.map((one) => ({
      ...one,
      resolved: { ...one.resolved, isVoided: voided.includes(one.requestIndex) },
    })),
    ...added.priced.selections.map((one) => ({ ...one, requestIndex: one.requestIndex + offset })),
  ];
  const priced = priceCheck({ ...stored, selections: all }, 'check', later);
  return compare(
    'priced again',
    expected,
    shownResult(priced, (check) => [check]),
  );
}

/**
 * ORD-4, ORD-33: an answer that is sent again has the same prices. With several BOGO discounts it
 * need not: an answer doesn't show in which order they came.
 */
function echoed(order: OrderRequest, context: PricingContext): string | null {
  const { priced } = priceOrder(order, context);
  const isBogo = ({ discount }: DiscountRequest) =>
    context.configuration.discounts.some(
      ({ guid, type }) => guid === discount.guid && type === 'BOGO',
    );
  const hasSeveral = order.checks.some(
    ({ appliedDiscounts = [] }) => appliedDiscounts.filter(isBogo).length > 1,
  );
  if (!priced || hasSeveral) return null;
  const checks = priced.checks.map((check, index) => {
    const request = order.checks[index];
    return {
      ...request,
      selections: check.selections.map((one) => ({
        ...request?.selections[one.requestIndex],
        quantity: one.quantity,
        ...(one.isSplit && { splitOrigin: {} }),
        appliedDiscounts: one.appliedDiscounts.map((applied) => applied.request),
      })),
      appliedDiscounts: check.appliedDiscounts.map((applied) => applied.request),
    };
  });
  const again = priceOrder({ ...order, checks }, context);
  if (!again.priced) return `refused when it was sent again: ${JSON.stringify(again.faults)}`;
  const totals = (all: readonly PricedCheck[]) =>
    JSON.stringify(all.map((one) => [one.amountMinor, one.taxMinor, one.gratuityMinor]));
  const [before, after] = [totals(priced.checks), totals(again.priced.checks)];
  return before === after ? null : `sent again: ${before} became ${after}`;
}

function outcomeOf(price: () => readonly ModelCheck[]): Outcome {
  try {
    return { checks: price().map(shownModel), reasons: null };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { checks: null, reasons: refusal.reasons };
  }
}

function shownResult<T>(
  result: Result<T>,
  checksOf: (priced: T) => readonly PricedCheck[],
): Outcome {
  if (result.faults !== null) {
    return { checks: null, reasons: result.faults.map(({ reason }) => reason) };
  }
  return { checks: checksOf(result.priced).map(shownCheck), reasons: null };
}

/** Of several faults, one has to be named by both. */
function compare(what: string, expected: Outcome, found: Outcome): string | null {
  const isSame =
    expected.reasons && found.reasons
      ? found.reasons.some((reason) => expected.reasons?.includes(reason))
      : JSON.stringify(expected) === JSON.stringify(found);
  if (isSame) return null;
  return `${what}: the model says\n${shown(expected)}\nthe module says\n${shown(found)}`;
}

function shown({ checks, reasons }: Outcome): string {
  if (reasons) return `refused: ${reasons.join(', ')}`;
  return checks.map((check) => JSON.stringify(check, null, 1)).join('\n');
}

function shownModel(check: ModelCheck): unknown {
  const { selections, charges, appliedDiscounts } = check;
  return {
    selections: selections.map((part) => ({
      requestIndex: part.of.requestIndex,
      isSplit: part.isSplit,
      quantity: Number(part.quantity.over) / Number(part.quantity.under),
      receiptLinePrice: Number(part.of.ownPrice),
      preDiscountPrice: Number(part.preDiscountPrice),
      price: Number(part.price),
      tax: Number(total([...part.taxes.values()].map(({ tax }) => tax))),
      taxes: shownTaxes(part.taxes),
      discounts: part.discounts.map((one) => ({
        ...{ guid: one.guid, amount: Number(one.amount), nonTax: Number(one.nonTax) },
        triggers: one.triggers.map((bought) => ({
          ...{ selection: selections.indexOf(bought.part), quantity: Number(bought.quantity) },
        })),
      })),
      modifiers: part.of.modifiers.map((one) =>
        shownModelModifier(one, part.of.isVoided ? whole(0n) : part.quantity),
      ),
    })),
    discounts: appliedDiscounts.map((one) => ({
      ...{ guid: one.guid, amount: Number(one.amount), nonTax: Number(one.nonTax) },
    })),
    charges: charges.map(({ charge, taxes }) => ({
      ...{ charge: Number(charge), taxes: shownTaxes(taxes) },
    })),
    preDiscount: Number(check.preDiscount),
    amount: Number(check.amount),
    tax: Number(check.tax),
    total: Number(check.amount + check.tax),
    gratuity: Number(check.gratuity),
  };
}

function shownCheck(check: PricedCheck): unknown {
  return {
    selections: check.selections.map((one) => ({
      requestIndex: one.requestIndex,
      isSplit: one.isSplit,
      quantity: one.quantity,
      receiptLinePrice: one.receiptLinePriceMinor,
      preDiscountPrice: one.preDiscountPriceMinor,
      price: one.priceMinor,
      tax: one.taxMinor,
      taxes: one.appliedTaxes
        .map(({ taxRate, rate, taxMinor }) => [taxRate, rate, taxMinor])
        .toSorted(byText),
      discounts: one.appliedDiscounts.map((applied) => ({
        ...{ guid: applied.discount, amount: applied.discountMinor },
        ...{ nonTax: applied.nonTaxDiscountMinor, triggers: applied.triggers },
      })),
      modifiers: one.modifiers.map(shownPricedModifier),
    })),
    discounts: check.appliedDiscounts.map((applied) => ({
      ...{ guid: applied.discount, amount: applied.discountMinor },
      ...{ nonTax: applied.nonTaxDiscountMinor },
    })),
    charges: check.appliedServiceCharges.map(({ chargeMinor, appliedTaxes }) => ({
      charge: chargeMinor,
      taxes: appliedTaxes
        .map(({ taxRate, rate, taxMinor }) => [taxRate, rate, taxMinor])
        .toSorted(byText),
    })),
    preDiscount: check.preDiscountMinor,
    amount: check.amountMinor,
    tax: check.taxMinor,
    total: check.totalMinor,
    gratuity: check.gratuityMinor,
  };
}

function shownTaxes(taxes: Taxes): unknown {
  return [...taxes].map(([guid, { rate, tax }]) => [guid, rate, Number(tax)]).toSorted(byText);
}

function byText(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1;
}

function shownModelModifier(
  { ownPrice, unit, modifiers }: ModelModifier,
  quantity: Exact,
): unknown {
  return {
    receiptLinePrice: Number(ownPrice),
    price: Number(rounded(product(whole(unit), quantity), 'HALF_UP')),
    modifiers: modifiers.map((one) => shownModelModifier(one, quantity)),
  };
}

function shownPricedModifier(one: PricedModifier): unknown {
  return {
    receiptLinePrice: one.receiptLinePriceMinor,
    price: one.priceMinor,
    modifiers: one.modifiers.map(shownPricedModifier),
  };
}
