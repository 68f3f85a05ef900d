import { everywhere } from '../../support/due-work.ts';
import { findAlarm, insertAlarm } from '../alarms/alarm-store.ts';
import { updateLeaseGivenBack, updatePaymentDue } from '../due/due-store.ts';
import { needsNoCall } from '../due/lanes.ts';
import { CallNotBegun } from '../processors/deadline.ts';
import { findAttempt } from './attempt-store.ts';
import { captureMissed, capturing } from './capture.ts';
import { inquiring } from './inquire.ts';
import type { PaymentState } from './lifecycle.ts';
import { makeMove, type PaymentMove } from './outcome.ts';
import { newAlarm, recordMove, repeatWhileCommitUnknown, tellAlarm } from './record.ts';
import { backOffMs, type SettleDeps, type Step, TRIES_BEFORE_ALARM } from './step.ts';
import { findPayment, type PaymentRow } from './store.ts';
import { reversing, voiding } from './void.ts';

export interface Moved {
  readonly fromState: PaymentState;
  readonly cause: string;
  readonly toState: PaymentState;
}

/**
 * Moves a payment on until it waits for a deadline or the processor. Each step is recorded before
 * the next begins. A concurrent move wins and stops this: the version decides, not the lease. On
 * failure or stop, the lease is given back so others can continue.
 */
export async function settle(
  deps: SettleDeps,
  due: PaymentRow,
): Promise<{ readonly payment: PaymentRow; readonly moved: readonly Moved[] }> {
  const moved: Moved[] = [];
  try {
    return { payment: await settleOn(deps, due, moved), moved };
  } catch (error) {
    if (error instanceof CallNotBegun) {
      await updateLeaseGivenBack(deps.database.sql, due);
      return { payment: (await findPayment(deps.database.sql, due)) ?? due, moved };
    }
    await putOffFailed(deps, due, error);
    throw error;
  }
}

async function settleOn(deps: SettleDeps, due: PaymentRow, moved: Moved[]): Promise<PaymentRow> {
  let payment = due;
  for (;;) {
    const step = await nextStep(deps, payment);
    if (!('move' in step)) {
      await putOff(deps, payment, step);
      return payment;
    }
    const keepsLease = isDueNow(payment, step.move)
      ? { leaseHolder: payment.leaseHolder, leaseExpiresAt: payment.leaseExpiresAt }
      : {};
    const move = { ...step.move, change: { ...step.move.change, ...keepsLease } };
    const recorded = await recordMove(deps, payment, move);
    if (!recorded.isOurs) return recorded.payment;
    const { cause } = move;
    moved.push({ fromState: payment.state, cause, toState: recorded.payment.state });
    payment = recorded.payment;
    if (payment.leaseHolder === null) return payment;
  }
}

function isDueNow(payment: PaymentRow, move: PaymentMove): boolean {
  const dueAt = move.change.dueAt === undefined ? payment.dueAt : move.change.dueAt;
  return dueAt !== null && dueAt.getTime() <= move.nowMs;
}

async function nextStep(deps: SettleDeps, payment: PaymentRow): Promise<Step> {
  const nowMs = deps.clock.nowMs();
  switch (payment.state) {
    // The process that asked has died: nobody else gets a payment in this state.
    case 'PENDING':
      return {
        move: makeMove('outcomeLost', nowMs, { change: { dueAt: new Date(nowMs) } }),
      };
    case 'UNKNOWN':
      return await inquiring(deps, payment, (await attemptOf(deps, payment)).startedAt.getTime());
    case 'REVERSAL_PENDING':
      return await reversing(deps, payment, (await attemptOf(deps, payment)).followUps);
    case 'AUTHORIZED':
      return atDeadline(payment.applyDeadline, 'applyDeadlinePassed', nowMs);
    case 'APPLIED':
      return atDeadline(payment.captureDeadline, 'captureDeadlinePassed', nowMs);
    case 'CAPTURE_SCHEDULED':
      return atCloseOut(payment, nowMs);
    case 'CAPTURE_PENDING':
      return await capturing(deps, payment);
    case 'VOID_PENDING':
      return await voiding(deps, payment);
    case 'DENIED':
    case 'ABORTED':
    case 'REVERSED':
    case 'CAPTURED':
    case 'VOIDED':
    case 'REVIEW':
      return { restUntil: null };
  }
}

