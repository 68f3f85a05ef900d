/** An exact number. The denominator is positive, and the two have no common divisor. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ZERO: Fraction = { numerator: 0n, denominator: 1n };
export const ONE: Fraction = { numerator: 1n, denominator: 1n };

export function fraction(numerator: bigint, denominator = 1n): Fraction {
  if (denominator === 1n) return { numerator, denominator };
  const divisor = greatestCommonDivisor(numerator, denominator);
  const sign = denominator < 0n ? -1n : 1n;
  return {
    numerator: (sign * numerator) / divisor,
    denominator: (sign * denominator) / divisor,
  };
}

/**
 * The number that JSON wrote. A double is not 0.0875, but its shortest text is, so the text is what
 * counts.
 */
export function decimal(value: number): Fraction {
  if (Number.isSafeInteger(value)) return fraction(BigInt(value));
  const [, sign = '', whole = '', places = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  if (whole === '') throw new RangeError(`${value} is not a finite number.`);
  const digits = BigInt(`${sign}${whole}${places}`);
  const power = Number(exponent) - places.length;
  return power < 0
    ? fraction(digits, 10n ** BigInt(-power))
    : fraction(digits * 10n ** BigInt(power));
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(
    a.numerator * b.denominator + b.numerator * a.denominator,
    a.denominator * b.denominator,
  );
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function dividedBy(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** The numerators of the fractions over the least denominator that all of them have in common. */
export function overOneDenominator(fractions: readonly Fraction[]): bigint[] {
  const common = fractions.reduce(
    (least, { denominator }) =>
      least % denominator === 0n
        ? least
        : (least / greatestCommonDivisor(least, denominator)) * denominator,
    1n,
  );
  return fractions.map(({ numerator, denominator }) => numerator * (common / denominator));
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
