import type { Rounding } from '../../src/index.ts';

/** An exact fraction. The denominator is above zero. */
export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
}

export function whole(number: bigint): Exact {
  return { over: number, under: 1n };
}

/** The decimal number that JSON shows. */
export function decimalOf(number: number): Exact {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [before = '', after = ''] = digits.split('.');
  const scale = Number(exponent) - after.length;
  const over = BigInt(before + after);
  return scale < 0
    ? { over, under: 10n ** BigInt(-scale) }
    : { over: over * 10n ** BigInt(scale), under: 1n };
}

export function sum(numbers: readonly Exact[]): Exact {
  return numbers.reduce(
    (left, right) => ({
      over: left.over * right.under + right.over * left.under,
      under: left.under * right.under,
    }),
    whole(0n),
  );
}

export function product(left: Exact, right: Exact): Exact {
  return { over: left.over * right.over, under: left.under * right.under };
}

/** The divisor is above zero. */
export function quotient(left: Exact, right: Exact): Exact {
  return { over: left.over * right.under, under: left.under * right.over };
}

function floor({ over, under }: Exact): bigint {
  const towardZero = over / under;
  return over < 0n && towardZero * under !== over ? towardZero - 1n : towardZero;
}

/** Negative numbers are rounded like positive ones, with the sign put back. */
export function rounded(number: Exact, rounding: Rounding): bigint {
  if (number.over < 0n) return -rounded({ ...number, over: -number.over }, rounding);
  const down = number.over / number.under;
  const twiceRest = 2n * (number.over % number.under);
  const isAboveHalf = twiceRest > number.under;
  const isHalf = twiceRest === number.under;
  const goesUp = {
    HALF_UP: isAboveHalf || isHalf,
    HALF_EVEN: isAboveHalf || (isHalf && down % 2n === 1n),
    ALWAYS_UP: twiceRest > 0n,
    ALWAYS_DOWN: false,
  };
  return goesUp[rounding] ? down + 1n : down;
}

/** Splits in proportion to the weights. What rounding down leaves goes to the largest fractions. */
export function split(amount: bigint, weights: readonly bigint[]): bigint[] {
  const all = weights.reduce((left, right) => left + right, 0n);
  if (all === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight, index) => {
    const exact = { over: amount * weight, under: all };
    const down = floor(exact);
    return { index, down, rest: exact.over - down * all };
  });
  let left = amount - parts.reduce((total, { down }) => total + down, 0n);
  const byRest = parts.toSorted((one, other) =>
    one.rest === other.rest ? one.index - other.index : one.rest > other.rest ? -1 : 1,
  );
  for (const part of byRest) {
    if (left === 0n) break;
    part.down += 1n;
    left -= 1n;
  }
  return parts.map(({ down }) => down);
}

/** Whole numbers in the same proportion. */
export function inOneUnit(numbers: readonly Exact[]): bigint[] {
  const unit = numbers.reduce(
    (product, { under }) => (product % under === 0n ? product : product * under),
    1n,
  );
  return numbers.map(({ over, under }) => over * (unit / under));
}

export function minor(amount: number, exponent: number): bigint {
  return rounded(product(decimalOf(amount), whole(10n ** BigInt(exponent))), 'HALF_UP');
}
