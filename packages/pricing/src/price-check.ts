import { applyCheckDiscounts, applyGiven, applyItemDiscounts } from './apply-discounts.ts';
import { splitByBogo } from './bogo.ts';
import { findCharge, priceCharge } from './charges.ts';
import { createEntry, type Entry, netOf, taxablesOf, taxesInside } from './entry.ts';
import { decimal } from './fraction.ts';
import { resultOf } from './resolve-selection.ts';
import { scale } from './round.ts';
import { addedTaxes, listTaxes, sumOfTaxes, type Tax } from './taxes.ts';
import { totalsOf } from './totals.ts';
import type {
  FaultReason,
  PricedCheck,
  PricedModifier,
  PricedSelection,
  PriceFault,
  PricingContext,
  ResolvedCheck,
  ResolvedModifier,
  Result,
  TaxRate,
} from './types.ts';

/**
 * Prices a check whose selections the menu has priced: discounts, charges, taxes, totals. It does
 * not ask whether the discounts may be used, so it also serves for what was added to an order
 * earlier. The place is for faults.
 */
export function priceCheck(
  check: ResolvedCheck,
  place: string,
  { configuration, settings }: Pick<PricingContext, 'configuration' | 'settings'>,
): Result<PricedCheck> {
  const { currencyExponent } = settings;
  const faults: PriceFault[] = [];
  const faultAt = (list: string) => (index: number, reason: FaultReason) =>
    faults.push({ place: `${list}[${index}]`, reason });
  const ratesAt = (where: string) => (guids: readonly string[]) =>
    findRates(configuration.taxRates, guids, () =>
      faults.push({ place: where, reason: 'UNKNOWN_TAX_RATE' }),
    );
  const selectionAt = (index: number) => `${place}.selections[${index}]`;

  const parts = splitByBogo(check, configuration.discounts, faultAt(`${place}.appliedDiscounts`));
  const entries = parts.map((part) => createEntry(part, ratesAt(selectionAt(part.requestIndex))));
  const applying = { discounts: configuration.discounts, currencyExponent };
  // What was bought stays in front of what was given of the same selection.
  const positionOf = (index: number) =>
    parts.findIndex((part) => part.requestIndex === check.selections[index]?.requestIndex);
  entries.forEach((entry, index) => {
    const given = parts[index]?.given;
    const list = `${selectionAt(entry.requestIndex)}.appliedDiscounts`;
    applyItemDiscounts(entry, applying, faultAt(list));
    if (given) applyGiven(entry, given, positionOf, applying);
    if (entry.resolved.isTaxIncluded && hasTable(entry)) {
      faults.push({ place: selectionAt(entry.requestIndex), reason: 'TABLE_TAX_INCLUDED' });
    }
  });
  const appliedDiscounts = applyCheckDiscounts(
    entries,
    check.appliedDiscounts,
    applying,
    faultAt(`${place}.appliedDiscounts`),
  );

  const taxes = taxesOf(entries, check.taxExempt, settings);
  const selections = entries.map((entry) =>
    priceEntry(entry, taxes.get(entry) ?? [], currencyExponent),
  );
  const sumOf = (field: 'preDiscountPriceMinor' | 'priceMinor') =>
    selections.reduce((sum, one) => sum + BigInt(one[field]), 0n);
  const base = {
    preDiscount: sumOf('preDiscountPriceMinor'),
    postDiscount: sumOf('priceMinor'),
  };
  const charges = check.appliedServiceCharges.flatMap((request, index) => {
    const where = `${place}.appliedServiceCharges[${index}]`;
    const charge = findCharge(configuration.serviceCharges, request);
    const isTaxed = charge?.taxable && !check.taxExempt;
    const rates = isTaxed ? charge.applicableTaxes.map(({ guid }) => guid) : [];
    const priced = charge
      ? priceCharge(request, charge, base, ratesAt(where)(rates), currencyExponent)
      : 'UNKNOWN_SERVICE_CHARGE';
    if (typeof priced === 'string') faults.push({ place: where, reason: priced });
    if (typeof priced === 'string' || !charge) return [];
    return [{ charge: priced, isGratuity: charge.gratuity }];
  });
  const totals = totalsOf(selections, charges);
  if (!Object.values(totals).every(Number.isSafeInteger)) {
    faults.push({ place, reason: 'TOO_LARGE' });
  }
  const appliedServiceCharges = charges.map(({ charge }) => charge);
  return resultOf({ selections, appliedDiscounts, appliedServiceCharges, ...totals }, faults);
}

/** `NONE` and `EXTERNAL` tax nothing and are not listed. */
function findRates(rates: readonly TaxRate[], guids: readonly string[], fault: () => void) {
  return guids.flatMap((guid) => {
    const rate = rates.find((one) => one.guid === guid);
    if (!rate) fault();
    return rate && rate.type !== 'NONE' && rate.type !== 'EXTERNAL' ? rate : [];
  });
}

function hasTable({ lines }: Entry): boolean {
  return lines.some(({ rates }) => rates.some(({ type }) => type === 'TABLE'));
}

function taxesOf(
  entries: readonly Entry[],
  isExempt: boolean,
  settings: PricingContext['settings'],
): Map<Entry, Tax[]> {
  const taxes = new Map<Entry, Tax[]>();
  if (isExempt) return taxes;
  const taxables: { entry: Entry; taxable: ReturnType<typeof taxablesOf>[number] }[] = [];
  for (const entry of entries) {
    const { isTaxIncluded, isVoided } = entry.resolved;
    if (isVoided) continue;
    if (isTaxIncluded) {
      taxes.set(entry, taxesInside(entry, entry.discountMinor, settings.currencyExponent));
    } else {
      taxables.push(...taxablesOf(entry).map((taxable) => ({ entry, taxable })));
    }
  }
  const added = addedTaxes(
    taxables.map(({ taxable }) => taxable),
    settings,
  );
  taxables.forEach(({ entry }, index) => {
    const tax = added[index];
    if (tax) taxes.set(entry, [...(taxes.get(entry) ?? []), tax]);
  });
  return taxes;
}

function priceEntry(entry: Entry, taxes: readonly Tax[], exponent: number): PricedSelection {
  const { requestIndex, isSplit, quantity, resolved, discounts } = entry;
  return {
    requestIndex,
    isSplit,
    quantity,
    resolved,
    receiptLinePriceMinor: resolved.receiptLinePriceMinor,
    preDiscountPriceMinor: Number(netOf(entry, 0n, exponent)),
    priceMinor: Number(netOf(entry, entry.discountMinor, exponent)),
    taxMinor: Number(sumOfTaxes(taxes)),
    appliedTaxes: listTaxes(taxes),
    appliedDiscounts: discounts,
    modifiers: resolved.modifiers.map((one) =>
      priceModifier(one, resolved.isVoided ? 0 : quantity),
    ),
  };
}

function priceModifier(modifier: ResolvedModifier, quantity: number): PricedModifier {
  const { receiptLinePriceMinor, unitMinor, modifiers } = modifier;
  return {
    receiptLinePriceMinor,
    priceMinor: Number(scale(BigInt(unitMinor), decimal(quantity))),
    modifiers: modifiers.map((one) => priceModifier(one, quantity)),
  };
}
