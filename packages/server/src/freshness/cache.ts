import { LRUCache } from 'lru-cache';
import { type Freshness, type Stamp, type Subject, stampOf } from './freshness.ts';

/** Something that was read from the database. */
export interface Cached<Value> {
  readonly value: Value;
  readonly stamp: Stamp;
}

/** How a cache is used. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
  /** About how much is remembered now. */
  readonly bytes: number;
}

/** How to make a cache. */
export interface CacheOptions<Value> {
  readonly freshness: Freshness;
  /** Beyond it, the least recently used entries are dropped. */
  readonly maxBytes: number;
  /** About how many bytes a value takes, at least 1; key and stamp are counted separately. */
  readonly bytesOf: (value: Value) => number;
}

/** A reading that is under way. */
interface Reading<Value> {
  readonly stamp: Stamp;
  readonly outcome: Promise<Cached<Value> | null>;
}

/** About how many bytes an entry takes beside its key and its value. */
const ENTRY_BYTES = 200;

/**
 * Remembers what was read from the database, within bounds, and never returns what has changed since
 * (architecture rule 6): it asks `Freshness` each time, and reads again if that does not know.
 */
export class Cache<Value extends object> {
  readonly #freshness: Freshness;
  readonly #entries: LRUCache<string, Cached<Value>>;
  readonly #readings = new Map<string, Reading<Value>>();
  #hits = 0;
  #misses = 0;

  constructor({ freshness, maxBytes, bytesOf }: CacheOptions<Value>) {
    this.#freshness = freshness;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value }, key) => Math.ceil(ENTRY_BYTES + 2 * key.length + bytesOf(value)),
    });
  }

  /** Returns what is remembered; null if there is nothing, or it may have changed. */
  find(key: string): Cached<Value> | null {
    const found = this.#entries.get(key);
    if (found === undefined || !this.isGood(found.stamp)) {
      this.#misses += 1;
      return null;
    }
    this.#hits += 1;
    return found;
  }

  isGood(stamp: Stamp): boolean {
    return this.#freshness.isKnown() && this.#freshness.isCurrent(stamp);
  }

  /** Returns what is remembered, or else what `read` reads. Null is not remembered. */
  async get(
    key: string,
    subjects: readonly Subject[],
    read: () => Promise<Value | null>,
  ): Promise<Cached<Value> | null> {
    return this.find(key) ?? (await this.#readOnce(key, subjects, read));
  }

  /** Remembers something that was read, unless it has changed since. */
  put(key: string, cached: Cached<Value>): void {
    const { stamp } = cached;
    const known = this.#entries.peek(key)?.stamp;
    // Of two readings, the one that started later may have seen more, and may have ended sooner.
    const isOlder = known && known.moment > stamp.moment && this.#freshness.isCurrent(known);
    if (!isOlder && this.#freshness.isCurrent(stamp)) this.#entries.set(key, cached);
  }

  use(): CacheUse {
    const { calculatedSize: bytes } = this.#entries;
    return { hits: this.#hits, misses: this.#misses, bytes };
  }

  /** Many requests for the same thing at once cost one reading. */
  async #readOnce(
    key: string,
    subjects: readonly Subject[],
    read: () => Promise<Value | null>,
  ): Promise<Cached<Value> | null> {
    const underWay = this.#readings.get(key);
    // A reading that started before a known change must not answer a request after it.
    if (underWay && this.isGood(underWay.stamp)) return await underWay.outcome;
    const stamp = stampOf(this.#freshness.begin(), subjects);
    const reading = { stamp, outcome: this.#read(key, stamp, read) };
    this.#readings.set(key, reading);
    try {
      return await reading.outcome;
    } finally {
      if (this.#readings.get(key) === reading) this.#readings.delete(key);
    }
  }

  async #read(
    key: string,
    stamp: Stamp,
    read: () => Promise<Value | null>,
  ): Promise<Cached<Value> | null> {
    const value = await read();
    await this.#freshness.confirm(stamp.buckets);
    if (value === null) return null;
    const cached = { value, stamp };
    this.put(key, cached);
    return cached;
  }
}
