/**
 * A memory of at most `limit` entries that forgets the least recently used one first. For facts
 * that can be worked out again and never change: it is never the only place that knows something.
 */
export class BoundedCache<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value remembered under the key, or undefined. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    // A Map keeps the order of insertion, so putting it in again makes it the youngest.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Remembers the value and forgets the oldest when there are too many. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  /** How many entries are remembered now. */
  get size(): number {
    return this.#entries.size;
  }
}
