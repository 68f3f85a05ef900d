/** For one reader. Pieces wait until it asks; the stream ends after the waiting ones. */
export class TextStream implements AsyncIterable<string>, AsyncIterator<string> {
  readonly #pieces: string[];
  readonly #onEnd: () => void;
  #waiting: ((result: IteratorResult<string>) => void) | null = null;
  #isEnded = false;

  /** `onEnd` runs when the stream ends or its reader goes away. */
  constructor(first: string, onEnd: () => void) {
    this.#pieces = [first];
    this.#onEnd = onEnd;
  }

  get length(): number {
    return this.#pieces.length;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this;
  }

  next(): Promise<IteratorResult<string>> {
    const piece = this.#pieces.shift();
    if (piece !== undefined) return Promise.resolve({ done: false, value: piece });
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  async return(): Promise<IteratorResult<string>> {
    this.end();
    return { done: true, value: undefined };
  }

  tell(piece: string): void {
    if (this.#isEnded) return;
    if (this.#waiting) {
      this.#waiting({ done: false, value: piece });
      this.#waiting = null;
    } else this.#pieces.push(piece);
  }

  end(): void {
    this.#isEnded = true;
    this.#onEnd();
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = null;
  }

  /** Drops the waiting pieces too. */
  breakOff(): void {
    this.#pieces.length = 0;
    this.end();
  }
}
