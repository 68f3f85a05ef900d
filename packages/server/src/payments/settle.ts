import { insertAlarm } from './alarm-store.ts';
import { findAttempt } from './attempt-store.ts';
import { capturing } from './capture.ts';
import { updatePaymentDue } from './due-store.ts';
import { inquiring } from './inquire.ts';
import type { PaymentState } from './lifecycle.ts';
import { makeMove, type PaymentMove } from './outcome.ts';
import { newAlarm, recordMove, tellAlarm } from './record.ts';
import { type SettleDeps, type Step, TRIES_BEFORE_ALARM } from './step.ts';
import type { PaymentRow } from './store.ts';
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
 * moves the payment meanwhile wins, and this stops: the newest version decides, not the lease.
 */
export async function settle(
  deps: SettleDeps,
  due: PaymentRow,
): Promise<{ readonly payment: PaymentRow; readonly moved: readonly Moved[] }> {
  const moved: Moved[] = [];
  let payment = due;
  for (;;) {
    const step = await nextStep(deps, payment);
    if (!('move' in step)) {
      await putOff(deps, payment, step);
      return { payment, moved };
    }
    const keepsLease = isDueNow(payment, step.move)
      ? { leaseHolder: payment.leaseHolder, leaseExpiresAt: payment.leaseExpiresAt }
      : {};
    const move = { ...step.move, change: { ...step.move.change, ...keepsLease } };
    const recorded = await recordMove(deps, payment, move);
    if (!recorded.isOurs) return { payment: recorded.payment, moved };
    const { cause } = move;
    moved.push({ fromState: payment.state, cause, toState: recorded.payment.state });
    payment = recorded.payment;
    if (payment.leaseHolder === null) return { payment, moved };
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

/** Deadlines may act late, never early (I3). */
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
  const atEnd = atDeadline(captureDeadline, 'captureDeadlinePassed', nowMs);
  if ('move' in atEnd || captureAt === null) return atEnd;
  if (nowMs < captureAt.getTime()) return { restUntil: captureAt };
  return {
    move: makeMove('captureTimeReached', nowMs, { change: { dueAt: new Date(nowMs) } }),
  };
}

/** The payment stays in its state; nothing is written when somebody moved it meanwhile. */
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
    'the processor has not settled a payment; trying again',
  );
  const alarm = { kind: 'UNSETTLED', explanation: `${state}: ${step.retry}` } as const;
  const row = newAlarm(payment, alarm, new Date(deps.clock.nowMs()));
  // One transaction: whoever dies in between leaves a payment that raises its alarm the next time.
  const isRaised = await deps.database.transaction(async (transaction) => {
    const isOurs = await updatePaymentDue(transaction, payment, new Date(step.atMs), tries);
    return isOurs && tries >= TRIES_BEFORE_ALARM && (await insertAlarm(transaction, row));
  });
  if (isRaised) tellAlarm(deps, payment, alarm);
}
