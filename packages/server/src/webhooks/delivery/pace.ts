/**
 * Even when answers are barely quick, the last claimed delivery goes out within four seconds, long
 * before its lease ends.
 */
export const FIRST_WINDOW = 4;
const LARGEST_WINDOW = 512;
const STEADY_WINDOW = 32;

const QUICK_MS = 250;
const SLOW_MS = 1_000;
const FIRST_REFUSAL = 300;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

export interface PacedAttempt {
  readonly status: number | null;
  readonly durationMs: number;
}

/**
 * The window widens by one with each quick answer until it was too wide once, then slowly. Medium
 * answers widen it slowly, up to what runs at once. A failure halves it, down to one; a slow answer
 * halves it, down to the first window. Any success restores the first window quickly.
 */
export class Pace {
  #window = FIRST_WINDOW;
  /** Beyond this, the window was too wide before and widens slowly. */
  #knownGood = LARGEST_WINDOW;
  #begun = 0;
  /** Attempts that began earlier ran under the wider window. */
  #narrowedAt = 0;

  get window(): number {
    return Math.floor(this.#window);
  }

  begin(): number {
    this.#begun += 1;
    return this.#begun;
  }

  end(number: number, { status, durationMs }: PacedAttempt): void {
    const isOverload =
      status === null || status === TOO_MANY_REQUESTS || status >= FIRST_SERVER_ERROR;
    if (isOverload) this.#narrow(number, 1);
    else if (status >= FIRST_REFUSAL) return;
    else if (this.#window < FIRST_WINDOW) this.#window += 1;
    else if (durationMs > SLOW_MS) this.#narrow(number, FIRST_WINDOW);
    else if (durationMs > QUICK_MS) this.#widen(1 / this.#window, STEADY_WINDOW);
    else this.#widen(this.#isCareful ? 1 / this.#window : 1, LARGEST_WINDOW);
  }

  get #isCareful(): boolean {
    return this.#window >= this.#knownGood && this.#window < STEADY_WINDOW;
  }

  #widen(step: number, most: number): void {
    if (this.#window < most) this.#window = Math.min(this.#window + step, most);
  }

  /** Attempts that began together narrow the window only once. */
  #narrow(number: number, least: number): void {
    if (number <= this.#narrowedAt) return;
    this.#narrowedAt = this.#begun;
    this.#window = Math.max(Math.floor(this.#window / 2), Math.min(least, this.#window));
    this.#knownGood = this.#window;
  }
}
