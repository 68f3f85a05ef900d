/**
 * So many deliveries of an endpoint are claimed at first, and at most: even with answers that are
 * only just quick the last of them is sent within four seconds, long before its lease ends.
 */
export const FIRST_WINDOW = 4;
const LARGEST_WINDOW = 512;
/** So many at most of one that takes its time: about as many as are under way at once. */
const STEADY_WINDOW = 32;

/** An answer within so many milliseconds is quick, and one that takes longer than so many slow. */
const QUICK_MS = 250;
const SLOW_MS = 1_000;
const FIRST_REFUSAL = 300;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

/** How an attempt ended, as far as it tells how much an endpoint can take at once. */
export interface PacedAttempt {
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
}

/**
 * How many deliveries of one endpoint this process may have claimed. The window widens by one with
 * each quick answer until it was too wide once, and slowly from there on; with answers that are
 * neither quick nor slow it widens slowly, to as many as are under way at once. An endpoint that
 * fails is left with half of it, down to one, and one that answers slowly with no less than at
 * first. Whatever takes an event has its first window back soon.
 */
export class Pace {
  #window = FIRST_WINDOW;
  /** Beyond this it widens slowly: it has been too wide before. */
  #knownGood = LARGEST_WINDOW;
  #begun = 0;
  /** Attempts that began before this one began when the window was wider. */
  #narrowedAt = 0;

  get window(): number {
    return Math.floor(this.#window);
  }

  /** Takes note that an attempt begins; gives its number for `end`. */
  begin(): number {
    this.#begun += 1;
    return this.#begun;
  }

  /** Takes note of how an attempt ended. */
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

  /** It was too wide once, and what is claimed more of would be under way at the same time. */
  get #isCareful(): boolean {
    return this.#window >= this.#knownGood && this.#window < STEADY_WINDOW;
  }

  #widen(step: number, most: number): void {
    if (this.#window < most) this.#window = Math.min(this.#window + step, most);
  }

  /** What began together says one thing together. */
  #narrow(number: number, least: number): void {
    if (number <= this.#narrowedAt) return;
    this.#narrowedAt = this.#begun;
    this.#window = Math.max(Math.floor(this.#window / 2), Math.min(least, this.#window));
    this.#knownGood = this.#window;
  }
}
