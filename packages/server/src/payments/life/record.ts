import { mayComeThrough } from '@servery/postgres/away.ts';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { LATE, sleep, type Timer, within } from '@servery/support/timer.ts';
import { type Change, insertEntry } from '../../audit/entry-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Log } from '../../support/log.ts';
import type { AlarmKind } from '../alarms/alarm-kinds.ts';
import { findAlarmRaised, insertAlarm, type NewAlarm } from '../alarms/alarm-store.ts';
import type { VelocityDimension } from '../authorize/risk.ts';
import { recordLimitMs } from './lease.ts';
import { type Cause, nextState, type PaymentState } from './lifecycle.ts';
import { insertMove, type StoredMove } from './move-store.ts';
import type { MoveAlarm, PaymentMove } from './outcome.ts';
import {
  findEventGuid,
  findPayment,
  type PaymentChange,
  type PaymentKey,
  type PaymentRow,
} from './store.ts';

export interface RecordDeps {
  readonly database: Database;
  readonly log: Log;
  readonly observer?: PaymentObserver;
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
  return await recordMoveAs(deps, payment, move, newMoveGuids());
}

/** The same for all tries of one move, and different for every other move. */
interface MoveGuids {
  readonly event: string;
  readonly alarm: string;
}

function newMoveGuids(): MoveGuids {
  return { event: newGuid(), alarm: newGuid() };
}

async function recordMoveAs(
  deps: RecordDeps,
  payment: PaymentRow,
  move: PaymentMove,
  guids: MoveGuids,
): Promise<Recorded> {
  const change = changeOf(payment, move);
  const applied = await repeatWhileCommitUnknown(deps, () =>
    move.alarm || move.origin
      ? deps.database.transaction((sql) => applyMove(sql, payment, move, { change, guids }))
      : applyInOneTrip(deps.database, payment, storedMove(payment, move, change, guids)),
  );
  if (!applied) return await recognise(deps, payment, move, guids);
  tell(deps, payment, move, applied.isAlarmed);
  return { isOurs: true, payment: { ...payment, ...change, ...nextVersion(payment, move) } };
}

interface Applied {
  readonly isAlarmed: boolean;
}

/** The fast path for most moves: one statement is a transaction by itself (decision 0018). */
async function applyInOneTrip(
  database: Database,
  payment: PaymentRow,
  move: StoredMove,
): Promise<Applied | null> {
  const run = (sql: Sql) => insertMove(sql, payment, move);
  const [moved] = await database.transaction(run, { isOneTrip: true });
  return moved ? { isAlarmed: false } : null;
}

function nextVersion({ version }: PaymentRow, { nowMs }: PaymentMove) {
  return { version: version + 1, modifiedAt: new Date(nowMs) };
}

/** After a lost COMMIT, the event's guid tells who made the change. */
async function recognise(
  deps: RecordDeps,
  before: PaymentRow,
  move: PaymentMove,
  guids: MoveGuids,
): Promise<Recorded> {
  const { sql } = deps.database;
  const payment = await loadPayment(deps, before);
  const recordedBy = await findEventGuid(sql, before, before.version + 1);
  if (recordedBy !== guids.event) return { isOurs: false, payment };
  const isAlarmed = move.alarm !== null && (await findAlarmRaised(sql, guids.alarm));
  tell(deps, before, move, isAlarmed);
  return { isOurs: payment.version === before.version + 1, payment };
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
  const guids = newMoveGuids();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await recordMoveAs(deps, payment, move, guids);
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

function changeOf(payment: PaymentRow, move: PaymentMove): PaymentChange {
  return {
    attempt: payment.attempt,
    authorizationCode: payment.authorizationCode,
    responseCode: payment.responseCode,
    denialReason: payment.denialReason,
    error: payment.error,
    authorizedAt: payment.authorizedAt,
    applyDeadline: payment.applyDeadline,
    captureDeadline: payment.captureDeadline,
    captureAt: payment.captureAt,
    capturedMinor: payment.capturedMinor,
    checkGuid: payment.checkGuid,
    voidReason: payment.voidReason,
    dueAt: payment.dueAt,
    tries: 0,
    leaseHolder: null,
    leaseExpiresAt: null,
    ...move.change,
    state: nextState(payment.state, move.cause),
  };
}

/** The slow path: a round trip for each extra write. */
async function applyMove(
  sql: Sql,
  payment: PaymentRow,
  move: PaymentMove,
  { change, guids }: { readonly change: PaymentChange; readonly guids: MoveGuids },
): Promise<Applied | null> {
  const [moved] = await insertMove(sql, payment, storedMove(payment, move, change, guids));
  if (!moved) return null;
  const { alarm, origin } = move;
  const now = new Date(move.nowMs);
  const about = { ...payment, state: change.state };
  const [isAlarmed] = await Promise.all([
    alarm && insertAlarm(sql, { ...newAlarm(about, alarm, now), guid: guids.alarm }),
    origin && insertEntry(sql, origin, paymentChange(payment, change)),
  ]);
  return { isAlarmed: isAlarmed === true };
}

function storedMove(
  payment: PaymentRow,
  { cause, details, ended, begunKey, nowMs }: PaymentMove,
  change: PaymentChange,
  guids: MoveGuids,
): StoredMove {
  const now = new Date(nowMs);
  const event = {
    guid: guids.event,
    version: payment.version + 1,
    from: payment.state,
    cause,
    to: change.state,
    attempt: change.attempt,
    details,
    occurredAt: now,
  };
  return { event, change, ended: ended && { ...ended, finishedAt: now }, begunKey };
}

function paymentChange(before: PaymentRow, after: PaymentChange): Change {
  const { merchantGuid, paymentUuid, version } = before;
  return {
    subject: { kind: 'payment', id: paymentUuid },
    restaurantGuid: merchantGuid,
    before: factsOf(before, version),
    after: factsOf(after, version + 1),
  };
}

/** What a person may change. Money and card never change. */
function factsOf(payment: PaymentRow | PaymentChange, version: number) {
  const { state, attempt, checkGuid, voidReason, captureAt, dueAt } = payment;
  return { state, version, attempt, checkGuid, voidReason, captureAt, dueAt };
}

export function newAlarm(
  { merchantGuid, paymentUuid, attempt, state }: AlarmSubject,
  alarm: MoveAlarm,
  now: Date,
): NewAlarm {
  const about = { merchantGuid, paymentUuid, attempt, paymentState: state };
  return { guid: newGuid(), ...about, ...alarm, raisedAt: now };
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
