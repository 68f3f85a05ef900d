import { insertAlarm } from './alarm-store.ts';
import { type FollowUpRow, updateFollowUp } from './attempt-store.ts';
import { type MoveAlarm, makeMove } from './outcome.ts';
import { callWithDeadline } from './processors/deadline.ts';
import { newAlarm, recordMove } from './record.ts';
import { type Moved, settle } from './settle.ts';
import { backOffMs, SETTLE_DEADLINE_MS, type SettleDeps } from './step.ts';
import { findPayment, type PaymentRow } from './store.ts';
import { reverse } from './void.ts';

/** How long after one question the next one is asked; after the last one, none is. */
const FOLLOW_UPS_MS = [9 * 60_000, 50 * 60_000, 23 * 3_600_000];

/** How long until a follow-up without a result is tried again, by how often it was tried so far. */
const RETRY_TRIES = 5;

/**
 * Asks again about an attempt that the processor did not know, because its call may have taken
 * effect late. A payment that still stands where that attempt left it is reversed again; when it
 * has moved on, to another attempt for example, what the late one holds is given up beside it, and
 * the payment stays as it is. Gives the moves of the payment.
 */
export async function followUp(deps: SettleDeps, row: FollowUpRow): Promise<readonly Moved[]> {
  const answer = await callWithDeadline(deps.timer, SETTLE_DEADLINE_MS, (signal) =>
    deps.processor.inquire({ key: row.processorKey }, signal),
  );
  const nowMs = deps.clock.nowMs();
  const { sql } = deps.database;
  switch (answer.outcome) {
    case 'approved':
      return await reverseLateApproval(deps, row);
    // It was refused late: nothing is held, and nothing more can come of it.
    case 'declined':
      await updateFollowUp(sql, row, { ...row, outcome: 'NOT_FOUND', dueAt: null });
      return [];
    case 'notFound': {
      const delayMs = FOLLOW_UPS_MS[row.followUps];
      const dueAt = delayMs === undefined ? null : new Date(nowMs + delayMs);
      const followUps = row.followUps + 1;
      await updateFollowUp(sql, row, { outcome: 'NOT_FOUND', dueAt, followUps });
      return [];
    }
    case 'notProcessed':
    case 'unknown':
      await askLater(deps, row);
      return [];
  }
}

async function askLater(deps: SettleDeps, row: FollowUpRow): Promise<void> {
  const dueAt = new Date(deps.clock.nowMs() + backOffMs(RETRY_TRIES));
  await updateFollowUp(deps.database.sql, row, { ...row, outcome: 'NOT_FOUND', dueAt });
}

async function reverseLateApproval(deps: SettleDeps, row: FollowUpRow): Promise<readonly Moved[]> {
  const payment = await findPayment(deps.database.sql, row);
  if (!payment) throw new Error(`attempt of payment ${row.paymentUuid} has no payment`);
  const stands = payment.state === 'ABORTED' || payment.state === 'REVERSED';
  if (stands && payment.attempt === row.attempt) return await reverseAgain(deps, row, payment);
  await reverseBeside(deps, row, payment);
  return [];
}

/** From here on the payment itself is due, and the attempt no longer. */
async function reverseAgain(
  deps: SettleDeps,
  row: FollowUpRow,
  payment: PaymentRow,
): Promise<readonly Moved[]> {
  const nowMs = deps.clock.nowMs();
  const lease = { leaseHolder: row.leaseHolder, leaseExpiresAt: row.leaseExpiresAt };
  const change = { dueAt: new Date(nowMs), ...lease };
  const ended = { outcome: 'UNKNOWN', explanation: 'approved late', dueAt: null } as const;
  const move = makeMove('lateApproval', nowMs, {
    change,
    ended: { ...ended, processorReference: null },
  });
  const recorded = await recordMove(deps, payment, move);
  if (!recorded.isOurs) {
    await askLater(deps, row);
    return [];
  }
  const first = { fromState: payment.state, cause: move.cause, toState: recorded.payment.state };
  const { moved } = await settle(deps, recorded.payment);
  return [first, ...moved];
}

async function reverseBeside(
  deps: SettleDeps,
  row: FollowUpRow,
  payment: PaymentRow,
): Promise<void> {
  const answer = await reverse(deps, payment, row.attempt);
  const { sql } = deps.database;
  const { merchantGuid, paymentUuid, attempt } = row;
  deps.log.warn(
    { merchantGuid, paymentUuid, attempt, outcome: answer.outcome },
    'an attempt was approved late and is reversed',
  );
  if (answer.outcome === 'approved') {
    await updateFollowUp(sql, row, { ...row, outcome: 'REVERSED', dueAt: null });
  } else if (answer.outcome === 'declined') {
    const explanation = `the processor answered the reversal with ${answer.responseCode}`;
    await raiseStrayHold(deps, row, { kind: 'STRAY_HOLD', explanation });
    await updateFollowUp(sql, row, { ...row, outcome: 'NOT_FOUND', dueAt: null });
  } else {
    await askLater(deps, row);
  }
}

async function raiseStrayHold(deps: SettleDeps, row: FollowUpRow, alarm: MoveAlarm): Promise<void> {
  const { merchantGuid, paymentUuid, attempt } = row;
  await insertAlarm(deps.database.sql, newAlarm(row, alarm, new Date(deps.clock.nowMs())));
  deps.log.error({ merchantGuid, paymentUuid, attempt, ...alarm }, 'a payment needs a person');
  deps.observer?.alarmed(alarm.kind);
}