async function attemptOf(deps: SettleDeps, payment: PaymentRow) {
  const attempt = await findAttempt(deps.database.sql, payment);
  if (!attempt) throw new Error(`payment ${payment.paymentUuid} has no attempt to ask about`);
  return attempt;
}

/** Deadlines may act late, never early (PAY-I3). */
function atDeadline(
  deadline: Date | null,
  cause: 'applyDeadlinePassed' | 'captureDeadlinePassed',
  nowMs: number,
): Step {
  if (deadline === null || nowMs < deadline.getTime()) return { restUntil: deadline };
  return { move: makeMove(cause, nowMs, { change: { dueAt: new Date(nowMs) } }) };
}

/** The hold may have lapsed at its deadline, so the deadline comes before the capture. */
function atCloseOut(payment: PaymentRow, nowMs: number): Step {
  const { captureAt, captureDeadline } = payment;
  if (captureDeadline !== null && nowMs >= captureDeadline.getTime()) {
    return { move: captureMissed('the capture deadline passed before a capture was sent', nowMs) };
  }
  if (captureAt === null) return { restUntil: captureDeadline };
  if (nowMs < captureAt.getTime()) return { restUntil: captureAt };
  return {
    move: makeMove('captureTimeReached', nowMs, { change: { dueAt: new Date(nowMs) } }),
  };
}

/** Writes nothing when another process moved the payment or took it over. */
async function putOff(
  deps: SettleDeps,
  payment: PaymentRow,
  step: Exclude<Step, { move: PaymentMove }>,
): Promise<void> {
  const { sql } = deps.database;
  if ('restUntil' in step) {
    await updatePaymentDue(sql, payment, step.restUntil, payment.tries);
    return;
  }
  const tries = payment.tries + 1;
  const { merchantGuid, paymentUuid, state } = payment;
  deps.log.warn(
    { merchantGuid, paymentUuid, state, tries, reason: step.retry },
    'a payment is not settled yet; trying again',
  );
  const alarm = { kind: 'UNSETTLED', explanation: `${state}: ${step.retry}` } as const;
  const row = newAlarm(payment, alarm, new Date(deps.clock.nowMs()));
  // One transaction: if the process dies, the next one raises the alarm. After a lost COMMIT
  // another process may hold the payment, but the alarm's guid shows that it was raised.
  const isRaised = await repeatWhileCommitUnknown(deps, () =>
    deps.database.transaction(async (transaction) => {
      const isOurs = await updatePaymentDue(transaction, payment, new Date(step.atMs), tries);
      if (tries < TRIES_BEFORE_ALARM) return false;
      if (isOurs) return await insertAlarm(transaction, row);
      return (await findAlarm(transaction, row.guid, everywhere)) !== null;
    }),
  );
  if (isRaised) tellAlarm(deps, payment, alarm);
}

/** What can't be put off, for example without the database, waits for its lease to end. */
async function putOffFailed(deps: SettleDeps, due: PaymentRow, error: unknown): Promise<void> {
  const { merchantGuid, paymentUuid } = due;
  // Logs only the kind of the error: its text may repeat what others sent.
  const kind = error instanceof Error ? error.name : typeof error;
  try {
    const payment = await findPayment(deps.database.sql, due);
    if (!payment || payment.leaseHolder === null) return;
    if (payment.leaseHolder !== due.leaseHolder) return;
    // Work that only records a passed deadline doesn't wait long (PAY-I3).
    const tries = needsNoCall(payment.state) ? 0 : payment.tries;
    const atMs = deps.clock.nowMs() + backOffMs(tries + 1);
    await putOff(deps, payment, { retry: `the work failed (${kind})`, atMs });
  } catch (failure) {
    const facts = { err: failure, merchantGuid, paymentUuid };
    deps.log.warn(facts, 'work that failed cannot be put off; its lease ends by itself');
  }
}
