import { mayComeThrough } from '@servery/postgres/away.ts';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { LATE, sleep, type Timer, within } from '@servery/support/timer.ts';
import { type Change, insertEntry } from '../../audit/entry-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import { everywhere } from '../../support/due-work.ts';
import type { Log } from '../../support/log.ts';
import {
  queueRestaurantEvents,
  type RestaurantNews,
} from '../../webhooks/delivery/queue-restaurant-events.ts';
import type { WantedEvents } from '../../webhooks/delivery/restaurant-event-store.ts';
import type { AlarmKind } from '../alarms/alarm-kinds.ts';
import { findAlarm, insertAlarm, type NewAlarm } from '../alarms/alarm-store.ts';
import type { VelocityDimension } from '../authorize/risk.ts';
import { insertAttempt } from './attempt-store.ts';
import { recordLimitMs } from './lease.ts';
import type { Cause, PaymentState } from './lifecycle.ts';
import { insertMove } from './move-store.ts';
import type { OrdersHere } from './orders-here.ts';
import { type MoveAlarm, movedPayment, type PaymentMove } from './outcome.ts';
import { isSeen, moveWanted, paymentNews } from './payment-events.ts';
import { findEventGuid, findPayment, type PaymentKey, type PaymentRow } from './store.ts';
import { currentTipMinor } from './tip.ts';

export interface RecordDeps {
  readonly database: Database;
  readonly log: Log;
  readonly observer?: PaymentObserver;
  /** Absent where no orders are placed. */
  readonly ordersHere?: OrdersHere;
}

export interface PaymentObserver {
  moved(cause: Cause): void;
  alarmed(kind: AlarmKind): void;
  velocityRefused(limit: VelocityDimension): void;
}

export interface OutcomeDeps extends RecordDeps {
  readonly clock: Clock;
  /** Leases run in real time, which a sandbox's clock doesn't move. */
  readonly realClock: Clock;
  readonly timer: Timer;
}

export interface Recorded {
  readonly isOurs: boolean;
  readonly payment: PaymentRow;
}

export interface AlarmSubject extends PaymentKey {
  readonly attempt: number;
  readonly state: PaymentState;
}

const TRIES = 3;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Compare-and-set in one transaction. When somebody else moved the payment, writes nothing and
 * returns it as it is. Repeats after a lost COMMIT: the next version's event exists only once.
 */
export async function recordMove(
  deps: RecordDeps,
  payment: PaymentRow,
  move: PaymentMove,
): Promise<Recorded> {
  return await recordMoveAs(deps, payment, move, newGuid());
}

/** `guid` names the event and the alarm: the same for all tries of one move. */
async function recordMoveAs(
  deps: RecordDeps,
  before: PaymentRow,
  move: PaymentMove,
  guid: string,
): Promise<Recorded> {
  const after = movedPayment(before, move);
  const wanted = moveWanted(before, after);
  const recorded = { before, after, move: { ...move, guid }, wanted };
  const isOfOrder = before.orderGuid !== null && isSeen(before, after);
  const isAlone = !move.begunKey && !move.alarm && !move.origin && !isOfOrder;
  const isMovedAlone =
    isAlone && (await repeatWhileCommitUnknown(deps, () => moveAlone(deps, recorded)));
  if (isMovedAlone) {
    tell(deps, before, move, false);
    return { isOurs: true, payment: after };
  }
  if (isAlone && !wanted) return await recognise(deps, before, move, guid);
  const [moved, isAlarmed] = await repeatWhileCommitUnknown(deps, () =>
    deps.database.transaction((sql) => moveAndTell(isOfOrder ? deps : {}, sql, recorded)),
  );
  if (!moved) return await recognise(deps, before, move, guid);
  tell(deps, before, move, isAlarmed === true);
  return { isOurs: true, payment: after };
}

/**
 * Part of the caller's transaction, which tells the `news` at its end and changes the order of the
 * payment itself. Returns null when somebody else moved the payment: the transaction must be given
 * up then, for the news is there at once.
 */
export async function recordMoveWithin(
  sql: Sql,
  before: PaymentRow,
  move: PaymentMove,
  news: RestaurantNews[],
): Promise<PaymentRow | null> {
  const after = movedPayment(before, move);
  const named = { ...move, guid: newGuid() };
  if (moveWanted(before, after)) news.push(paymentNews(sql, before, after, named));
  const [moved] = await moveWithOthers(sql, { before, after, move: named });
  return moved ? after : null;
}

interface RecordedMove {
  readonly before: PaymentRow;
  readonly after: PaymentRow;
  readonly move: PaymentMove & { readonly guid: string };
  readonly wanted: WantedEvents | null;
}

/**
 * Most moves are one statement, which is a transaction by itself (decision 0018). False when
 * somebody else moved the payment, or a partner wants the event.
 */
async function moveAlone(
  { database }: Pick<RecordDeps, 'database'>,
  { before, after, move, wanted }: RecordedMove,
): Promise<boolean> {
  const insert = (sql: Sql) => insertMove(sql, before, after, move, wanted);
  return (await database.transaction(insert, { isOneTrip: true })).length > 0;
}

