import { afterRealTime } from '../support/after-real-time.ts';
import { monotonicMs } from '../support/clock.ts';

/** When a server that does not answer is given up. Durations are in milliseconds. */
export interface Patience {
  /** After so long without an answer the server is asked, over another connection, if it lives. */
  readonly silenceMs: number;
  /** So long it has for that. */
  readonly probeMs: number;
  /** So much longer than the server's own limit of a statement its answer may take. */
  readonly marginMs: number;
}

const USUAL: Patience = { silenceMs: 5_000, probeMs: 5_000, marginMs: 5_000 };

/** A session that may be waiting for an answer. */
export interface Waiting {
  /** Something was sent; the server has `timeoutMs` milliseconds for it, or 0 for no limit. */
  begin(timeoutMs: number): void;
  /** One of the things that were sent has come to its end. */
  answered(): void;
  /** The session has ended. */
  forget(): void;
}

/**
 * Watches the sessions of a database that wait for an answer, and gives up those that will hardly
 * get one. A statement may well take long; but a server that is frozen, or behind a broken network,
 * ends neither it nor the connection. So each answer has a limit, and where even a new connection
 * gets no answer, whatever waits there is given up at once.
 */
export class Waits {
  readonly #probe: (place: number) => Promise<boolean>;
  readonly #patience: Patience;
  readonly #waiting = new Set<Waiter>();
  /** Hosts that are being asked, or were a moment ago. */
  readonly #asked = new Set<number>();
  #isTicking = false;

  /** `probe` tells whether a host answers at all. It may take its time: it is not waited for. */
  constructor(probe: (place: number) => Promise<boolean>, patience: Patience = USUAL) {
    this.#probe = probe;
    this.#patience = patience;
  }

  /** Watches a session with the host `place`; `giveUp` ends it, with the reason as an Error. */
  of(place: number, giveUp: (silence: Error) => void): Waiting {
    const waiter: Waiter = { place, giveUp, sinceMs: 0, limitMs: 0, count: 0 };
    return {
      begin: (timeoutMs) => {
        waiter.limitMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs;
        waiter.count += 1;
        if (waiter.count > 1) return;
        waiter.sinceMs = monotonicMs();
        this.#waiting.add(waiter);
        this.#tickSoon();
      },
      answered: () => {
        waiter.count -= 1;
        waiter.sinceMs = monotonicMs();
        if (waiter.count === 0) this.#waiting.delete(waiter);
      },
      forget: () => this.#waiting.delete(waiter),
    };
  }

  #tickSoon(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    const tick = () => {
      this.#isTicking = false;
      this.#tick();
      if (this.#waiting.size > 0) this.#tickSoon();
    };
    afterRealTime(this.#patience.silenceMs / 5, tick, false);
  }

  #tick(): void {
    const { silenceMs, marginMs } = this.#patience;
    for (const { waitedMs, waiter } of this.#waited()) {
      if (waitedMs > waiter.limitMs + marginMs) this.#giveUp(waiter, waitedMs);
      else if (waitedMs > silenceMs && !this.#asked.has(waiter.place)) void this.#ask(waiter.place);
    }
  }

  async #ask(place: number): Promise<void> {
    const { silenceMs, probeMs } = this.#patience;
    this.#asked.add(place);
    const answers = await answersWithin(probeMs, this.#probe(place));
    if (!answers) {
      for (const { waitedMs, waiter } of this.#waited()) {
        if (waiter.place === place && waitedMs > silenceMs) this.#giveUp(waiter, waitedMs);
      }
    }
    // A statement that only takes long is no reason to connect again and again.
    afterRealTime(answers ? silenceMs : 0, () => this.#asked.delete(place), false);
  }

  #waited(): readonly { readonly waitedMs: number; readonly waiter: Waiter }[] {
    const nowMs = monotonicMs();
    return [...this.#waiting].map((waiter) => ({ waitedMs: nowMs - waiter.sinceMs, waiter }));
  }

  #giveUp(waiter: Waiter, waitedMs: number): void {
    this.#waiting.delete(waiter);
    const error = new Error(`the database gave no answer for ${Math.round(waitedMs)} ms`);
    waiter.giveUp(Object.assign(error, { code: 'CONNECTION_SILENT' }));
  }
}

interface Waiter {
  readonly place: number;
  readonly giveUp: (silence: Error) => void;
  /** Since when it has had no answer. */
  sinceMs: number;
  /** How long the server may take for the newest of what was sent. */
  limitMs: number;
  /** What was sent and has not come to its end. */
  count: number;
}

function answersWithin(limitMs: number, answers: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = afterRealTime(limitMs, () => resolve(false), false);
    void answers
      .catch(() => false)
      .then((isAnswered) => {
        cancel();
        resolve(isAnswered);
      });
  });
}
