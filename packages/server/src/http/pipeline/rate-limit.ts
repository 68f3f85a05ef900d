export interface RateLimits {
  readonly perSecond: number;
  readonly perQuarterHour: number;
  /** Requests per second that one client sends to such an operation at one restaurant. */
  readonly ofOperations?: Readonly<Record<string, number>>;
}

export interface WindowCounts {
  readonly second: number;
  readonly quarterHour: number;
  /** The second that the request counted in: later than its own if it had to wait. */
  readonly countedIn: number;
}

export interface Count {
  readonly key: string;
  /** Windows, numbered from the epoch on. */
  readonly second: number;
  readonly quarterHour: number;
  /** Requests beyond it do not count for the quarter hour, so a burst causes no long ban. */
  readonly perSecond: number;
  readonly perQuarterHour: number;
}

export interface RateCounter {
  count(count: Count): WindowCounts | Promise<WindowCounts>;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly retryAfterSeconds: number;
  /** True if the operation's own limit is the nearest. */
  readonly isOfOperation?: boolean;
}

/** What a request counts for. */
export interface Budget {
  readonly key: string;
  readonly by: 'CLIENT_AND_RESTAURANT' | 'IP_ADDRESS';
}

const SECOND_MS = 1_000;
const QUARTER_HOUR_MS = 900_000;

/** A promise only if the counter gives one. */
export function takeRequest(
  counter: RateCounter,
  limits: RateLimits,
  { key, by }: Budget,
  nowMs: number,
  operation: string | null = null,
): RateVerdict | Promise<RateVerdict> {
  const whole = take(counter, limits, key, nowMs);
  const perSecond = limits.ofOperations?.[operation ?? ''];
  if (perSecond === undefined || by === 'IP_ADDRESS') return whole;
  const ownLimits = { perSecond, perQuarterHour: Number.MAX_SAFE_INTEGER };
  const own = take(counter, ownLimits, `${key} ${operation}`, nowMs);
  return whole instanceof Promise || own instanceof Promise
    ? Promise.all([whole, own]).then((both) => nearestOf(...both))
    : nearestOf(whole, own);
}

function take(
  counter: RateCounter,
  limits: RateLimits,
  key: string,
  nowMs: number,
): RateVerdict | Promise<RateVerdict> {
  const counts = counter.count(countOf(limits, key, nowMs));
  return counts instanceof Promise
    ? counts.then((counted) => verdictOn(limits, counted, nowMs))
    : verdictOn(limits, counts, nowMs);
}

function nearestOf(whole: RateVerdict, own: RateVerdict): RateVerdict {
  const isWhole = !whole.allowed || (own.allowed && whole.remaining < own.remaining);
  return isWhole ? whole : { ...own, isOfOperation: true };
}

function countOf({ perSecond, perQuarterHour }: RateLimits, key: string, nowMs: number): Count {
  return {
    key,
    second: Math.floor(nowMs / SECOND_MS),
    quarterHour: Math.floor(nowMs / QUARTER_HOUR_MS),
    perSecond,
    perQuarterHour,
  };
}

function verdictOn(
  { perSecond, perQuarterHour }: RateLimits,
  counts: WindowCounts,
  nowMs: number,
): RateVerdict {
  const secondLeft = perSecond - counts.second;
  const quarterHourLeft = perQuarterHour - counts.quarterHour;
  const isQuarterHour = quarterHourLeft < secondLeft;
  const endMs = (counts.countedIn + 1) * SECOND_MS;
  const resetMs = isQuarterHour ? Math.ceil(endMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS : endMs;
  const left = Math.min(secondLeft, quarterHourLeft);
  return {
    allowed: left >= 0,
    remaining: Math.max(0, left),
    resetSeconds: Math.ceil(resetMs / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil((resetMs - nowMs) / 1000)),
  };
}

interface Used {
  index: number;
  now: number;
  before: number;
}

/**
 * Late requests count in their own window if it is the newest or the one before. Forgets the oldest
 * key at `maxKeys`.
 */
export class MemoryRateCounter {
  readonly #entries = new Map<string, { readonly second: Used; readonly quarterHour: Used }>();
  readonly #maxKeys: number;

  constructor(maxKeys = 100_000) {
    this.#maxKeys = maxKeys;
  }

  count({ key, second, quarterHour, perSecond }: Count): WindowCounts {
    let entry = this.#entries.get(key);
    if (!entry) {
      const [oldest] = this.#entries.size < this.#maxKeys ? [] : this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
      entry = { second: unused(), quarterHour: unused() };
      this.#entries.set(key, entry);
    }
    const used = charge(entry.second, second, 1);
    return {
      second: used,
      quarterHour: charge(entry.quarterHour, quarterHour, used <= perSecond ? 1 : 0),
      countedIn: second,
    };
  }
}

function unused(): Used {
  return { index: -1, now: 0, before: 0 };
}

/** Anything later than one window counts as new, because the work happens now. */
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
