import { machineTimer, type Timer } from '@servery/support/timer.ts';

/** When a server that does not answer is given up. Durations are in milliseconds. */
export interface Patience {
  /** After so long without an answer the server is asked, over another connection, if it lives. */
  readonly silenceMs: number;
  /** How long it has to answer. */
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
  readonly #timer: Timer;
  /** When the last look at the sessions was; null while none waits. */
  #tickedAtMs: number | null = null;
  /** For how long this process was held, all in all. */
  #heldMs = 0;

  /** `probe` tells whether a host answers at all; it never fails. It may take any time. */
  constructor(
    probe: (place: number) => Promise<boolean>,
    patience: Patience = USUAL,
    timer: Timer = machineTimer,
  ) {
    this.#probe = probe;
    this.#patience = patience;
    this.#timer = timer;
  }

  /** Watches a session with the host `place`; `giveUp` ends it, with the reason as an Error. */
  of(place: number, giveUp: (silence: Error) => void): Waiting {
    const waiter: Waiter = { place, giveUp, sinceMs: 0, limitMs: 0, count: 0 };
    return {
      begin: (timeoutMs) => {
        waiter.limitMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs;
        waiter.count += 1;
        if (waiter.count > 1) return;
        waiter.sinceMs = this.#timer.elapsedMs();
        this.#waiting.add(waiter);
        this.#tickSoon();
      },
      answered: () => {
        waiter.count -= 1;
        waiter.sinceMs = this.#timer.elapsedMs();
        if (waiter.count === 0) this.#waiting.delete(waiter);
      },
      forget: () => this.#waiting.delete(waiter),
    };
  }

  #tickSoon(): void {
    if (this.#tickedAtMs !== null) return;
    this.#tickedAtMs = this.#timer.elapsedMs();
    this.#timer.after(this.#intervalMs, () => this.#tick(), false);
  }

  #tick(): void {
    const { silenceMs, marginMs } = this.#patience;
    this.#leaveOutHold();
    this.#tickedAtMs = null;
    for (const { waitedMs, waiter } of this.#waited()) {
      if (waitedMs > waiter.limitMs + marginMs) this.#giveUp(waiter, waitedMs);
      else if (waitedMs > silenceMs && !this.#asked.has(waiter.place)) void this.#ask(waiter.place);
    }
    if (this.#waiting.size > 0) this.#tickSoon();
  }

  get #intervalMs(): number {
    return this.#patience.silenceMs / 5;
  }

  /**
   * A tick that comes far too late means that the machine held this process, and perhaps the
   * database with it. Nobody waited in that time.
   */
  #leaveOutHold(): void {
    const nowMs = this.#timer.elapsedMs();
    const sinceTickMs = nowMs - (this.#tickedAtMs ?? nowMs);
    if (sinceTickMs <= 2 * this.#intervalMs) return;
    const heldMs = sinceTickMs - this.#intervalMs;
    for (const waiter of this.#waiting) waiter.sinceMs = Math.min(waiter.sinceMs + heldMs, nowMs);
    this.#tickedAtMs = nowMs;
    this.#heldMs += heldMs;
  }

  async #ask(place: number): Promise<void> {
    const { silenceMs, probeMs } = this.#patience;
    this.#asked.add(place);
    const heldBeforeMs = this.#heldMs;
    const answers = await this.#answersWithin(probeMs, this.#probe(place));
    this.#leaveOutHold();
    // A host that was held together with this process had no time to answer: it is asked again.
    const hadTime = this.#heldMs - heldBeforeMs < probeMs / 2;
    if (!answers && hadTime) {
      for (const { waitedMs, waiter } of this.#waited()) {
        if (waiter.place === place && waitedMs > silenceMs) this.#giveUp(waiter, waitedMs);
      }
    }
    // A statement that only takes long is no reason to connect again and again.
    this.#timer.after(answers ? silenceMs : 0, () => this.#asked.delete(place), false);
  }

  #answersWithin(limitMs: number, answers: Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#timer.after(limitMs, () => resolve(false), false);
      void answers.then((isAnswered) => {
        cancel();
        resolve(isAnswered);
      });
    });
  }

  #waited(): readonly { readonly waitedMs: number; readonly waiter: Waiter }[] {
    const nowMs = this.#timer.elapsedMs();
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
