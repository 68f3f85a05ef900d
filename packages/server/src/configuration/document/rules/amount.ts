import { minorUnitDecimals } from '@servery/pricing';
import type { DocumentPath, Place } from '../../../document/faults.ts';

/** What all amounts of a restaurant have to fit. */
export class Money {
  readonly #currencyCode: string;
  readonly #decimals: number;

  constructor(currencyCode: string) {
    this.#currencyCode = currencyCode;
    this.#decimals = minorUnitDecimals(currencyCode);
  }

  check(amount: number | null, place: Place, ...steps: DocumentPath): void {
    if (amount === null) return;
    if (amount < 0) place.fault('must not be negative', ...steps);
    this.checkDecimals(amount, place, ...steps);
  }

  checkDecimals(amount: number | null, place: Place, ...steps: DocumentPath): void {
    if (amount === null || hasAtMostDecimals(amount, this.#decimals)) return;
    const count = this.#decimals === 1 ? '1 decimal' : `${this.#decimals} decimals`;
    place.fault(`must have at most ${count}, as ${this.#currencyCode} has`, ...steps);
  }
}

export function hasAtMostDecimals(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value;
}
