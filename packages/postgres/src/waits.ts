import { machineTimer, type Timer } from '@servery/support/timer.ts';

/** When to give up a server that does not answer. Durations are in milliseconds. */
export interface Patience {
  /** After so long without an answer, a probe asks over another connection whether it is alive. */
  readonly silenceMs: number;
  readonly probeMs: number;
  /** How much longer than the server's own limit of a statement its answer may take. */
  readonly marginMs: number;
}

const USUAL: Patience = { silenceMs: 5_000, probeMs: 5_000, marginMs: 5_000 };

export interface Waiting {
  /** Something was sent, for which the server has `timeoutMs`; 0 is no limit. */
  begin(timeoutMs: number): void;
  answered(): void;
  forget(): void;
}

/**
 * Watches the sessions that wait for an answer, and gives up those that will hardly get one. A
 * statement may take long; but a server that is frozen, or behind a broken network, ends neither
 * the statement nor the connection. So each answer has a limit, and if even a new connection gets no
 * answer, everything that waits for that host is given up at once. If nothing at all came from there
 * meanwhile, so are the idle sessions: otherwise each of them would have to be tried in vain.
 */
export class Waits {
  readonly #probe: (hostIndex: number) => Promise<boolean>;
  readonly #patience: Patience;
  readonly #sessions = new Set<Waiter>();
  readonly #waiting = new Set<Waiter>();
  /** When each host answered last, over whichever session. */
  readonly #heardAtMs = new Map<number, number>();
  /** Hosts that are being probed, or were a moment ago. */
  readonly #asked = new Set<number>();
  readonly #timer: Timer;
  /** Null while no session waits. */
  #tickedAtMs: number | null = null;
  /** For how long this process was suspended, in total. */
  #heldMs = 0;

  /** `probe` finds out whether a host answers at all; it never rejects, and may take any time. */
  constructor(
    probe: (hostIndex: number) => Promise<boolean>,
    patience: Patience = USUAL,
    timer: Timer = machineTimer,
  ) {
    this.#probe = probe;
    this.#patience = patience;
    this.#timer = timer;
  }

  /** Watches a new session, whose connection is there. */
  of(hostIndex: number, giveUp: (silence: Error) => void): Waiting {
    const waiter: Waiter = { hostIndex, giveUp, sinceMs: 0, limitMs: 0, count: 0 };
    this.#sessions.add(waiter);
    this.#heardAtMs.set(hostIndex, this.#timer.elapsedMs());
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
        if (this.#sessions.has(waiter)) this.#heardAtMs.set(hostIndex, waiter.sinceMs);
        if (waiter.count === 0) this.#waiting.delete(waiter);
      },
      forget: () => this.#forget(waiter),
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
      else if (waitedMs > silenceMs && !this.#asked.has(waiter.hostIndex))
        void this.#ask(waiter.hostIndex);
    }
    if (this.#waiting.size > 0) this.#tickSoon();
  }

  get #intervalMs(): number {
    return this.#patience.silenceMs / 5;
  }

  /**
   * A tick that comes far too late means that the machine suspended this process, and perhaps the
   * database with it. That time does not count as waiting.
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

  async #ask(hostIndex: number): Promise<void> {
    const { silenceMs, probeMs } = this.#patience;
    this.#asked.add(hostIndex);
    const askedAtMs = this.#timer.elapsedMs();
    const heldBeforeMs = this.#heldMs;
    const { promise: tooLate, resolve } = Promise.withResolvers<false>();
    const cancel = this.#timer.after(probeMs, () => resolve(false), false);
    const answers = await Promise.race([this.#probe(hostIndex), tooLate]);
    cancel();
    this.#leaveOutHold();
    // A host that was suspended with this process had no time to answer: it is probed again.
    const hadTime = this.#heldMs - heldBeforeMs < probeMs / 2;
    if (!answers && hadTime) this.#giveUpHost(hostIndex, askedAtMs);
    // A statement that just takes long is no reason to connect again and again.
    this.#timer.after(answers ? silenceMs : 0, () => this.#asked.delete(hostIndex), false);
  }

  #giveUpHost(hostIndex: number, askedAtMs: number): void {
    const nowMs = this.#timer.elapsedMs();
    const heardAtMs = this.#heardAtMs.get(hostIndex) ?? 0;
    const isSilent = heardAtMs < askedAtMs;
    for (const session of isSilent ? this.#sessions : this.#waiting) {
      const waitedMs = nowMs - (isSilent ? heardAtMs : session.sinceMs);
      const isLate = isSilent || waitedMs > this.#patience.silenceMs;
      if (session.hostIndex === hostIndex && isLate) this.#giveUp(session, waitedMs);
    }
  }

  #forget(session: Waiter): void {
    this.#sessions.delete(session);
    this.#waiting.delete(session);
  }

  #waited(): readonly { readonly waitedMs: number; readonly waiter: Waiter }[] {
    const nowMs = this.#timer.elapsedMs();
    return [...this.#waiting].map((waiter) => ({ waitedMs: nowMs - waiter.sinceMs, waiter }));
  }

  #giveUp(waiter: Waiter, waitedMs: number): void {
    this.#forget(waiter);
    const error = new Error(`the database gave no answer for ${Math.round(waitedMs)} ms`);
    waiter.giveUp(Object.assign(error, { code: 'CONNECTION_SILENT' }));
  }
}

interface Waiter {
  readonly hostIndex: number;
  readonly giveUp: (silence: Error) => void;
  sinceMs: number;
  /** How long the server may take for the newest thing that was sent. */
  limitMs: number;
  count: number;
}
