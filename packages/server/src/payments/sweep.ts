import type { DoneWork, DueWork } from '../support/runner.ts';
import { claimDueFollowUps, findNextFollowUp } from './attempt-store.ts';
import { claimDuePayments, findNextDue, updateWaitingDue } from './due-store.ts';
import { followUp } from './follow-up.ts';
import { newLease } from './intent.ts';
import { type Moved, settle } from './settle.ts';
import type { SettleDeps } from './step.ts';
import type { PaymentKey } from './store.ts';

/** What the sweep leans on. */
export type SweepDeps = SettleDeps;

/** How many are claimed, and worked on, at once. */
const BATCH = 10;

/** A run ends after so many batches: a server that stops does not wait for all that is due. */
const BATCHES_AT_MOST = 10;

/** How long to wait before looking again whether the holder of due work is done with it. */
const HELD_WORK_PAUSE_MS = 50;

/** One kind of due work: how to find the earliest, to claim some, and to do one. */
interface Queue<Row extends PaymentKey & { readonly dueAt: Date | null }> {
  readonly kind: string;
  next(): Promise<Date | null>;
  claim(nowMs: number, limit: number): Promise<Row[]>;
  run(row: Row): Promise<readonly Moved[]>;
}

/**
 * The work that falls due on payments: deadlines, captures at the close-out, unknown outcomes, and
 * attempts that are asked about again. Any number of processes may run it: a lease keeps them from
 * doing the same work, and the version of a payment decides where they do it all the same.
 */
export function createPaymentSweep(deps: SweepDeps): DueWork {
  const queues = [paymentQueue(deps), followUpQueue(deps)] as const;
  return {
    async nextDueMs() {
      const instants = await Promise.all(queues.map((queue) => queue.next()));
      const known = instants.filter((instant) => instant !== null);
      return known.length === 0 ? null : Math.min(...known.map((instant) => instant.getTime()));
    },
    async runDue(nowMs, { isSequential, piecesAtMost = Number.POSITIVE_INFINITY }) {
      const [payments, followUps] = queues;
      if (isSequential) return await runInOrder(deps, queues, nowMs, piecesAtMost);
      const done = [
        await runAll(deps, payments, nowMs),
        await runAll(deps, followUps, nowMs),
      ].flat();
      return done.sort((one, other) => one.dueMs - other.dueMs);
    },
    clockWentBack: (nowMs) => updateWaitingDue(deps.database.sql, new Date(nowMs)),
  };
}

function paymentQueue(deps: SweepDeps) {
  const { sql } = deps.database;
  return {
    kind: 'payment',
    next: () => findNextDue(sql),
    claim: (nowMs, limit) => claimDuePayments(sql, new Date(nowMs), leaseOf(deps), limit),
    run: async (row) => (await settle(deps, row)).moved,
  } satisfies Queue<Awaited<ReturnType<typeof claimDuePayments>>[number]>;
}

function followUpQueue(deps: SweepDeps) {
  const { sql } = deps.database;
  return {
    kind: 'lateApprovalInquiry',
    next: () => findNextFollowUp(sql),
    claim: (nowMs, limit) => claimDueFollowUps(sql, new Date(nowMs), leaseOf(deps), limit),
    run: (row) => followUp(deps, row),
  } satisfies Queue<Awaited<ReturnType<typeof claimDueFollowUps>>[number]>;
}

function leaseOf({ realClock }: SweepDeps) {
  const realNowMs = realClock.nowMs();
  return { ...newLease(realNowMs), realNow: new Date(realNowMs) };
}

async function runAll<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  deps: SweepDeps,
  queue: Queue<Row>,
  nowMs: number,
): Promise<DoneWork[]> {
  const done: DoneWork[] = [];
  for (let batch = 1; ; batch += 1) {
    const rows = await queue.claim(nowMs, BATCH);
    done.push(...(await Promise.all(rows.map((row) => runOne(deps, queue, row)))).flat());
    if (rows.length < BATCH || batch === BATCHES_AT_MOST) return done;
  }
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
  for (let pieces = 0; pieces < piecesAtMost; ) {
    const [payment, attempt] = await Promise.all([payments.next(), followUps.next()]);
    const earliestMs = Math.min(msOf(payment), msOf(attempt));
    if (earliestMs > nowMs) return done;
    // Nothing that is due later may be claimed in place of what another process holds.
    const worked =
      msOf(payment) === earliestMs
        ? await runFirst(payments, earliestMs)
        : await runFirst(followUps, earliestMs);
    if (worked === null) {
      await deps.timer.wait(HELD_WORK_PAUSE_MS, new AbortController().signal);
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
  queue: Queue<Row>,
  nowMs: number,
): Promise<DoneWork[] | null> {
  const [row] = await queue.claim(nowMs, 1);
  return row ? await doOne(queue, row) : null;
}

/** One that fails does not keep the others from their work: it is tried again after its lease. */
async function runOne<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  deps: SweepDeps,
  queue: Queue<Row>,
  row: Row,
): Promise<DoneWork[]> {
  try {
    return await doOne(queue, row);
  } catch (error) {
    const { merchantGuid, paymentUuid } = row;
    deps.log.error({ err: error, merchantGuid, paymentUuid }, 'work on a payment failed');
    return [];
  }
}

async function doOne<Row extends PaymentKey & { readonly dueAt: Date | null }>(
  queue: Queue<Row>,
  row: Row,
): Promise<DoneWork[]> {
  const { merchantGuid, paymentUuid, dueAt } = row;
  const facts = { dueMs: Number(dueAt), kind: queue.kind, merchantGuid, paymentUuid };
  const moved = await queue.run(row);
  if (moved.length > 0) return moved.map((move) => ({ ...facts, ...move }));
  return [{ ...facts, fromState: null, cause: null, toState: null }];
}