/** With what its order shows of it (PAY-I10), and with the events for partners. */
async function moveAndTell({ ordersHere }: Partial<RecordDeps>, sql: Sql, recorded: RecordedMove) {
  const { before, after, move, wanted } = recorded;
  const make = async (news: RestaurantNews[]) => {
    const written = await moveWithOthers(sql, recorded);
    if (wanted && written.length > 0) news.push(paymentNews(sql, before, after, move));
    return written;
  };
  if (ordersHere) return await ordersHere.moveWithOrder(sql, { before, after, move }, make);
  const news: RestaurantNews[] = [];
  const written = await make(news);
  await queueRestaurantEvents(sql, ...news);
  return written;
}

/**
 * With its alarm, its entry of the audit log and its new attempt. Empty when somebody else moved the
 * payment.
 */
async function moveWithOthers(
  sql: Sql,
  { before, after, move }: Pick<RecordedMove, 'before' | 'after' | 'move'>,
) {
  const { begunKey, alarm, origin, guid, nowMs } = move;
  const [inserted] = await insertMove(sql, before, after, move);
  if (!inserted) return [];
  return await Promise.all([
    inserted,
    alarm && insertAlarm(sql, { ...newAlarm(after, alarm, nowMs), guid }),
    origin && insertEntry(sql, origin, changeOf(before, after)),
    begunKey && insertAttempt(sql, after, begunKey, after.modifiedAt),
  ]);
}

/** After a lost COMMIT, the event's guid tells who made the change. */
async function recognise(
  deps: RecordDeps,
  before: PaymentRow,
  move: PaymentMove,
  guid: string,
): Promise<Recorded> {
  const { sql } = deps.database;
  const payment = await loadPayment(deps, before);
  const version = before.version + 1;
  if ((await findEventGuid(sql, before, version)) !== guid) return { isOurs: false, payment };
  const isAlarmed = move.alarm && (await findAlarm(sql, guid, everywhere)) !== null;
  tell(deps, before, move, isAlarmed === true);
  return { isOurs: payment.version === version, payment };
}

function tell(
  deps: RecordDeps,
  payment: PaymentRow,
  { cause, alarm }: PaymentMove,
  isAlarmed: boolean,
): void {
  deps.observer?.moved(cause);
  if (alarm && isAlarmed) tellAlarm(deps, payment, alarm);
}

/**
 * Money may be held by now, so this waits for an unavailable database until shortly before the
 * lease ends. Compare-and-set writes the answer once. Throws at once on PostgreSQL errors and
 * defects, and when time is up; a late try does no harm.
 */
export async function recordOutcome(
  deps: OutcomeDeps,
  payment: PaymentRow,
  move: PaymentMove,
): Promise<Recorded> {
  const stop = new AbortController();
  const limitMs = recordLimitMs(payment, deps.realClock.nowMs());
  const work = keepRecording(deps, payment, move, stop.signal);
  const answer = await within(work, limitMs, deps.timer);
  if (answer !== LATE) return answer;
  stop.abort();
  throw new Error(`the database did not take the outcome within ${limitMs} ms`);
}

async function keepRecording(
  deps: OutcomeDeps,
  payment: PaymentRow,
  move: PaymentMove,
  signal: AbortSignal,
): Promise<Recorded> {
  const { merchantGuid, paymentUuid } = payment;
  const guid = newGuid();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await recordMoveAs(deps, payment, move, guid);
    } catch (error) {
      if (signal.aborted || !mayComeThrough(error)) throw error;
      deps.log.warn(
        { err: error, merchantGuid, paymentUuid, pauseMs },
        'the outcome of a payment is not recorded yet; trying again',
      );
      await sleep(pauseMs, signal, deps.timer);
    }
  }
}

function changeOf(before: PaymentRow, after: PaymentRow): Change {
  return {
    subject: { kind: 'payment', id: before.paymentUuid },
    restaurantGuid: before.merchantGuid,
    before: factsOf(before),
    after: factsOf(after),
  };
}

/** What a person may change. */
function factsOf(payment: PaymentRow) {
  const { state, version, attempt, checkGuid, voidReason, captureAt, dueAt } = payment;
  const tipMinor = currentTipMinor(payment);
  return { state, version, attempt, checkGuid, tipMinor, voidReason, captureAt, dueAt };
}

export function newAlarm(
  { merchantGuid, paymentUuid, attempt, state }: AlarmSubject,
  alarm: MoveAlarm,
  nowMs: number,
): NewAlarm {
  const about = { merchantGuid, paymentUuid, attempt, paymentState: state };
  return { guid: newGuid(), ...about, ...alarm, raisedAt: new Date(nowMs) };
}

export function tellAlarm(
  { log, observer }: Pick<RecordDeps, 'log' | 'observer'>,
  { merchantGuid, paymentUuid, attempt }: AlarmSubject,
  { kind, explanation }: MoveAlarm,
): void {
  const facts = { merchantGuid, paymentUuid, attempt, kind, explanation };
  log.error(facts, 'a payment needs a person');
  observer?.alarmed(kind);
}

/** `run` must have no effect the second time. */
export async function repeatWhileCommitUnknown<T>(
  { log }: Pick<RecordDeps, 'log'>,
  run: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof CommitUnknownError) || tried === TRIES) throw error;
      log.warn({ err: error }, 'the answer to a COMMIT was lost; reading back');
    }
  }
}

/** Throws when there is none, although it was recorded. */
export async function loadPayment(
  deps: Pick<RecordDeps, 'database'>,
  key: PaymentKey,
): Promise<PaymentRow> {
  const found = await findPayment(deps.database.sql, key);
  if (!found) throw new Error(`payment ${key.paymentUuid} has an event but no row`);
  return found;
}
