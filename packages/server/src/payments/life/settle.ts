import { everywhere } from '../../support/due-work.ts';
import { findAlarm, insertAlarm } from '../alarms/alarm-store.ts';
import { updateLeaseGivenBack, updatePaymentDue } from '../due/due-store.ts';
import { needsNoCall } from '../due/lanes.ts';
import { CallNotBegun } from '../processors/deadline.ts';
import { findAttempt } from './attempt-store.ts';
import { captureMissed, capturing, isPastCaptureDeadline } from './capture.ts';
import { inquiring } from './inquire.ts';
import { deadlineOf, isUnsettled, nextState, type PaymentState } from './lifecycle.ts';
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
    const { cause } = step.move;
    const { leaseHolder, leaseExpiresAt } = payment;
    const goesOn = isUnsettled(nextState(payment.state, cause));
    const lease = goesOn ? { leaseHolder, leaseExpiresAt } : {};
    const move = { ...step.move, change: { ...step.move.change, ...lease } };
    const recorded = await recordMove(deps, payment, move);
    if (!recorded.isOurs) return recorded.payment;
    moved.push({ fromState: payment.state, cause, toState: recorded.payment.state });
    payment = recorded.payment;
    if (payment.leaseHolder === null) return payment;
  }
}

async function nextStep(deps: SettleDeps, payment: PaymentRow): Promise<Step> {
  switch (payment.state) {
    // The process that asked has died: nobody else gets a payment in this state.
    case 'PENDING':
      return { move: makeMove('outcomeLost', deps.clock.nowMs()) };
    case 'UNKNOWN':
      return await inquiring(deps, payment, await attemptOf(deps, payment));
    case 'REVERSAL_PENDING':
      return await reversing(deps, payment, (await attemptOf(deps, payment)).followUps);
    case 'CAPTURE_PENDING':
      return await capturing(deps, payment);
    case 'VOID_PENDING':
      return await voiding(deps, payment);
    default:
      return atDeadline(payment, deps.clock.nowMs());
  }
}

async function attemptOf(deps: SettleDeps, payment: PaymentRow) {
  const attempt = await findAttempt(deps.database.sql, payment);
  if (!attempt) throw new Error(`payment ${payment.paymentUuid} has no attempt to ask about`);
  return attempt;
}

/** Deadlines may act late, never early (PAY-I3). */
function atDeadline(payment: PaymentRow, nowMs: number): Step {
  const deadline = deadlineOf(payment);
  if (deadline === null || nowMs < deadline.getTime()) return { restUntil: deadline };
  if (payment.state === 'AUTHORIZED') return { move: makeMove('applyDeadlinePassed', nowMs) };
  if (payment.state === 'APPLIED') return { move: makeMove('captureDeadlinePassed', nowMs) };
  // The hold may have lapsed at its deadline, so the deadline comes before the capture.
  if (isPastCaptureDeadline(payment, nowMs)) {
    return { move: captureMissed('the capture deadline passed before a capture was sent', nowMs) };
  }
  return { move: makeMove('captureTimeReached', nowMs) };
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
  const row = newAlarm(payment, alarm, deps.clock.nowMs());
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
    deps.log.warn(facts, 'failed work could not be postponed; its lease expires by itself');
  }
}
