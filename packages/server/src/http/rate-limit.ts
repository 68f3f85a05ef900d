/** How many requests a key may make, in clock-aligned windows (decisions C7). */
export interface RateLimits {
  readonly perSecond: number;
  readonly perQuarterHour: number;
}

/** One fixed window: `index` counts windows since the epoch. */
export interface Window {
  readonly lengthMs: number;
  readonly index: number;
}

/** How many requests of the key fell into each window, this one included. */
export interface WindowCounts {
  readonly second: number;
  readonly quarterHour: number;
}

/** One request to be counted. */
export interface Count {
  readonly key: string;
  readonly second: Window;
  readonly quarterHour: Window;
  /** A request beyond this is not charged to the quarter hour: a burst costs no long ban. */
  readonly perSecond: number;
}

/** Counts requests; one in memory for one process, one in the database for several. */
export interface RateCounter {
  count(count: Count): WindowCounts | Promise<WindowCounts>;
}

/** The verdict on one request, ready for the headers of C7. */
export interface RateVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** When the window that binds ends, in epoch seconds. */
  readonly resetSeconds: number;
  readonly retryAfterSeconds: number;
}

const SECOND_MS = 1_000;
const QUARTER_HOUR_MS = 900_000;

/** Takes one request of `key` at `nowMs` from its budget, and says whether it fits. */
export async function takeRequest(
  counter: RateCounter,
  limits: RateLimits,
  key: string,
  nowMs: number,
): Promise<RateVerdict> {
  const second = { lengthMs: SECOND_MS, index: Math.floor(nowMs / SECOND_MS) };
  const quarterHour = { lengthMs: QUARTER_HOUR_MS, index: Math.floor(nowMs / QUARTER_HOUR_MS) };
  const { perSecond } = limits;
  const counts = await counter.count({ key, second, quarterHour, perSecond });
  const secondLeft = perSecond - counts.second;
  const quarterHourLeft = limits.perQuarterHour - counts.quarterHour;
  const binding = quarterHourLeft < secondLeft ? quarterHour : second;
  const resetMs = (binding.index + 1) * binding.lengthMs;
  const left = Math.min(secondLeft, quarterHourLeft);
  return {
    allowed: left >= 0,
    remaining: Math.max(0, left),
    resetSeconds: Math.ceil(resetMs / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil((resetMs - nowMs) / 1000)),
  };
}

interface Entry {
  secondIndex: number;
  second: number;
  quarterHourIndex: number;
  quarterHour: number;
}

/** The budget of one process. It forgets its oldest key when it holds `maxKeys`. */
export class MemoryRateCounter implements RateCounter {
  readonly #entries = new Map<string, Entry>();
  readonly #maxKeys: number;

  constructor(maxKeys = 100_000) {
    this.#maxKeys = maxKeys;
  }

  count({ key, second, quarterHour, perSecond }: Count): WindowCounts {
    const entry = this.#entries.get(key) ?? this.#admit(key);
    if (entry.secondIndex !== second.index) {
      entry.secondIndex = second.index;
      entry.second = 0;
    }
    if (entry.quarterHourIndex !== quarterHour.index) {
      entry.quarterHourIndex = quarterHour.index;
      entry.quarterHour = 0;
    }
    entry.second += 1;
    if (entry.second <= perSecond) entry.quarterHour += 1;
    // A copy: the entry goes on counting before the caller, who awaits, reads it.
    return { second: entry.second, quarterHour: entry.quarterHour };
  }

  #admit(key: string): Entry {
    if (this.#entries.size >= this.#maxKeys) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    const entry = { secondIndex: -1, second: 0, quarterHourIndex: -1, quarterHour: 0 };
    this.#entries.set(key, entry);
    return entry;
  }
}
