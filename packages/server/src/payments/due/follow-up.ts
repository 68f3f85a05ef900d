import { ALREADY_CAPTURED } from '@servery/card-simulator/messages.ts';
import { insertAlarm } from '../alarms/alarm-store.ts';
import { followUpDue } from '../life/lifecycle.ts';
import { endedAs, type MoveAlarm, makeMove } from '../life/outcome.ts';
import { type AlarmSubject, newAlarm, recordMove, tellAlarm } from '../life/record.ts';
import { type Moved, settle } from '../life/settle.ts';
import {
  backOffMs,
  SETTLE_DEADLINE_MS,
  type SettleDeps,
  TRIES_BEFORE_ALARM,
} from '../life/step.ts';
import { findPayment, type PaymentRow } from '../life/store.ts';
import { reverse } from '../life/void.ts';
import { callWithDeadline } from '../processors/deadline.ts';
import { type FollowUpRow, updateFollowUp } from './follow-up-store.ts';

/**
 * Asks again about an attempt that the processor did not know, or said that it did not process, or
 * whose hold it did not know when that was to be voided: it may turn up late. A payment that still
 * stands where that attempt left it is reversed again; when it has moved on, to another attempt for
 * example, what the late one holds is given up beside it, and the payment stays as it is. Gives the
 * moves of the payment.
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
    case 'notFound':
      await updateFollowUp(sql, row, asked(row, nowMs));
      return [];
    case 'notProcessed':
    case 'unknown':
      await askLater(deps, row, answer.explanation);
      return [];
  }
}

/** What is written after a question that was answered: when the next one is due. */
function asked({ followUps }: FollowUpRow, nowMs: number) {
  const asked = followUps + 1;
  const dueAt = followUpDue(asked, nowMs);
  return { outcome: 'NOT_FOUND', dueAt, followUps: asked, tries: 0 } as const;
}

/** A question without an answer does not count: it is put again, and a person is told in time. */
async function askLater(deps: SettleDeps, row: FollowUpRow, reason: string): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const tries = row.tries + 1;
  const dueAt = new Date(nowMs + backOffMs(tries));
  await updateFollowUp(deps.database.sql, row, { ...row, outcome: 'NOT_FOUND', dueAt, tries });
  if (tries < TRIES_BEFORE_ALARM) return;
  const explanation = `attempt ${row.attempt} cannot be asked about: ${reason}`;
  await raise(deps, row, { kind: 'UNSETTLED', explanation });
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
  const followUps = row.followUps + 1;
  const ended = { ...endedAs('UNKNOWN', 'approved late'), followUps };
  const move = makeMove('lateApproval', nowMs, { change, ended });
  const recorded = await recordMove(deps, payment, move);
  if (!recorded.isOurs) {
    await askLater(deps, row, 'somebody else moved the payment');
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
  switch (answer.outcome) {
    case 'approved':
      await updateFollowUp(sql, row, { ...row, outcome: 'REVERSED', dueAt: null });
      return;
    case 'declined': {
      const isCaptured = answer.responseCode === ALREADY_CAPTURED;
      const kind = isCaptured ? 'FOUND_CAPTURED' : 'STRAY_HOLD';
      const explanation = `the processor answered the reversal with ${answer.responseCode}`;
      await raise(deps, { ...row, state: payment.state }, { kind, explanation });
      await updateFollowUp(sql, row, { ...row, outcome: 'NOT_FOUND', dueAt: null });
      return;
    }
    // The processor told of the hold and now does not know it: that counts as a question.
    case 'notFound': {
      const explanation = `a hold that was approved late is not known: ${answer.explanation}`;
      await raise(deps, { ...row, state: payment.state }, { kind: 'HOLD_MISSING', explanation });
      await updateFollowUp(sql, row, asked(row, deps.clock.nowMs()));
      return;
    }
    case 'notProcessed':
    case 'unknown':
      await askLater(deps, row, answer.explanation);
  }
}

async function raise(deps: SettleDeps, about: AlarmSubject, alarm: MoveAlarm): Promise<void> {
  const row = newAlarm(about, alarm, new Date(deps.clock.nowMs()));
  if (await insertAlarm(deps.database.sql, row)) tellAlarm(deps, about, alarm);
}
