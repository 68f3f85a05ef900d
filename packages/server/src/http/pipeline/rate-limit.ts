/** How many requests a key may make, in clock-aligned windows (decisions API-7). */
export interface RateLimits {
  readonly perSecond: number;
  readonly perQuarterHour: number;
}

/** One fixed window: `index` counts windows since the epoch. */
interface Window {
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

/** Counts requests: in memory for the processes of one machine, in the database for several. */
export interface RateCounter {
  count(count: Count): WindowCounts | Promise<WindowCounts>;
}

/** The verdict on one request, ready for the headers of API-7. */
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
  const count = countOf(limits, key, nowMs);
  return verdictOn(limits, count, await counter.count(count), nowMs);
}

/** One request of `key` at `nowMs`, in epoch milliseconds, as it is counted. */
export function countOf({ perSecond }: RateLimits, key: string, nowMs: number): Count {
  return {
    key,
    second: { lengthMs: SECOND_MS, index: Math.floor(nowMs / SECOND_MS) },
    quarterHour: { lengthMs: QUARTER_HOUR_MS, index: Math.floor(nowMs / QUARTER_HOUR_MS) },
    perSecond,
  };
}

/** Whether a request that was counted fits into its budget. */
export function verdictOn(
  { perSecond, perQuarterHour }: RateLimits,
  { second, quarterHour }: Count,
  counts: WindowCounts,
  nowMs: number,
): RateVerdict {
  const secondLeft = perSecond - counts.second;
  const quarterHourLeft = perQuarterHour - counts.quarterHour;
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

/** What a key has used of the newest window that was seen, and of the one before it. */
interface Used {
  index: number;
  now: number;
  before: number;
}

interface Entry {
  readonly second: Used;
  readonly quarterHour: Used;
}

/**
 * The budget of one process, or of all workers of one. Requests may come late, as they do where one
 * waited longer for its account than another or came by another worker: each is counted in its own
 * window, as long as that is the newest or the one before. It forgets its oldest key when it holds
 * `maxKeys`.
 */
export class MemoryRateCounter implements RateCounter {
  readonly #entries = new Map<string, Entry>();
  readonly #maxKeys: number;

  constructor(maxKeys = 100_000) {
    this.#maxKeys = maxKeys;
  }

  count({ key, second, quarterHour, perSecond }: Count): WindowCounts {
    const entry = this.#entries.get(key) ?? this.#admit(key);
    const used = charge(entry.second, second.index, 1);
    const isWithin = used <= perSecond;
    return {
      second: used,
      quarterHour: charge(entry.quarterHour, quarterHour.index, isWithin ? 1 : 0),
    };
  }

  #admit(key: string): Entry {
    if (this.#entries.size >= this.#maxKeys) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    const entry = { second: unused(), quarterHour: unused() };
    this.#entries.set(key, entry);
    return entry;
  }
}

function unused(): Used {
  return { index: -1, now: 0, before: 0 };
}

/** What is later than one window counts as new: it is work that is done now. */
function charge(used: Used, index: number, amount: number): number {
  if (index === used.index - 1) {
    used.before += amount;
    return used.before;
  }
  if (index > used.index) {
    used.before = index === used.index + 1 ? used.now : 0;
    used.now = 0;
    used.index = index;
  }
  used.now += amount;
  return used.now;
}
