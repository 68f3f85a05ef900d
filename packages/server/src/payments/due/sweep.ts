import type { Clock } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import {
  type DeadlineWork,
  type DoneWork,
  everywhere,
  type Reach,
} from '../../support/due-work.ts';
import { newLease } from '../life/lease.ts';
import { type Moved, settle } from '../life/settle.ts';
import { backOffMs, LONGEST_DELAY_MS, type SettleDeps } from '../life/step.ts';
import type { PaymentKey } from '../life/store.ts';
import { CallNotBegun } from '../processors/deadline.ts';
import type { Processor } from '../processors/processor.ts';
import {
  claimDuePayments,
  findNextDue,
  updateLeaseGivenBack,
  updateWaitingDue,
} from './due-store.ts';
import { followUp } from './follow-up.ts';
import {
  claimDueFollowUps,
  type FollowUpRow,
  findNextFollowUp,
  updateFollowUp,
} from './follow-up-store.ts';
import { type Lane, Lanes, laneOf, laneOfPayment } from './lanes.ts';

export interface SweepDeps extends SettleDeps {
  readonly clock: Clock & {
    /** Reads the clock; false while another process moves it. Absent where the clock can't move. */
    refresh?(): Promise<boolean>;
  };
  /** Aborted when the process stops: calls under way end and nothing new begins. */
  readonly stopping?: AbortSignal;
}

const BATCH = 10;

const HELD_WORK_PAUSE_MS = 50;

interface Queue<Row extends PaymentKey & { readonly dueAt: Date | null }> {
  readonly kind: string;
  next(reach: Reach): Promise<Date | null>;
  /** Claims nothing from full lanes. */
  claim(nowMs: number, limit: number, lanes?: Lanes): Promise<Row[]>;
  laneOf(row: Row): Lane;
  run(row: Row, processor: Processor): Promise<readonly Moved[]>;
  giveBack(row: Row): Promise<unknown>;
}

/** Any number of processes may run it: leases avoid double work, the version decides. */
export function createPaymentSweep(sweepDeps: SweepDeps): DeadlineWork {
  const deps = { ...sweepDeps, processor: untilStopped(sweepDeps) };
  const queues = [paymentQueue(deps), followUpQueue(deps)] as const;
  const lanes = new Lanes();
  let runs = 0;
  return {
    async nextDueMs(reach = everywhere) {
      const instants = await Promise.all(queues.map((queue) => queue.next(reach)));
      const known = instants.filter((instant) => instant !== null);
      return known.length === 0 ? null : Math.min(...known.map((instant) => instant.getTime()));
    },
    async runDue(nowMs, { isSequential, piecesAtMost = Number.POSITIVE_INFINITY }) {
      const [payments, followUps] = queues;
      if (isSequential) return await runInOrder(deps, queues, nowMs, piecesAtMost);
      // The next run uses a newer time, so this run only finishes what it began.
      runs += 1;
      const run = runs;
      const background = { lanes, isNewest: () => run === runs };
      const done = await Promise.all([
        runAll(deps, payments, nowMs, background),
        runAll(deps, followUps, nowMs, background),
      ]);
      return done.flat().sort((one, other) => one.dueMs - other.dueMs);
    },
    clockWentBack: (nowMs) => updateWaitingDue(deps.database.sql, new Date(nowMs), new Date(nowMs)),
    bringBack: (nowMs) =>
      updateWaitingDue(deps.database.sql, new Date(nowMs), new Date(nowMs + LONGEST_DELAY_MS)),
  };
}

/** After the process stops, no call begins, not even between two others. */
function untilStopped({ processor, stopping }: SweepDeps): Processor {
  return unlessRefused(processor, () => {
    if (stopping?.aborted) throw new CallNotBegun();
  });
}

/** What `ask` throws replaces the call. */
function unlessRefused(
  processor: Processor,
  ask: (call: 'inquire' | 'capture' | 'void') => void,
): Processor {
  return {
    authorize: (...order) => processor.authorize(...order),
    inquire: async (...order) => {
      ask('inquire');
      return await processor.inquire(...order);
    },
    capture: async (...order) => {
      ask('capture');
      return await processor.capture(...order);
    },
    void: async (...order) => {
      ask('void');
      return await processor.void(...order);
    },
  };
}

function paymentQueue(deps: SweepDeps) {
  const { sql } = deps.database;
  return {
    kind: 'payment',
    next: (reach) => findNextDue(sql, reach),
    claim: (nowMs, limit, lanes) =>
      claimDuePayments(sql, new Date(nowMs), leaseOf(deps), limit, lanes?.passedOver()),
    laneOf: laneOfPayment,
    run: async (row, processor) => (await settle({ ...deps, processor }, row)).moved,
    giveBack: (row) => updateLeaseGivenBack(sql, row),
  } satisfies Queue<Awaited<ReturnType<typeof claimDuePayments>>[number]>;
}

function followUpQueue(deps: SweepDeps) {
  const { sql } = deps.database;
  return {
    kind: 'lateApprovalInquiry',
    next: (reach) => findNextFollowUp(sql, reach),
    claim: (nowMs, limit, lanes) =>
      claimDueFollowUps(sql, new Date(nowMs), leaseOf(deps), limit, {
        first: lanes?.hasRoom('followUp first') ?? true,
        again: lanes?.hasRoom('followUp again') ?? true,
      }),
    laneOf: ({ tries }) => laneOf('followUp', tries),
    run: (row, processor) => runFollowUp({ ...deps, processor }, row),
    giveBack: (row) => updateFollowUp(sql, row, { ...row, outcome: 'NOT_FOUND' }),
  } satisfies Queue<FollowUpRow>;
}

