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
  type WorkKind,
} from './due-store.ts';
import { followUp } from './follow-up.ts';
import { claimDueFollowUps, type FollowUpRow, updateFollowUp } from './follow-up-store.ts';
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

/** Due work that this process holds the lease of. */
interface Piece extends PaymentKey {
  readonly dueAt: Date | null;
  readonly lane: Lane;
  run(processor: Processor): Promise<readonly Moved[]>;
  giveBack(): Promise<void>;
}

interface Queue {
  readonly kind: WorkKind;
  /** Claims nothing from full lanes. */
  claim(nowMs: number, limit: number, lanes?: Lanes): Promise<Piece[]>;
}

/** Any number of processes may run it: leases avoid double work, the version decides. */
export function createPaymentSweep(deps: SweepDeps): DeadlineWork {
  const queues = [paymentQueue(deps), followUpQueue(deps)];
  const lanes = new Lanes();
  let runs = 0;
  return {
    async nextDueMs(reach = everywhere) {
      const { dueMs } = await findFirst(deps, queues, reach);
      return dueMs === Number.POSITIVE_INFINITY ? null : dueMs;
    },
    async runDue(nowMs, { isSequential, piecesAtMost = Number.POSITIVE_INFINITY }) {
      if (isSequential) return await runInOrder(deps, queues, nowMs, piecesAtMost);
      // The next run uses a newer time, so this run only finishes what it began.
      runs += 1;
      const run = runs;
      const background = { lanes, isNewest: () => run === runs };
      const done = await Promise.all(queues.map((queue) => runAll(deps, queue, nowMs, background)));
      return done.flat().sort((one, other) => one.dueMs - other.dueMs);
    },
    clockWentBack: (nowMs) => updateWaitingDue(deps.database.sql, new Date(nowMs), new Date(nowMs)),
    bringBack: (nowMs) =>
      updateWaitingDue(deps.database.sql, new Date(nowMs), new Date(nowMs + LONGEST_DELAY_MS)),
  };
}

/** Of two at the same time, the first queue's. `dueMs` is infinite when nothing is due. */
async function findFirst({ database: { sql } }: SweepDeps, queues: readonly Queue[], reach: Reach) {
  const waiting = await Promise.all(
    queues.map(async (queue) => {
      const dueAt = await findNextDue(sql, queue.kind, reach);
      return { queue, dueMs: dueAt?.getTime() ?? Number.POSITIVE_INFINITY };
    }),
  );
  return waiting.reduce((first, other) => (other.dueMs < first.dueMs ? other : first));
}

/** Once the process stops, no call begins, not even between two others. `enter` may refuse too. */
function gated(
  { processor, stopping }: SweepDeps,
  enter: (call: 'inquire' | 'capture' | 'void') => void = () => {},
): Processor {
  const admit: typeof enter = (call) => {
    if (stopping?.aborted) throw new CallNotBegun();
    enter(call);
  };
  return {
    authorize: (...order) => processor.authorize(...order),
    inquire: async (...order) => {
      admit('inquire');
      return await processor.inquire(...order);
    },
    capture: async (...order) => {
      admit('capture');
      return await processor.capture(...order);
    },
    void: async (...order) => {
      admit('void');
      return await processor.void(...order);
    },
  };
}

function paymentQueue(deps: SweepDeps): Queue {
  const { sql } = deps.database;
  return {
    kind: 'payment',
    claim: async (nowMs, limit, lanes) => {
      const now = new Date(nowMs);
      const rows = await claimDuePayments(sql, now, leaseOf(deps), limit, lanes?.passedOver());
      return rows.map((row) => ({
        ...row,
        lane: laneOfPayment(row),
        run: async (processor) => (await settle({ ...deps, processor }, row)).moved,
        giveBack: () => updateLeaseGivenBack(sql, row),
      }));
    },
  };
}

