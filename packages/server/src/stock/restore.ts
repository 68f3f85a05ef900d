import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Clock } from '@servery/support/clock.ts';
import { type SystemOriginDeps, systemOrigin } from '../audit/origin.ts';
import type { Database, Sql } from '../database/database.ts';
import { type DeadlineWork, type DoneWork, everywhere } from '../support/due-work.ts';
import type { Log } from '../support/log.ts';
import { recordStock } from './record.ts';
import {
  type DueItem,
  findNextRestoration,
  findRestaurantUnlocked,
  listDueItems,
  listDueRestaurants,
} from './restore-store.ts';
import { findRestaurantForUpdate } from './store.ts';

/** What restoring stock leans on. */
export interface RestoreDeps extends SystemOriginDeps {
  readonly database: Database;
  readonly clock: Clock & {
    /** Looks how the clock stands, through `sql`; false while somebody moves it. */
    refresh?(sql: Sql): Promise<boolean>;
  };
  readonly log: Pick<Log, 'warn'>;
}

/** How a restaurant that somebody else holds is treated. */
type Patience = 'none' | 'some' | 'all';

/** How many restaurants are asked for at once, and how many are worked on at once. */
const BATCH = 100;
const AT_ONCE = 2;
/** How long is waited for a restaurant that somebody holds, such as an import, in ms. */
const PATIENCE_MS = 5_000;

/**
 * Puts items back in stock whose `until` is reached. Each restaurant is a transaction of its own
 * that holds it like every change of its stock, so that any number of processes may do this: what
 * one of them restored is not due for the next.
 */
export function createStockRestoration(deps: RestoreDeps): DeadlineWork {
  const { sql } = deps.database;
  let isRunning = false;
  let isWaiting = false;
  /** Whoever changes the stock of a restaurant all the time would keep us off: we stand in line. */
  const standInLine = async (nowMs: number, restaurantGuid: string) => {
    isWaiting = true;
    try {
      return (await restoreOne(deps, nowMs, restaurantGuid, 'some')) ?? [];
    } finally {
      isWaiting = false;
    }
  };
  return {
    async nextDueMs(reach = everywhere) {
      return (await findNextRestoration(sql, reach))?.getTime() ?? null;
    },
    async runDue(nowMs, { isSequential, piecesAtMost = Number.POSITIVE_INFINITY }) {
      if (isSequential) return await restoreInOrder(deps, nowMs, piecesAtMost);
      // The run that is under way goes on until nothing is due; the next one has a newer time.
      if (isRunning) return [];
      isRunning = true;
      const held: string[] = [];
      const done: DoneWork[] = [];
      try {
        done.push(...(await restoreAll(deps, nowMs, held)));
      } finally {
        isRunning = false;
      }
      const [first] = held;
      if (first && !isWaiting) done.push(...(await standInLine(nowMs, first)));
      return inOrder(done);
    },
  };
}

/**
 * Restores where nobody keeps it off; those held by somebody are added to `held`, the longest
 * overdue first: of two that are tried at once, either may be found held before the other.
 */
async function restoreAll(deps: RestoreDeps, nowMs: number, held: string[]): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  const tried: string[] = [];
  for (;;) {
    const due = await listDueRestaurants(deps.database.sql, new Date(nowMs), tried, BATCH);
    if (due.length === 0) return done;
    const inLine = due.map(({ restaurantGuid }) => restaurantGuid);
    tried.push(...inLine);
    const waiting = [...inLine];
    const heldNow = new Set<string>();
    const work = async () => {
      for (let guid = waiting.shift(); guid !== undefined; guid = waiting.shift()) {
        const pieces = await restoreOne(deps, nowMs, guid, 'none');
        if (pieces === null) heldNow.add(guid);
        else done.push(...pieces);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    held.push(...inLine.filter((guid) => heldNow.has(guid)));
  }
}

/** One restaurant that fails keeps the others from nothing: it is tried again a moment later. */
async function restoreOne(
  deps: RestoreDeps,
  nowMs: number,
  restaurantGuid: string,
  patience: Patience,
): Promise<DoneWork[] | null> {
  try {
    return await restoreAt(deps, nowMs, restaurantGuid, patience);
  } catch (error) {
    // The patience had an end, and nothing is wrong.
    if (patience === 'some' && isSqlState(error, '57014')) return null;
    deps.log.warn({ err: error, restaurantGuid }, 'stock could not be restored; it is tried again');
    return [];
  }
}

async function restoreInOrder(
  deps: RestoreDeps,
  nowMs: number,
  piecesAtMost: number,
): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  while (done.length < piecesAtMost) {
    const [first] = await listDueRestaurants(deps.database.sql, new Date(nowMs), [], 1);
    if (!first) break;
    // A failure is passed on: the clock must not move past work that was not done.
    done.push(...((await restoreAt(deps, nowMs, first.restaurantGuid, 'all')) ?? []));
  }
  return inOrder(done);
}

/** Restores what is due at a restaurant; null when somebody holds it and nobody waits. */
async function restoreAt(
  deps: RestoreDeps,
  nowMs: number,
  restaurantGuid: string,
  patience: Patience,
): Promise<DoneWork[] | null> {
  const limit = patience === 'some' ? { statementTimeoutMs: PATIENCE_MS } : {};
  const due = await deps.database.transaction(async (sql): Promise<DueItem[] | null> => {
    if (patience === 'none' && !(await findRestaurantUnlocked(sql, restaurantGuid))) return null;
    if (patience !== 'none') await findRestaurantForUpdate(sql, restaurantGuid);
    const atMs = patience === 'all' ? nowMs : await presentMs(deps, sql, nowMs);
    if (atMs === null) return [];
    const items = await listDueItems(sql, restaurantGuid, new Date(atMs));
    const states = items.map(({ itemGuid }) => ({ itemGuid, ...IN_STOCK }));
    const origin = { ...systemOrigin(deps, 'clock', 'stock.restore'), at: new Date(atMs) };
    await recordStock(sql, origin, restaurantGuid, states, { cause: 'RESTORED' });
    return items;
  }, limit);
  return due?.map(({ until }) => restoration(restaurantGuid, until)) ?? null;
}

const IN_STOCK = { status: 'IN_STOCK', quantity: null, until: null } as const;

/**
 * The instant to act by, or null while somebody moves the clock, who does all that falls due. The
 * clock is looked at after the restaurant was locked: it may have gone back since `nowMs` was read,
 * and what was set since then must not be restored early.
 */
async function presentMs({ clock }: RestoreDeps, sql: Sql, nowMs: number): Promise<number | null> {
  const isFree = (await clock.refresh?.(sql)) ?? true;
  return isFree ? Math.min(nowMs, clock.nowMs()) : null;
}

function restoration(restaurantGuid: string, until: Date): DoneWork {
  return {
    dueMs: until.getTime(),
    kind: 'stock',
    merchantGuid: restaurantGuid,
    paymentUuid: null,
    fromState: null,
    cause: null,
    toState: null,
  };
}

function inOrder(done: readonly DoneWork[]): DoneWork[] {
  return done.toSorted((one, other) => one.dueMs - other.dueMs);
}
