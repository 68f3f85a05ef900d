import { LATE, within } from '@servery/support/timer.ts';

/** Questions to another process, each with an id; one that is not answered in time is forgotten. */
export class Questions<Answer> {
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  readonly #limitMs: number;
  #lastId = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** How many wait for an answer. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Asks; null when no answer comes in time, or none can come any more. */
  async ask(send: (id: number) => void): Promise<Answer | null> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Answer | null>();
    this.#waiting.set(id, resolve);
    send(id);
    const answer = await within(promise, this.#limitMs);
    this.#waiting.delete(id);
    return answer === LATE ? null : answer;
  }

  /** An answer came; one to a question that was forgotten is nobody's. */
  answered(id: number, answer: Answer | null): void {
    this.#waiting.get(id)?.(answer);
  }

  /** No answer can come any more. */
  end(): void {
    for (const resolve of this.#waiting.values()) resolve(null);
  }
}
