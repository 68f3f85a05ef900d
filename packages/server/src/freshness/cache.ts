import { LRUCache } from 'lru-cache';
import { type Freshness, type Stamp, type Subject, stampOf } from './freshness.ts';

/** What was read of the database, with the stamp of when. */
export interface Cached<Value> {
  readonly value: Value;
  readonly stamp: Stamp;
}

/** How often a cache was asked, and what it had. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
  /** What is remembered now, in bytes, as far as it is counted. */
  readonly bytes: number;
}

/** What a cache is made of. */
export interface CacheOptions<Value> {
  readonly freshness: Freshness;
  /** More than that is forgotten, what was not used for longest first. */
  readonly maxBytes: number;
  /** About how much a value takes, in bytes, at least 1; its key and stamp are counted beside. */
  readonly bytesOf: (value: Value) => number;
}

/** A reading that is under way. */
interface Reading<Value> {
  readonly stamp: Stamp;
  readonly outcome: Promise<Cached<Value> | null>;
}

/** What an entry takes beside its key and its value, in bytes, about. */
const ENTRY_BYTES = 200;

/**
 * Remembers what was read of the database, within bounds, and never gives what has changed since
 * (architecture rule 6): it asks `Freshness` each time, and reads again when that does not know.
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

  /** What is remembered under the key; null when there is nothing, or it may have changed. */
  find(key: string): Cached<Value> | null {
    const found = this.#entries.get(key);
    if (found === undefined || !this.isGood(found.stamp)) {
      this.#misses += 1;
      return null;
    }
    this.#hits += 1;
    return found;
  }

  /** Whether what has the stamp may be used now. */
  isGood(stamp: Stamp): boolean {
    return this.#freshness.isKnown() && this.#freshness.isCurrent(stamp);
  }

  /** What is remembered under the key, or else what `read` reads; null is not remembered. */
  async get(
    key: string,
    subjects: readonly Subject[],
    read: () => Promise<Value | null>,
  ): Promise<Cached<Value> | null> {
    return this.find(key) ?? (await this.#readOnce(key, subjects, read));
  }

  /** Remembers something that was read since the moment; a change since then makes it useless. */
  put(key: string, cached: Cached<Value>): void {
    const { stamp } = cached;
    const known = this.#entries.peek(key)?.stamp;
    // Of two readings the one that began later may have seen more, and may have ended sooner.
    const isOlder = known && known.moment > stamp.moment && this.#freshness.isCurrent(known);
    if (!isOlder && this.#freshness.isCurrent(stamp)) this.#entries.set(key, cached);
  }

  use(): CacheUse {
    const { calculatedSize: bytes } = this.#entries;
    return { hits: this.#hits, misses: this.#misses, bytes };
  }

  /** Many who come at once for the same cost one reading. */
  async #readOnce(
    key: string,
    subjects: readonly Subject[],
    read: () => Promise<Value | null>,
  ): Promise<Cached<Value> | null> {
    const underWay = this.#readings.get(key);
    // What began before a change that is known must not answer whoever comes after it.
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
