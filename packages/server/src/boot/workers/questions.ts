import { LATE, within } from '@servery/support/timer.ts';

export class Questions<Answer> {
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  readonly #limitMs: number;
  #lastId = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Null if no answer comes in time, or none can come anymore. */
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

  /** Ignores the answer to a forgotten question. */
  answered(id: number, answer: Answer | null): void {
    this.#waiting.get(id)?.(answer);
  }

  end(): void {
    for (const resolve of this.#waiting.values()) resolve(null);
  }
}
