import type { Timer } from '@servery/support/timer.ts';

/** A timer that a test moves. */
export class ManualTimer implements Timer {
  #nowMs = 0;
  readonly #waiting = new Set<{ readonly atMs: number; readonly act: () => void }>();

  after(durationMs: number, act: () => void): () => void {
    const entry = { atMs: this.#nowMs + durationMs, act };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  /** How many waits there are. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Lets time pass, and what is due happen. */
  advance(durationMs: number): void {
    this.#nowMs += durationMs;
    for (const entry of [...this.#waiting]) {
      if (entry.atMs > this.#nowMs) continue;
      this.#waiting.delete(entry);
      entry.act();
    }
  }
}
