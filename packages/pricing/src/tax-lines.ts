import type { ResolvedModifier, TaxLine } from './types.ts';

/** A modifier with its prices and what the menu says about its taxes. */
export interface TaxedModifier extends ResolvedModifier {
  readonly taxRates: readonly string[];
  /**
   * `INHERIT`: taxed with what it is put on. `UNIQUE`: taxed by itself. `OVERRIDE`: what it is
   * put on is taxed by its rates.
   */
  readonly taxBehavior: 'INHERIT' | 'UNIQUE' | 'OVERRIDE';
  readonly isSize: boolean;
  /** What is put on a portion counts as put on the whole. */
  readonly isPortion: boolean;
  /** A modifier that was taken away decides nothing. */
  readonly isTakenAway: boolean;
  readonly modifiers: readonly TaxedModifier[];
}

/** Splits the unit price of an item with its modifiers by what is taxed together (ORD-37). */
export function taxLinesOf(
  priceMinor: number,
  taxRates: readonly string[],
  modifiers: readonly TaxedModifier[],
): TaxLine[] {
  const { joinedMinor, apart } = joinModifiers(priceMinor, modifiers);
  return [{ unitMinor: joinedMinor, taxRates: ratesFrom(modifiers) ?? taxRates }, ...apart];
}

/** What is taxed with something, and what is put on it and taxed apart. */
function joinModifiers(
  priceMinor: number,
  modifiers: readonly TaxedModifier[],
): { joinedMinor: number; apart: TaxLine[] } {
  let joinedMinor = priceMinor;
  const apart: TaxLine[] = [];
  for (const modifier of withoutPortions(modifiers)) {
    const inner = joinModifiers(modifier.receiptLinePriceMinor, modifier.modifiers);
    const own = ownRates(modifier);
    if (own === null) joinedMinor += inner.joinedMinor;
    else apart.push({ unitMinor: inner.joinedMinor, taxRates: own });
    apart.push(...inner.apart);
  }
  return { joinedMinor, apart };
}

/** The rates that make a modifier a line of its own, or null. */
function ownRates({ taxBehavior, taxRates, modifiers, isSize, isTakenAway }: TaxedModifier) {
  if (isSize || isTakenAway) return null;
  return ratesFrom(modifiers) ?? (taxBehavior === 'UNIQUE' ? taxRates : null);
}

/** The rates that modifiers give to what they are put on. Two that override are both ignored. */
function ratesFrom(modifiers: readonly TaxedModifier[]): readonly string[] | null {
  const present = withoutPortions(modifiers).filter(({ isTakenAway }) => !isTakenAway);
  const overriding = present.filter((one) => one.taxBehavior === 'OVERRIDE' && !one.isSize);
  if (overriding.length === 1) return overriding[0]?.taxRates ?? null;
  return present.find((one) => one.isSize && one.taxBehavior !== 'INHERIT')?.taxRates ?? null;
}

function withoutPortions(modifiers: readonly TaxedModifier[]): TaxedModifier[] {
  return modifiers.flatMap((one) => (one.isPortion ? one.modifiers : one));
}
