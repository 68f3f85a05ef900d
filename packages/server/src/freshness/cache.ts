import { LRUCache } from 'lru-cache';
import { type Revision, readRevisions } from './change-mark-store.ts';
import { type Freshness, type Stamp, type Subject, stampOf } from './freshness.ts';

export interface Cached<Value> {
  readonly value: Value;
  readonly stamp: Stamp;
}

export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

export interface CacheOptions<Value> {
  readonly freshness: Freshness;
  readonly maxBytes: number;
  readonly bytesOf: (value: Value) => number;
}

/**
 * For a read whose only statement brings the counters along, as `revisionsSeen`. There is none in a
 * cluster: it would read counters and rows on different nodes, at different moments.
 */
export interface Sight {
  readonly buckets: readonly number[];
  saw(seen: string | null): void;
}

interface Reading<Value> {
  readonly stamp: Stamp;
  readonly outcome: Promise<Cached<Value> | null>;
}

const ENTRY_BYTES = 200;

/**
 * Never returns what has changed since (architecture rule 6): asks `Freshness` each time, and reads
 * again if that does not know.
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

  find(key: string): Cached<Value> | null {
    const found = this.#entries.get(key);
    if (found === undefined || !this.isGood(found.stamp)) {
      this.#misses += 1;
      return null;
    }
    this.#hits += 1;
    return found;
  }

  /** Whether the key has no current value and one could be stored. Does not count as a use. */
  lacks(key: string): boolean {
    if (!this.#freshness.isKnown()) return false;
    const found = this.#entries.peek(key);
    return found === undefined || !this.#freshness.isCurrent(found.stamp);
  }

  isGood(stamp: Stamp): boolean {
    return this.#freshness.isKnown() && this.#freshness.isCurrent(stamp);
  }

  /** Null is not remembered. */
  async get(
    key: string,
    subjects: readonly Subject[],
    read: (sight: Sight | null) => Promise<Value | null>,
  ): Promise<Cached<Value> | null> {
    const known = this.find(key);
    if (known) return known;
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

  put(key: string, cached: Cached<Value>): void {
    const { stamp } = cached;
    const known = this.#entries.peek(key)?.stamp;
    // The reading that started later may have seen more and ended sooner.
    const isOlder = known && known.moment > stamp.moment && this.#freshness.isCurrent(known);
    if (!isOlder && this.#freshness.isCurrent(stamp)) this.#entries.set(key, cached);
  }

  /** What came with another read, and would have been a miss here. */
  bring(key: string, cached: Cached<Value>): void {
    this.#misses += 1;
    this.put(key, cached);
  }

  use(): CacheUse {
    const { calculatedSize: bytes } = this.#entries;
    return { hits: this.#hits, misses: this.#misses, bytes };
  }

  async #read(
    key: string,
    stamp: Stamp,
    read: (sight: Sight | null) => Promise<Value | null>,
  ): Promise<Cached<Value> | null> {
    const { buckets } = stamp;
    let seen: readonly Revision[] | null = null;
    const saw = (text: string | null) => {
      seen = text === null ? null : readRevisions(text);
    };
    const value = await read(this.#freshness.isOfCluster() ? null : { buckets, saw });
    await this.#freshness.confirm(buckets, seen);
    if (value === null) return null;
    const cached = { value, stamp };
    this.put(key, cached);
    return cached;
  }
}
