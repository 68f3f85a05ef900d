/** Every process has looked at the environment's clock after so much real time at most. */
const LAG_MS = 1_000;
/** Whoever moves the clock and dies is believed for so much real time. */
const HOLD_MS = 5_000;

/** A process that follows the environment's clock. */
export interface Follower {
  isDead: boolean;
  /** How far the clock was moved without its having looked since; below 0 when it went back. */
  unseenMs: number;
  /** The real time of the first move that it has not seen; null when it has seen all. */
  unseenSinceRealMs: number | null;
}

/** One move of the clock, in epoch milliseconds of the environment. */
interface Move {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The environment's clock, which can be moved ahead and back, and how each process sees it: one
 * that has not looked since a move still goes by the clock of before it.
 */
export class EnvironmentTime {
  readonly isFrozen: boolean;
  #nowMs: number;
  #wentBackMs = 0;
  readonly #moves: Move[] = [];
  readonly #followers = new Set<Follower>();
  #holder: { readonly process: Follower; diedRealMs: number | null } | null = null;
  #peakMs: number;
  #stampPeakMs: number;

  constructor(nowMs: number, isFrozen: boolean) {
    this.#nowMs = nowMs;
    this.isFrozen = isFrozen;
    this.#peakMs = nowMs;
    this.#stampPeakMs = nowMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** How far time went on since the epoch, for those who do not notice that the clock went back. */
  get travelledMs(): number {
    return this.#nowMs + this.#wentBackMs;
  }

  /** The latest instant at which the clock stood while what is under way was. */
  get peakMs(): number {
    return Math.max(this.#peakMs, this.#nowMs);
  }

  /** The latest instant that a process can have read while what is under way was. */
  get stampPeakMs(): number {
    return Math.max(this.#stampPeakMs, this.peakMs, ...this.#views());
  }

  /** Somebody moves the clock: it stands still, and nobody else may move it. */
  get isHeld(): boolean {
    return this.#holder !== null;
  }

  viewOf(process: Follower): number {
    return this.#nowMs - process.unseenMs;
  }

  follow(process: Follower): void {
    this.#followers.add(process);
  }

  /** A process looks at the clock; false while somebody moves it. */
  look(process: Follower): boolean {
    this.#stampPeakMs = Math.max(this.#stampPeakMs, this.viewOf(process));
    process.unseenMs = 0;
    process.unseenSinceRealMs = null;
    return !this.isHeld;
  }

  /** Nothing is under way: what was read before does not matter anymore. */
  rest(): void {
    this.#peakMs = this.#nowMs;
    this.#stampPeakMs = this.#nowMs;
  }

  hold(process: Follower): void {
    this.#holder = { process, diedRealMs: null };
  }

  release(): void {
    this.#holder = null;
  }

  onDeath(process: Follower, realMs: number): void {
    this.#stampPeakMs = Math.max(this.#stampPeakMs, this.viewOf(process));
    this.#followers.delete(process);
    if (this.#holder?.process === process) this.#holder.diedRealMs = realMs;
  }

  /** Those in `seenBy` know of the move at once. */
  move(durationMs: number, realMs: number, seenBy: (process: Follower) => boolean): void {
    if (durationMs === 0) return;
    const move = { fromMs: this.#nowMs, toMs: this.#nowMs + durationMs };
    this.#peakMs = this.peakMs;
    this.#stampPeakMs = this.stampPeakMs;
    this.#moves.push(move);
    this.#nowMs = move.toMs;
    if (durationMs < 0) this.#wentBackMs -= durationMs;
    for (const process of this.#followers) {
      process.unseenMs += durationMs;
      process.unseenSinceRealMs ??= realMs;
      if (seenBy(process)) this.look(process);
    }
  }

  /** Real time has come to `realMs`, `durationMs` after it was told last. */
  pass(realMs: number, durationMs: number): void {
    if (!this.isFrozen && !this.isHeld) this.#nowMs += durationMs;
    const diedRealMs = this.#holder?.diedRealMs ?? null;
    if (diedRealMs !== null && realMs - diedRealMs >= HOLD_MS) this.release();
    for (const process of this.#followers) {
      const { unseenSinceRealMs } = process;
      if (unseenSinceRealMs !== null && realMs - unseenSinceRealMs >= LAG_MS) this.look(process);
    }
  }

  /** Whether the clock stood at or after an instant that somebody stamped, and then before it. */
  wentBackPast(atMs: number): boolean {
    return this.#moves.some(({ fromMs, toMs }) => fromMs + LAG_MS >= atMs && toMs < atMs);
  }

  /** Whether somebody may have stamped `laterMs` before somebody else stamped `earlierMs`. */
  mayStamp(laterMs: number, earlierMs: number): boolean {
    const instantsMs = this.#moves.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
    return Math.min(...instantsMs) <= earlierMs && laterMs <= Math.max(...instantsMs) + LAG_MS;
  }

  #views(): number[] {
    return [...this.#followers].map((process) => this.viewOf(process));
  }
}