function followUpQueue(deps: SweepDeps): Queue {
  const { sql } = deps.database;
  return {
    kind: 'lateApprovalInquiry',
    claim: async (nowMs, limit, lanes) => {
      const rows = await claimDueFollowUps(sql, new Date(nowMs), leaseOf(deps), limit, {
        first: lanes?.hasRoom('followUp first') ?? true,
        again: lanes?.hasRoom('followUp again') ?? true,
      });
      return rows.map((row) => ({
        ...row,
        lane: laneOf('followUp', row.tries),
        run: (processor) => runFollowUp({ ...deps, processor }, row),
        giveBack: () => updateFollowUp(sql, row, row),
      }));
    },
  };
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
      await updateFollowUp(deps.database.sql, row, { ...row, ...next });
    } catch (failure) {
      const { merchantGuid, paymentUuid } = row;
      const facts = { err: failure, merchantGuid, paymentUuid };
      deps.log.warn(facts, 'a failed inquiry could not be postponed; its lease expires by itself');
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
async function runAll(
  deps: SweepDeps,
  queue: Queue,
  nowMs: number,
  { lanes, isNewest }: Background,
): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  const underWay = new Set<Promise<void>>();
  const begin = (piece: Piece) => {
    const running = runOne(deps, queue, piece, lanes).then((work) => {
      done.push(...work);
      underWay.delete(running);
    });
    underWay.add(running);
  };
  while (isNewest() && !deps.stopping?.aborted) {
    const isHeldUp = lanes.isAnyFull();
    const pieces = await queue.claim(nowMs, BATCH, lanes);
    if (pieces.length > 0 && !(await mayBegin(deps))) {
      await Promise.all(pieces.map((piece) => piece.giveBack()));
      break;
    }
    pieces.forEach(begin);
    if (pieces.length === BATCH) continue;
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
  queues: readonly Queue[],
  nowMs: number,
  piecesAtMost: number,
): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  for (let pieces = 0; pieces < piecesAtMost && !deps.stopping?.aborted; ) {
    const { queue, dueMs } = await findFirst(deps, queues, everywhere);
    if (dueMs > nowMs) return done;
    // Claim nothing later in place of work that another process holds.
    const [piece] = await queue.claim(dueMs, 1);
    if (deps.stopping?.aborted) {
      await piece?.giveBack();
      return done;
    }
    if (piece) {
      // A failure ends the run: the clock must not move past work that wasn't done.
      done.push(...(await doOne(deps, queue, piece, gated(deps))));
      pieces += 1;
    } else await sleep(HELD_WORK_PAUSE_MS, undefined, deps.timer);
  }
  return done;
}

/** A failure doesn't stop other work; the failed work is tried again later. */
async function runOne(
  deps: SweepDeps,
  queue: Queue,
  piece: Piece,
  lanes: Lanes,
): Promise<DoneWork[]> {
  let { lane } = piece;
  lanes.enter(lane);
  // After a deadline, the first call continues only if its lane has room.
  const processor = gated(deps, (call) => {
    if (!lane.startsWith('deadline')) return;
    const next = laneOf(call, 0);
    if (!lanes.hasRoom(next)) throw new CallNotBegun();
    lanes.leave(lane);
    lanes.enter(next);
    lane = next;
  });
  try {
    return await doOne(deps, queue, piece, processor);
  } catch (error) {
    const { merchantGuid, paymentUuid } = piece;
    deps.log.error({ err: error, merchantGuid, paymentUuid }, 'work on a payment failed');
    return [];
  } finally {
    lanes.leave(lane);
  }
}

async function doOne(
  { stopping }: SweepDeps,
  { kind }: Queue,
  piece: Piece,
  processor: Processor,
): Promise<DoneWork[]> {
  const { merchantGuid, paymentUuid, dueAt } = piece;
  const facts = { dueMs: Number(dueAt), kind, merchantGuid, paymentUuid };
  const moved = await piece.run(processor);
  if (moved.length > 0) return moved.map((move) => ({ ...facts, ...move }));
  // It may have been given back, so nobody can say that it was done.
  if (stopping?.aborted) return [];
  return [{ ...facts, fromState: null, cause: null, toState: null }];
}
