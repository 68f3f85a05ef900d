import { ALREADY_CAPTURED } from '@servery/card-simulator/messages.ts';
import { insertAlarm } from '../alarms/alarm-store.ts';
import { followUpDue } from '../life/lifecycle.ts';
import { endedAs, type MoveAlarm, makeMove } from '../life/outcome.ts';
import { type AlarmSubject, newAlarm, recordMove, tellAlarm } from '../life/record.ts';
import { type Moved, settle } from '../life/settle.ts';
import { backOffMs, inquire, type SettleDeps, TRIES_BEFORE_ALARM } from '../life/step.ts';
import { findPayment, type PaymentRow } from '../life/store.ts';
import { reverse } from '../life/void.ts';
import { type FollowUpRow, updateFollowUp } from './follow-up-store.ts';

/**
 * Asks again about an attempt whose effect may appear late: the processor didn't know it or its
 * hold, or said that it didn't process it. If the payment is still where that attempt left it, it
 * is reversed again. Otherwise only the late hold is released.
 */
export async function followUp(deps: SettleDeps, row: FollowUpRow): Promise<readonly Moved[]> {
  const answer = await inquire(deps, row.processorKey);
  const nowMs = deps.clock.nowMs();
  const { sql } = deps.database;
  switch (answer.outcome) {
    case 'approved':
      return await reverseLateApproval(deps, row);
    // Refused late: nothing is held and nothing more can happen.
    case 'declined':
      await updateFollowUp(sql, row, { ...row, dueAt: null });
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

function asked({ followUps }: FollowUpRow, nowMs: number) {
  return { dueAt: followUpDue(followUps + 1, nowMs), followUps: followUps + 1, tries: 0 };
}

/** A question without an answer doesn't count. It is repeated, and an alarm follows in time. */
async function askLater(deps: SettleDeps, row: FollowUpRow, reason: string): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const tries = row.tries + 1;
  const dueAt = new Date(nowMs + backOffMs(tries));
  await updateFollowUp(deps.database.sql, row, { ...row, dueAt, tries });
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

/** From here on the payment itself is due, not the attempt. */
async function reverseAgain(
  deps: SettleDeps,
  row: FollowUpRow,
  payment: PaymentRow,
): Promise<readonly Moved[]> {
  const { leaseHolder, leaseExpiresAt } = row;
  const ended = { ...endedAs('UNKNOWN', 'approved late'), followUps: row.followUps + 1 };
  const parts = { change: { leaseHolder, leaseExpiresAt }, ended };
  const move = makeMove('lateApproval', deps.clock.nowMs(), parts);
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
      await updateFollowUp(sql, row, { ...row, dueAt: null });
      return;
    }
    // The processor reported the hold and now doesn't know it: that counts as a question.
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
  const row = newAlarm(about, alarm, deps.clock.nowMs());
  if (await insertAlarm(deps.database.sql, row)) tellAlarm(deps, about, alarm);
}
