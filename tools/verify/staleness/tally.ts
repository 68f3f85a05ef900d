/** Something that no order of events explains. */
export interface Violation {
  readonly kind: string;
  readonly operation: string;
  readonly text: string;
}

const KEPT = 200;

/** Counts what was read and found. */
export class Tally {
  /** Answers that were judged; neither silence nor a 503 is one. */
  reads = 0;
  readonly counts = new Map<string, number>();
  readonly violations: Violation[] = [];
  #violationCount = 0;

  /** How many violations there were, kept or not. */
  get violationCount(): number {
    return this.#violationCount;
  }

  /** Counts something by its name. */
  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Notes a violation; the first ones are kept with their texts. */
  accuse(kind: string, operation: string, text: string): void {
    this.#violationCount += 1;
    this.count(`violation: ${kind}`);
    if (this.violations.length < KEPT) this.violations.push({ kind, operation, text });
  }
}