/** A failed question is repeated like one without an answer; its lease is given back. */
async function runFollowUp(deps: SweepDeps, row: FollowUpRow): Promise<readonly Moved[]> {
  try {
    return await followUp(deps, row);
  } catch (error) {
    const tries = row.tries + 1;
    const again = { tries, dueAt: new Date(deps.clock.nowMs() + backOffMs(tries)) };
    const next = error instanceof CallNotBegun ? {} : again;
    try {
      await updateFollowUp(deps.database.sql, row, { ...row, ...next, outcome: 'NOT_FOUND' });
    } catch (failure) {
      const { merchantGuid, paymentUuid } = row;
      const facts = { err: failure, merchantGuid, paymentUuid };
      deps.log.warn(facts, 'a question that failed cannot be put off; its lease ends by itself');
    }
    if (error instanceof CallNotBegun) return [];
    throw error;
  }
}

function leaseOf({ realClock }: SweepDeps) {
  const realNowMs = realClock.nowMs();
  return { ...newLease(realNowMs), realNow: new Date(realNowMs) };
}

interface Background {
  readonly lanes: Lanes;
  isNewest(): boolean;
}

/** Starts everything that has room, so slow work doesn't block the rest. */
async function runAll<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  deps: SweepDeps,
  queue: Queue<Row>,
  nowMs: number,
  { lanes, isNewest }: Background,
): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  const underWay = new Set<Promise<void>>();
  const begin = (row: Row) => {
    const piece = runOne(deps, queue, row, lanes).then((work) => {
      done.push(...work);
      underWay.delete(piece);
    });
    underWay.add(piece);
  };
  while (isNewest() && !deps.stopping?.aborted) {
    const isHeldUp = lanes.isAnyFull();
    const rows = await queue.claim(nowMs, BATCH, lanes);
    if (rows.length > 0 && !(await mayBegin(deps))) {
      await Promise.all(rows.map((row) => queue.giveBack(row)));
      break;
    }
    rows.forEach(begin);
    if (rows.length === BATCH) continue;
    if (!isHeldUp || underWay.size === 0) break;
    await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return done;
}

/**
 * The clock is read after the claim. It may have gone back, and work that became due since must not
 * run early (PAY-I3). While another process moves the clock, that process does the work.
 */
async function mayBegin({ clock, stopping }: SweepDeps): Promise<boolean> {
  const isFree = (await clock.refresh?.()) ?? true;
  return isFree && !stopping?.aborted;
}

/** Earliest first. Waits for work that another process holds. */
async function runInOrder(
  deps: SweepDeps,
  queues: readonly [ReturnType<typeof paymentQueue>, ReturnType<typeof followUpQueue>],
  nowMs: number,
  piecesAtMost: number,
): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  const [payments, followUps] = queues;
  for (let pieces = 0; pieces < piecesAtMost && !deps.stopping?.aborted; ) {
    const [payment, attempt] = await Promise.all([
      payments.next(everywhere),
      followUps.next(everywhere),
    ]);
    const earliestMs = Math.min(msOf(payment), msOf(attempt));
    if (earliestMs > nowMs) return done;
    // Claim nothing later in place of work that another process holds.
    const worked =
      msOf(payment) === earliestMs
        ? await runFirst(deps, payments, earliestMs)
        : await runFirst(deps, followUps, earliestMs);
    if (worked === null) {
      if (deps.stopping?.aborted) return done;
      await sleep(HELD_WORK_PAUSE_MS, undefined, deps.timer);
    } else {
      done.push(...worked);
      pieces += 1;
    }
  }
  return done;
}

function msOf(instant: Date | null): number {
  return instant?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Throws on failure: the clock must not move past work that wasn't done. */
async function runFirst<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  deps: SweepDeps,
  queue: Queue<Row>,
  nowMs: number,
): Promise<DoneWork[] | null> {
  const [row] = await queue.claim(nowMs, 1);
  if (!row) return null;
  if (!deps.stopping?.aborted) return await doOne(deps, queue, row);
  await queue.giveBack(row);
  return null;
}

/** A failure doesn't stop other work; the failed work is tried again later. */
async function runOne<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  deps: SweepDeps,
  queue: Queue<Row>,
  row: Row,
  lanes: Lanes,
): Promise<DoneWork[]> {
  let lane = queue.laneOf(row);
  lanes.enter(lane);
  // After a deadline, the first call continues only if its lane has room.
  const processor = unlessRefused(deps.processor, (call) => {
    if (!lane.startsWith('deadline')) return;
    const next = laneOf(call, 0);
    if (!lanes.hasRoom(next)) throw new CallNotBegun();
    lanes.leave(lane);
    lanes.enter(next);
    lane = next;
  });
  try {
    return await doOne(deps, queue, row, processor);
  } catch (error) {
    const { merchantGuid, paymentUuid } = row;
    deps.log.error({ err: error, merchantGuid, paymentUuid }, 'work on a payment failed');
    return [];
  } finally {
    lanes.leave(lane);
  }
}

async function doOne<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  deps: SweepDeps,
  queue: Queue<Row>,
  row: Row,
  processor: Processor = deps.processor,
): Promise<DoneWork[]> {
  const { merchantGuid, paymentUuid, dueAt } = row;
  const facts = { dueMs: Number(dueAt), kind: queue.kind, merchantGuid, paymentUuid };
  const moved = await queue.run(row, processor);
  if (moved.length > 0) return moved.map((move) => ({ ...facts, ...move }));
  // It may have been given back, so nobody can say that it was done.
  if (deps.stopping?.aborted) return [];
  return [{ ...facts, fromState: null, cause: null, toState: null }];
}
