import { QUARTER_HOUR, quarterHourOf } from './budgets.ts';

export interface RateLimits {
  readonly perSecond: number;
  readonly perQuarterHour: number;
  /** Requests per second that one client sends to such an operation at one restaurant. */
  readonly ofOperations?: Readonly<Record<string, number>>;
}

export interface WindowCounts {
  readonly second: number;
  readonly quarterHour: number;
  /** Later than the request's own second if it had to wait. */
  readonly countedInSecond: number;
}

export interface Count {
  readonly key: string;
  /** Numbered from the epoch on. */
  readonly second: number;
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
  const { countedInSecond } = counts;
  const resetSeconds = isQuarterHour
    ? (quarterHourOf(countedInSecond) + 1) * QUARTER_HOUR
    : countedInSecond + 1;
  const left = Math.min(secondLeft, quarterHourLeft);
  return {
    allowed: left >= 0,
    remaining: Math.max(0, left),
    resetSeconds,
    retryAfterSeconds: Math.max(1, Math.ceil(resetSeconds - nowMs / SECOND_MS)),
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

  count({ key, second, perSecond }: Count): WindowCounts {
    let entry = this.#entries.get(key);
    if (!entry) {
      const [oldest] = this.#entries.size < this.#maxKeys ? [] : this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
      entry = { second: unused(), quarterHour: unused() };
      this.#entries.set(key, entry);
    }
    const countedInSecond = windowOf(entry.second, second);
    const used = charge(entry.second, countedInSecond, 1);
    const quarterHour = windowOf(entry.quarterHour, quarterHourOf(countedInSecond));
    return {
      second: used,
      quarterHour: charge(entry.quarterHour, quarterHour, used <= perSecond ? 1 : 0),
      countedInSecond,
    };
  }
}

function unused(): Used {
  return { index: -1, now: 0, before: 0 };
}

/** Anything later than one window counts as new, because the work happens now. */
function windowOf({ index }: Used, own: number): number {
  return own < index - 1 ? index : own;
}

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
