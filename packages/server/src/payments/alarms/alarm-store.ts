import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isAtReachedRestaurant } from '../../reach/reach-store.ts';
import type { PaymentState } from '../life/lifecycle.ts';
import type { AlarmKind } from './alarm-kinds.ts';

/** An alarm as it is raised. */
export interface NewAlarm {
  readonly guid: string;
  readonly merchantGuid: string;
  readonly paymentUuid: string;
  readonly kind: AlarmKind;
  readonly attempt: number;
  /** The state in which the payment was: each has one open alarm of a kind. */
  readonly paymentState: PaymentState;
  /** For operators; never card data. */
  readonly explanation: string;
  readonly raisedAt: Date;
}

/** An alarm as stored; the last three are null while it is open. */
export interface AlarmRow extends Omit<NewAlarm, 'paymentState'> {
  readonly acknowledgedAt: Date | null;
  /** How histories name whoever took note of it. */
  readonly acknowledgedBy: string | null;
  readonly note: string | null;
}

/** Which alarms a list holds. */
export interface AlarmFilter {
  /** Only alarms about restaurants in it. */
  readonly reach: Reach;
  /** True: those that nobody acknowledged. False: those that somebody did. Null: all. */
  readonly isOpen: boolean | null;
}

/** The last alarm of a page. */
export interface AlarmPlace {
  /** ISO 8601. */
  readonly raisedAt: string;
  readonly guid: string;
}

/** When a payment that is as it was is told of again after somebody took note, in ms. */
const TOLD_AGAIN_MS = 24 * 60 * 60_000;

/**
 * Raises an alarm; false when the payment has an open one of the kind for its attempt and state, or
 * somebody took note of one in the 24 hours before. What the clock has still to reach, because a
 * sandbox's went back, was not noted yet.
 */
export async function insertAlarm(sql: Sql, row: NewAlarm): Promise<boolean> {
  const dayBefore = new Date(row.raisedAt.getTime() - TOLD_AGAIN_MS);
  const result = await sql`
    insert into payment_alarm (merchant_guid, guid, payment_uuid, kind, attempt, payment_state,
      explanation, raised_at)
    select ${row.merchantGuid}::uuid, ${row.guid}::uuid, ${row.paymentUuid}::uuid,
      ${row.kind}::text, ${row.attempt}::integer, ${row.paymentState}::text,
      ${row.explanation}::text, ${row.raisedAt}::timestamptz
    where not exists (
      select from payment_alarm
      where merchant_guid = ${row.merchantGuid} and payment_uuid = ${row.paymentUuid}
        and kind = ${row.kind} and attempt = ${row.attempt}
        and payment_state = ${row.paymentState}
        and acknowledged_at > ${dayBefore} and acknowledged_at <= ${row.raisedAt})
    on conflict do nothing`;
  return result.count === 1;
}

/** How many alarms nobody has taken note of, by their kind; a kind without any is left out. */
export async function listOpenAlarmCounts(
  sql: Sql,
): Promise<{ readonly kind: AlarmKind; readonly count: number }[]> {
  return await sql<{ kind: AlarmKind; count: number }[]>`
    select kind, count(*)::int as count from payment_alarm
    where acknowledged_at is null group by kind`;
}

/** Alarms that fit the filter, the newest first, at most `limit` from `after` on. */
export async function listAlarms(
  sql: Sql,
  { reach, isOpen }: AlarmFilter,
  after: AlarmPlace | null,
  limit: number,
): Promise<AlarmRow[]> {
  // Written out, so that the index of the open alarms alone can be used.
  const openness = isOpen
    ? sql`and acknowledged_at is null`
    : isOpen === false
      ? sql`and acknowledged_at is not null`
      : sql``;
  const place = after
    ? sql`and (raised_at, guid) < (${after.raisedAt}::timestamptz, ${after.guid}::uuid)`
    : sql``;
  return await sql<AlarmRow[]>`
    select ${alarmColumns(sql)} from payment_alarm
    where ${isAtReachedRestaurant(sql, sql`merchant_guid`, reach)} ${openness} ${place}
    order by raised_at desc, guid desc
    limit ${limit}`;
}

/** Finds an alarm within reach; null if there is none. */
export async function findAlarm(sql: Sql, guid: string, reach: Reach): Promise<AlarmRow | null> {
  const [row] = await sql<AlarmRow[]>`
    select ${alarmColumns(sql)} from payment_alarm
    where guid = ${guid} and ${isAtReachedRestaurant(sql, sql`merchant_guid`, reach)}`;
  return row ?? null;
}

/** Whether an alarm was raised: the answer to the COMMIT that raised it may be lost. */
export async function findAlarmRaised(sql: Sql, guid: string): Promise<boolean> {
  const rows = await sql`select guid from payment_alarm where guid = ${guid}`;
  return rows.length === 1;
}

/** Who took note of an alarm, when, and what was found. */
export interface Acknowledgement {
  readonly acknowledgedAt: Date;
  readonly acknowledgedBy: string;
  readonly note: string;
}

/** Takes note of an open alarm; false when it is not open any more, which keeps the first note. */
export async function updateAlarmAcknowledged(
  sql: Sql,
  { merchantGuid, guid }: Pick<AlarmRow, 'merchantGuid' | 'guid'>,
  { acknowledgedAt, acknowledgedBy, note }: Acknowledgement,
): Promise<boolean> {
  const result = await sql`
    update payment_alarm
    set acknowledged_at = ${acknowledgedAt}, acknowledged_by = ${acknowledgedBy}, note = ${note}
    where merchant_guid = ${merchantGuid} and guid = ${guid} and acknowledged_at is null`;
  return result.count === 1;
}

function alarmColumns(sql: Sql) {
  return sql`
    guid, merchant_guid as "merchantGuid", payment_uuid as "paymentUuid", kind, attempt,
    explanation, raised_at as "raisedAt", acknowledged_at as "acknowledgedAt",
    acknowledged_by as "acknowledgedBy", note`;
}
