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

/** A change of state that was brought about. */
export interface Moved {
  readonly fromState: PaymentState;
  readonly cause: string;
  readonly toState: PaymentState;
}

/**
 * Brings a payment on as far as its deadlines and the processor let it: each step is one move,
 * recorded before the next begins. Gives the payment as it is then, and the moves. Whoever else
 * moves the payment meanwhile wins, and this stops: the newest version decides, not the lease. When
 * it fails, or the process stops before a call, others may go on at once: the lease is given back.
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

/** Adds each move to `moved` as it is made. */
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
    // Whoever asked the processor has died: nobody else is ever handed a payment in this state.
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

/** The hold may have lapsed at its deadline, so that it goes before the capture. */
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

/** The payment stays in its state; nothing is written when another moved it or took it over. */
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
  // One transaction: whoever dies in between leaves a payment that raises its alarm the next time.
  // After a lost COMMIT the lease is given back already and another may hold the payment: then its
  // alarm is there, and the guid tells that it is this one.
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

/**
 * Work that failed is tried again like a call without a result, by whoever comes first. What cannot
 * even be put off, for example because the database is away, waits for the end of its lease.
 */
async function putOffFailed(deps: SettleDeps, due: PaymentRow, error: unknown): Promise<void> {
  const { merchantGuid, paymentUuid } = due;
  // Only the kind of the error: the explanation of an alarm must not repeat what others sent.
  const kind = error instanceof Error ? error.name : typeof error;
  try {
    const payment = await findPayment(deps.database.sql, due);
    if (!payment || payment.leaseHolder === null) return;
    if (payment.leaseHolder !== due.leaseHolder) return;
    // What only writes down that a deadline has passed is not made to wait for long (PAY-I3).
    const tries = needsNoCall(payment.state) ? 0 : payment.tries;
    const atMs = deps.clock.nowMs() + backOffMs(tries + 1);
    await putOff(deps, payment, { retry: `the work failed (${kind})`, atMs });
  } catch (failure) {
    const facts = { err: failure, merchantGuid, paymentUuid };
    deps.log.warn(facts, 'work that failed cannot be put off; its lease ends by itself');
  }
}
