import { decimal, dividedBy, type Fraction, fraction, ONE, plus, times, ZERO } from './fraction.ts';
import { grouped } from './grouped.ts';
import { round } from './round.ts';
import { share } from './share.ts';
import { lookUpTax } from './tables.ts';
import type { AppliedTax, PricingSettings, TaxRate } from './types.ts';

/** An amount with a rate that applies to it. */
export interface Taxable {
  readonly amount: bigint;
  readonly rate: TaxRate;
  /** What a `FIXED` tax is multiplied by: 1 for something measured. */
  readonly count: Fraction;
  readonly isTakeOut: boolean;
}

export interface Tax {
  readonly rate: TaxRate;
  /** The rate that was used; null for tables. */
  readonly used: number | null;
  readonly minor: bigint;
}

/** The taxes on top of amounts of one check (ORD-38, ORD-40), in the order of the amounts. */
export function addedTaxes(taxables: readonly Taxable[], settings: PricingSettings): Tax[] {
  const taxes = taxables.map((one) => ({ ...one, used: usedRate(one), minor: 0n }));
  const isShared = ({ rate: { type } }: Taxable) =>
    type === 'TABLE' || (type === 'PERCENT' && settings.percentTaxBasis === 'check');
  for (const tax of taxes) {
    if (!isShared(tax)) tax.minor = taxOf(tax, settings.currencyExponent);
  }
  for (const group of grouped(taxes.filter(isShared), ({ rate }) => rate.guid)) {
    const shares = shareTax(group, settings.currencyExponent);
    group.forEach((tax, index) => {
      tax.minor = shares[index] ?? 0n;
    });
  }
  return taxes;
}

/** One tax on the sum of amounts, shared to them. */
function shareTax(group: readonly Taxable[], exponent: number): bigint[] {
  const rate = group[0]?.rate;
  if (rate?.type === 'TABLE') {
    const sum = group.reduce((total, { amount }) => total + amount, 0n);
    const weights = group.map(({ amount }) => fraction(amount));
    return share(lookUpTax(sum, rate.taxTable, exponent), weights);
  }
  // The same rate may differ by dining option, so the exact taxes are added up, not the amounts.
  const exact = group.map(exactPercentTax);
  return share(round(exact.reduce(plus, ZERO), roundingOf(rate)), exact);
}

/** One tax on one amount by itself. */
export function taxOf(taxable: Taxable, exponent: number): bigint {
  const { rate, count, amount } = taxable;
  switch (rate.type) {
    case 'PERCENT':
      return round(exactPercentTax(taxable), roundingOf(rate));
    case 'FIXED':
      return fixedTax(usedRate(taxable), count, exponent);
    case 'TABLE':
      return lookUpTax(amount, rate.taxTable, exponent);
    default:
      return 0n;
  }
}

/**
 * The taxes inside an amount (ORD-39). Together they never exceed it, though a fixed tax might by
 * itself.
 */
export function includedTaxes(
  amount: bigint,
  taxables: readonly Omit<Taxable, 'amount'>[],
  exponent: number,
): Tax[] {
  let left = amount;
  const take = (minor: bigint) => {
    const taken = amount >= 0n && minor > left ? left : minor;
    left -= taken;
    return taken;
  };
  const taxes = taxables.map(({ rate, count, isTakeOut }) => {
    const used = usedRate({ rate, isTakeOut });
    return {
      rate,
      used,
      // A line below zero, which is a rest of rounding or a reduction, holds no fixed tax.
      minor: rate.type === 'FIXED' && amount > 0n ? take(fixedTax(used, count, exponent)) : 0n,
    };
  });
  const percents = taxes.filter(({ rate }) => rate.type === 'PERCENT');
  const net = dividedBy(
    fraction(left),
    percents.map(({ used }) => decimal(used ?? 0)).reduce(plus, ONE),
  );
  for (const tax of percents) {
    tax.minor = take(round(times(net, decimal(tax.used ?? 0)), roundingOf(tax.rate)));
  }
  return taxes;
}

/** Taxes as answers list them: one for each rate. */
export function listTaxes(taxes: readonly Tax[]): AppliedTax[] {
  return grouped(taxes, ({ rate }) => rate.guid).flatMap((group) =>
    group.slice(0, 1).map(({ rate: { guid, name, type }, used }) => ({
      taxRate: guid,
      name,
      type,
      rate: used,
      taxMinor: Number(sumOfTaxes(group)),
    })),
  );
}

export function sumOfTaxes(taxes: readonly Tax[]): bigint {
  return taxes.reduce((sum, { minor }) => sum + minor, 0n);
}

function exactPercentTax(taxable: Taxable): Fraction {
  return times(fraction(taxable.amount), decimal(usedRate(taxable) ?? 0));
}

function fixedTax(used: number | null, count: Fraction, exponent: number): bigint {
  const unit = times(decimal(used ?? 0), fraction(10n ** BigInt(exponent)));
  return round(times(unit, count), 'HALF_UP');
}

/** A conditional rate stands in for the rate (ORD-37). */
export function usedRate({ rate, isTakeOut }: Pick<Taxable, 'rate' | 'isTakeOut'>): number | null {
  if (rate.type !== 'PERCENT' && rate.type !== 'FIXED') return null;
  const conditional = isTakeOut
    ? rate.conditionalTaxRates.find(({ condition }) => condition === 'TAKE_OUT')
    : undefined;
  return conditional?.rate ?? rate.rate;
}

function roundingOf(rate: TaxRate | undefined) {
  return rate?.roundingType ?? 'HALF_UP';
}
