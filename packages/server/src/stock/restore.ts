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

export interface RestoreDeps extends SystemOriginDeps {
  readonly database: Database;
  readonly clock: Clock & {
    /** False while the clock is being moved. */
    refresh?(sql: Sql): Promise<boolean>;
  };
  readonly log: Pick<Log, 'warn'>;
}

/** How long to wait for a locked restaurant. */
type Patience = 'none' | 'some' | 'all';

const BATCH = 100;
const AT_ONCE = 2;
const PATIENCE_MS = 5_000;

/** One locked transaction per restaurant, so that any number of processes can do this. */
export function createStockRestoration(deps: RestoreDeps): DeadlineWork {
  const { sql } = deps.database;
  let isRunning = false;
  let isWaiting = false;
  /** Waits for the lock: steady stock changes would otherwise block this forever. */
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
      // The current run continues until nothing is due; the next has a newer time.
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

/** Adds locked restaurants to `held` by due time: parallel attempts finish in any order. */
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

/** A failure stops no other restaurant; the next run tries again. */
async function restoreOne(
  deps: RestoreDeps,
  nowMs: number,
  restaurantGuid: string,
  patience: Patience,
): Promise<DoneWork[] | null> {
  try {
    return await restoreAt(deps, nowMs, restaurantGuid, patience);
  } catch (error) {
    // The wait timed out, which is not an error.
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
    // Throws on failure: the clock must not move past work that was not done.
    done.push(...((await restoreAt(deps, nowMs, first.restaurantGuid, 'all')) ?? []));
  }
  return inOrder(done);
}

/** Null when the restaurant is locked and `patience` is `none`. */
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
 * Null while the clock is being moved: the mover does the due work. Reads the clock after the lock,
 * because it may have gone back since `nowMs`: newer stock must not be restored early.
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
