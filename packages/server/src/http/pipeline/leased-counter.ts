import { LRUCache } from 'lru-cache';
import {
  type Budgets,
  type Grant,
  quarterHourOf,
  secondsLeftOfTen,
  shareOf,
  tenOf,
} from './budgets.ts';
import type { Count, RateCounter, WindowCounts } from './rate-limit.ts';

/** What this process holds of one budget. */
interface Lease {
  second: number;
  /** Of each second to the end of these ten. */
  share: number;
  shareSpent: number;
  /** Of this second alone. */
  block: number;
  spent: number;
  /** Free in the shared budget, as it was told last. */
  left: number;
  held: number;
  quarterHourLeft: number;
  /** Of this quarter of an hour, to be given back with the next question. */
  unused: number;
  isUsedUp: boolean;
  waiting: number;
  asking: Promise<void> | null;
}

/**
 * Counts in memory what was leased from a budget that several processes share (API-7). All leases
 * together never exceed the budget. A process leases a small share of each second for ten seconds
 * at once, and beyond it blocks of one second, which grow with what it spends.
 */
export class LeasedCounter implements RateCounter {
  readonly #budgets: Budgets;
  readonly #leases: LRUCache<string, Lease>;

  constructor(budgets: Budgets, max = 100_000) {
    this.#budgets = budgets;
    // `max` would reserve the memory of all at once, in each sandbox.
    this.#leases = new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
  }

  count(count: Count): WindowCounts | Promise<WindowCounts> {
    let lease = this.#leases.get(count.key);
    if (!lease) {
      lease = emptyLease(count.second);
      this.#leases.set(count.key, lease);
    }
    return this.#countOn(lease, count);
  }

  #countOn(lease: Lease, count: Count): WindowCounts | Promise<WindowCounts> {
    turnTo(lease, count.second, count.perSecond);
    if (spend(lease)) return countsOf(lease, count);
    if (lease.isUsedUp) return refusedOn(lease, count);
    return this.#wait(lease, count);
  }

  async #wait(lease: Lease, count: Count): Promise<WindowCounts> {
    lease.waiting += 1;
    try {
      lease.asking ??= this.#ask(lease, count).finally(() => {
        lease.asking = null;
      });
      await lease.asking;
    } finally {
      lease.waiting -= 1;
    }
    return this.#countOn(lease, count);
  }

  async #ask(lease: Lease, { key, perSecond, perQuarterHour }: Count): Promise<void> {
    const { second, share, waiting, spent, left, unused } = lease;
    const ahead = Math.min(spent, Math.floor(left / 8));
    // If the answer is lost, it may have been given back: giving it back twice would grant too much.
    lease.unused = 0;
    const granted = await this.#budgets.ask({
      ...{ key, second, perSecond, perQuarterHour },
      share: share === 0 ? shareOf(perSecond) : 0,
      block: Math.max(waiting, ahead),
      returned: unused,
    });
    take(lease, granted, perSecond);
  }
}

function emptyLease(second: number): Lease {
  return {
    second,
    ...{ share: 0, shareSpent: 0, block: 0, spent: 0 },
    ...{ left: 0, held: 0, quarterHourLeft: 0, unused: 0 },
    ...{ isUsedUp: false, waiting: 0, asking: null },
  };
}

/** A request of an older second counts in the newest. */
function turnTo(lease: Lease, second: number, perSecond: number): void {
  if (second <= lease.second) return;
  const passed = Math.min(second - lease.second, secondsLeftOfTen(lease.second));
  lease.unused += lease.block + lease.share * passed - lease.shareSpent;
  if (quarterHourOf(second) !== quarterHourOf(lease.second)) lease.unused = 0;
  if (tenOf(second) !== tenOf(lease.second)) lease.share = 0;
  lease.second = second;
  lease.shareSpent = 0;
  lease.block = 0;
  lease.spent = 0;
  lease.left = perSecond - lease.held;
  lease.isUsedUp = false;
}

function spend(lease: Lease): boolean {
  if (lease.shareSpent < lease.share) lease.shareSpent += 1;
  else if (lease.block > 0) lease.block -= 1;
  else return false;
  lease.spent += 1;
  return true;
}

function take(lease: Lease, granted: Grant, perSecond: number): void {
  turnTo(lease, granted.second, perSecond);
  const isNow = granted.second === lease.second;
  const isSameTen = tenOf(granted.second) === tenOf(lease.second);
  if (isSameTen && granted.share > 0) lease.share = granted.share;
  lease.held = granted.held;
  lease.quarterHourLeft = granted.quarterHourLeft;
  if (isNow) {
    lease.block += granted.block;
    lease.left = granted.left;
    lease.isUsedUp = granted.share === 0 && granted.block === 0;
    return;
  }
  // The second ended before the answer came.
  if (quarterHourOf(granted.second) !== quarterHourOf(lease.second)) return;
  const passed = Math.min(lease.second - granted.second, secondsLeftOfTen(granted.second));
  lease.unused += granted.block + granted.share * passed;
}

function refusedOn(lease: Lease, count: Count): WindowCounts {
  const counts = countsOf(lease, count);
  return counts.quarterHour < count.perQuarterHour
    ? { ...counts, second: count.perSecond + 1 }
    : { ...counts, quarterHour: count.perQuarterHour + 1 };
}

function countsOf(lease: Lease, { perSecond, perQuarterHour }: Count): WindowCounts {
  const { second, left, block, share, shareSpent, quarterHourLeft, unused } = lease;
  const own = block + share - shareSpent;
  return {
    second: perSecond - Math.min(perSecond, left + own),
    quarterHour: perQuarterHour - Math.min(perQuarterHour, quarterHourLeft + unused + own),
    countedInSecond: second,
  };
}
