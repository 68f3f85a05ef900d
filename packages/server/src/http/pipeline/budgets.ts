import { LRUCache } from 'lru-cache';

export const TEN = 10;
export const QUARTER_HOUR = 900;
/** All processes together may hold this part of a second's limit ahead of need. */
export const HELD_PART = 4;
const SHARES_OF_HELD = 4;

/** What a process asks of a budget that several processes share (API-7). */
export interface Ask {
  readonly key: string;
  /** Numbered from the epoch on. */
  readonly second: number;
  readonly perSecond: number;
  readonly perQuarterHour: number;
  /** Wanted for each second to the end of these ten; 0 if the process holds a share. */
  readonly share: number;
  /** Wanted for this second alone if there is no share left. */
  readonly block: number;
  /** Granted earlier in this quarter of an hour, and not used. */
  readonly returned: number;
}

export interface Grant {
  /** The newest second that anybody asked in: a slower clock begins no window anew. */
  readonly second: number;
  readonly share: number;
  readonly block: number;
  /** What all processes hold of each second to the end of these ten. */
  readonly held: number;
  /** Free after this grant. */
  readonly left: number;
  readonly quarterHourLeft: number;
}

export interface Budgets {
  ask(ask: Ask): Promise<Grant>;
}

/** A budget as it stands after a grant. */
export interface BudgetState {
  readonly second: number;
  /** Granted in blocks of this second. */
  readonly used: number;
  /** Granted in shares of each second of these ten. */
  readonly held: number;
  readonly quarterHourUsed: number;
}

export function shareOf(perSecond: number): number {
  return Math.max(1, Math.floor(perSecond / HELD_PART / SHARES_OF_HELD));
}

export function heldAtMost(perSecond: number): number {
  return Math.floor(perSecond / HELD_PART);
}

export function tenOf(second: number): number {
  return Math.floor(second / TEN);
}

export function secondsLeftOfTen(second: number): number {
  return TEN - (second % TEN);
}

export function quarterHourOf(second: number): number {
  return Math.floor(second / QUARTER_HOUR);
}

/** The statement in budget-store.ts decides the same. */
export function grant(
  before: BudgetState | null,
  ask: Ask,
): { readonly state: BudgetState; readonly grant: Grant } {
  const { second, used, held, quarterHourUsed } = turned(before, ask);
  const free = ask.perSecond - used - held;
  const quarterHourFree = ask.perQuarterHour - quarterHourUsed;
  const ahead = ask.share * secondsLeftOfTen(second);
  const isShared =
    ask.share > 0 &&
    held + ask.share <= heldAtMost(ask.perSecond) &&
    ask.share <= free &&
    ahead * HELD_PART <= quarterHourFree;
  const share = isShared ? ask.share : 0;
  const block = isShared ? 0 : Math.max(0, Math.min(ask.block, free, quarterHourFree));
  const state = {
    second,
    used: used + block,
    held: held + share,
    quarterHourUsed: quarterHourUsed + block + (isShared ? ahead : 0),
  };
  return { state, grant: grantOf(state, ask, share, block) };
}

export function grantOf(state: BudgetState, ask: Ask, share: number, block: number): Grant {
  const { second, used, held, quarterHourUsed } = state;
  const left = Math.max(0, ask.perSecond - used - held);
  const quarterHourLeft = Math.max(0, ask.perQuarterHour - quarterHourUsed);
  return { second, share, block, held, left, quarterHourLeft };
}

function turned(before: BudgetState | null, ask: Ask): BudgetState {
  if (!before) return { second: ask.second, used: 0, held: 0, quarterHourUsed: 0 };
  const second = Math.max(before.second, ask.second);
  const isSameQuarterHour = quarterHourOf(before.second) === quarterHourOf(second);
  const isReturned = quarterHourOf(ask.second) === quarterHourOf(second);
  const quarterHourUsed = isSameQuarterHour ? before.quarterHourUsed : 0;
  return {
    second,
    used: before.second === second ? before.used : 0,
    held: tenOf(before.second) === tenOf(second) ? before.held : 0,
    quarterHourUsed: Math.max(0, quarterHourUsed - (isReturned ? ask.returned : 0)),
  };
}

/** The budgets that the workers of one process share. Forgets the one unused longest. */
export class MemoryBudgets {
  readonly #states: LRUCache<string, BudgetState>;

  constructor(max = 100_000) {
    // `max` would reserve the memory of all at once.
    this.#states = new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
  }

  ask(ask: Ask): Grant {
    const granted = grant(this.#states.get(ask.key) ?? null, ask);
    this.#states.set(ask.key, granted.state);
    return granted.grant;
  }
}
