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

/** What the sweep leans on. */
export interface SweepDeps extends SettleDeps {
  readonly clock: Clock & {
    /** Looks how the clock stands; false while somebody moves it. Absent where nobody can. */
    refresh?(): Promise<boolean>;
  };
  /** Is aborted when the process stops: calls under way end, and nothing more is begun. */
  readonly stopping?: AbortSignal;
}

/** How many are claimed at once. */
const BATCH = 10;

/** How long to wait before looking again whether the holder of due work is done with it. */
const HELD_WORK_PAUSE_MS = 50;

/** One kind of due work: how to find the earliest, to claim some, and to do one. */
interface Queue<Row extends PaymentKey & { readonly dueAt: Date | null }> {
  readonly kind: string;
  next(reach: Reach): Promise<Date | null>;
  /** Of lanes that are full nothing is claimed; without lanes, anything. */
  claim(nowMs: number, limit: number, lanes?: Lanes): Promise<Row[]>;
  /** The lane in which one begins. */
  laneOf(row: Row): Lane;
  run(row: Row, processor: Processor): Promise<readonly Moved[]>;
  /** Lets go of one that was claimed and not begun. */
  giveBack(row: Row): Promise<unknown>;
}

/**
 * The work that falls due on payments: deadlines, captures at the close-out, unknown outcomes, and
 * attempts that are asked about again. Any number of processes may run it: a lease keeps them from
 * doing the same work, and the version of a payment decides where they do it all the same.
 */
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
      // The next run looks by a newer time: this one then only ends what it has begun.
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

/** The processor until the process stops; then no call is begun, not even between two others. */
function untilStopped({ processor, stopping }: SweepDeps): Processor {
  return unlessRefused(processor, () => {
    if (stopping?.aborted) throw new CallNotBegun();
  });
}

/** The processor, with `ask` before each call: what it throws comes in place of the call. */
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

/** A question that failed is put again like one without an answer; its lease is given back. */
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

/** What the runs in the background of one process share. */
interface Background {
  readonly lanes: Lanes;
  /** False as soon as another run has begun. */
  isNewest(): boolean;
}

/** Begins all for which there is room, and waits for it; nothing slow keeps others from it. */
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
    // Nothing more is due, or it waits until there is room.
    if (!isHeldUp || underWay.size === 0) break;
    await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return done;
}

/**
 * Whether what was just claimed may be begun. The clock is looked at after the claim: it may have
 * gone back since it was read, and what was made due since then must not be acted on early (PAY-I3);
 * settling compares each deadline with the clock as this look finds it. While somebody moves the
 * clock, the work is that mover's.
 */
async function mayBegin({ clock, stopping }: SweepDeps): Promise<boolean> {
  const isFree = (await clock.refresh?.()) ?? true;
  return isFree && !stopping?.aborted;
}

/** Whatever is due earliest comes first; what another process works on is waited for. */
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
    // Nothing that is due later may be claimed in place of what another process holds.
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

/** A failure is passed on: the clock must not move past work that was not done. */
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

/** One that fails does not keep the others from their work: it is tried again a little later. */
async function runOne<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  deps: SweepDeps,
  queue: Queue<Row>,
  row: Row,
  lanes: Lanes,
): Promise<DoneWork[]> {
  let lane = queue.laneOf(row);
  lanes.enter(lane);
  // A deadline that has been acted on goes on with its first call if there is room for that.
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
  // It may have been given back: nobody can say that it was done.
  if (deps.stopping?.aborted) return [];
  return [{ ...facts, fromState: null, cause: null, toState: null }];
}
