import { machineClock } from '@servery/support/clock.ts';

const SECOND_MS = 1_000;

/** Whoever waits longer for an answer, in milliseconds, waits for a process that was held up. */
const HELD_UP_MS = 700;

/** What the answers of one second tell of a budget. */
interface Second {
  /** When it ends, in epoch seconds. */
  readonly reset: number;
  /** What was left after each request that passed. */
  readonly left: number[];
  /** How many did not pass. */
  refused: number;
}

/** An answer with the headers of a budget. */
interface Budgeted {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * What the answers to one account tell of its budget, second by second. Around an answer that was
 * held up no second is judged: a request that is counted more than a window late counts as one of
 * now, and a worker that is not answered for a second counts in the database.
 */
export class BudgetSeconds {
  readonly #seconds = new Map<number, Second>();
  readonly #disturbed = new Set<number>();
  #sound = 0;

  /** Begins in the middle of a second, of which nobody knows what passed before. */
  constructor() {
    this.#disturb(machineClock.nowMs(), machineClock.nowMs());
  }

  /** Sends a request, and takes down what its answer tells. */
  async watch(send: () => Promise<Budgeted>): Promise<void> {
    const sentMs = machineClock.nowMs();
    const { status, headers } = await send();
    const answeredMs = machineClock.nowMs();
    const reset = Number(headers['x-platform-ratelimit-reset']);
    const second = this.#seconds.get(reset) ?? { reset, left: [], refused: 0 };
    this.#seconds.set(reset, second);
    if (status === 429) second.refused += 1;
    else second.left.push(Number(headers['x-platform-ratelimit-remaining']));
    if (answeredMs - sentMs > HELD_UP_MS) this.#disturb(sentMs, answeredMs);
  }

  /** Those whose whole budget was used up, and that can be judged. */
  full(): Second[] {
    return [...this.#seconds.values()].filter(
      ({ reset, refused }) => refused > 0 && reset > this.#sound && !this.#disturbed.has(reset),
    );
  }

  /** The seconds since the epoch up to this one, and the next, are judged no more. */
  forgetUntil(index: number): void {
    this.#sound = Math.max(this.#sound, index + 2);
  }

  /** With one second before and one behind: clocks of processes differ a little. */
  #disturb(fromMs: number, toMs: number): void {
    const last = Math.floor(toMs / SECOND_MS) + 2;
    for (let reset = Math.floor(fromMs / SECOND_MS); reset <= last; reset += 1) {
      this.#disturbed.add(reset);
    }
  }
}
