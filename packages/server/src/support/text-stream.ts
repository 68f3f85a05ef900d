/**
 * A text for one reader, piece by piece: what is told before the reader asks waits. It ends for
 * the reader when what waited is read.
 */
export class TextStream implements AsyncIterable<string>, AsyncIterator<string> {
  readonly #pieces: string[];
  readonly #onEnd: () => void;
  #waiting: ((result: IteratorResult<string>) => void) | null = null;
  #isEnded = false;

  /** Takes the first piece; `onEnd` is called when it ends, or when its reader went away. */
  constructor(first: string, onEnd: () => void) {
    this.#pieces = [first];
    this.#onEnd = onEnd;
  }

  /** How many pieces wait for the reader. */
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

  /** The reader went away. */
  async return(): Promise<IteratorResult<string>> {
    this.end();
    return { done: true, value: undefined };
  }

  /** Tells a piece; nothing once it has ended. */
  tell(piece: string): void {
    if (this.#isEnded) return;
    if (this.#waiting) {
      this.#waiting({ done: false, value: piece });
      this.#waiting = null;
    } else this.#pieces.push(piece);
  }

  /** Nothing more is told. */
  end(): void {
    this.#isEnded = true;
    this.#onEnd();
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = null;
  }

  /** Nothing more is told, and not what waits either. */
  breakOff(): void {
    this.#pieces.length = 0;
    this.end();
  }
}
