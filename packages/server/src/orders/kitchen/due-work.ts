import type { Clock } from '@servery/support/clock.ts';
import { type SystemOriginDeps, systemOrigin } from '../../audit/origin.ts';
import type { Sql } from '../../database/database.ts';
import { type DeadlineWork, type DoneWork, everywhere } from '../../support/due-work.ts';
import type { Log } from '../../support/log.ts';
import { type Decide, type DecideDeps, decideOrder } from './decide.ts';
import { type DueKind, nextStep } from './due.ts';
import { type DueOrder, findNextDueOrder, listDueOrders, updateOrderDue } from './due-store.ts';
import { closeOut, fulfil } from './fulfil.ts';
import { approve, ready, sendByClock } from './prepare.ts';
import { expire } from './void.ts';

export interface OrderWorkDeps extends DecideDeps, SystemOriginDeps {
  readonly clock: Clock & {
    /** False while the clock is being moved. */
    refresh?(sql: Sql): Promise<boolean>;
  };
  readonly log: Pick<Log, 'warn'>;
}

const BATCH = 100;

const decisions: Readonly<Record<DueKind, Decide>> = {
  approve,
  expire,
  send: sendByClock,
  ready: ready(null),
  fulfil,
  closeOut,
};

/** One locked transaction per step, so that any number of processes can do this. */
export function createOrderWork(deps: OrderWorkDeps): DeadlineWork {
  const { sql } = deps.database;
  let isRunning = false;
  return {
    async nextDueMs(reach = everywhere) {
      return (await findNextDueOrder(sql, reach))?.getTime() ?? null;
    },
    async runDue(nowMs, { isSequential, piecesAtMost = Number.POSITIVE_INFINITY }) {
      if (isSequential) return await runInOrder(deps, nowMs, piecesAtMost);
      // The current run continues until nothing is due; the next has a newer time.
      if (isRunning) return [];
      isRunning = true;
      try {
        return await runAll(deps, nowMs);
      } finally {
        isRunning = false;
      }
    },
  };
}

/** A failure stops no other order; the next run tries again. */
async function runAll(deps: OrderWorkDeps, nowMs: number): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  const passed: string[] = [];
  for (;;) {
    const due = await listDueOrders(deps.database.sql, new Date(nowMs), passed, BATCH);
    if (due.length === 0) return done;
    for (const order of due) {
      try {
        const outcome = await runOne(deps, order, nowMs, false);
        if (outcome === 'clockIsMoved') return done;
        if (outcome === null) passed.push(order.orderGuid);
        else done.push(doneWork(order, outcome));
      } catch (error) {
        const { restaurantGuid, orderGuid } = order;
        passed.push(orderGuid);
        deps.log.warn(
          { err: error, restaurantGuid, orderGuid },
          'what was due on an order could not be done; it is tried again',
        );
      }
    }
  }
}

async function runInOrder(
  deps: OrderWorkDeps,
  nowMs: number,
  piecesAtMost: number,
): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  while (done.length < piecesAtMost) {
    const [first] = await listDueOrders(deps.database.sql, new Date(nowMs), [], 1);
    if (!first) break;
    // Throws on failure: the clock must not move past work that was not done.
    done.push(doneWork(first, await runOne(deps, first, nowMs, true)));
  }
  return done;
}

type Outcome = DueKind | null;

/** Null if nothing is due yet. While another process moves the clock, that one does the due work. */
async function runOne(
  deps: OrderWorkDeps,
  due: DueOrder,
  nowMs: number,
  isSequential: boolean,
): Promise<Outcome | 'clockIsMoved'> {
  const { orderSettings } = deps;
  const atMs = isSequential ? nowMs : await presentMs(deps, nowMs);
  if (atMs === null) return 'clockIsMoved';
  let outcome: Outcome = null;
  const origin = { ...systemOrigin(deps, 'clock', 'orders.due'), at: new Date(atMs) };
  await decideOrder(deps, due, origin, async (deciding) => {
    const { order, restaurant, sql } = deciding;
    const step = nextStep(order, restaurant, orderSettings);
    if (step && step.atMs <= atMs) {
      outcome = step.kind;
      return await decisions[step.kind](deciding);
    }
    outcome = null;
    const isStale = order.dueAt?.getTime() !== step?.atMs;
    if (isStale) await updateOrderDue(sql, due, step && new Date(step.atMs));
    return null;
  });
  return outcome;
}

/** The clock may have gone back since `nowMs`: nothing must happen early. */
async function presentMs({ clock, database }: OrderWorkDeps, nowMs: number) {
  const isFree = (await clock.refresh?.(database.sql)) ?? true;
  return isFree ? Math.min(nowMs, clock.nowMs()) : null;
}

function doneWork({ restaurantGuid, dueAt }: DueOrder, cause: string | null): DoneWork {
  return {
    dueMs: dueAt.getTime(),
    kind: 'order',
    merchantGuid: restaurantGuid,
    paymentUuid: null,
    fromState: null,
    cause,
    toState: null,
  };
}
