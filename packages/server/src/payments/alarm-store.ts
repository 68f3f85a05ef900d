import type { Sql } from '../db/database.ts';
import type { Reach } from '../http/reach.ts';
import { isAtReachedRestaurant } from '../restaurants/reach-store.ts';
import type { AlarmKind } from './alarm-kinds.ts';
import type { PaymentState } from './lifecycle.ts';

/** An alarm as it is raised. */
export interface NewAlarm {
  readonly guid: string;
  readonly merchantGuid: string;
  readonly paymentUuid: string;
  readonly kind: AlarmKind;
  readonly attempt: number;
  /** The state in which the payment was: each raises an alarm of a kind once. */
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

/** Raises an alarm; false when the payment has one of the kind for its attempt and state. */
export async function insertAlarm(sql: Sql, row: NewAlarm): Promise<boolean> {
  const result = await sql`
    insert into payment_alarm (merchant_guid, guid, payment_uuid, kind, attempt, payment_state,
      explanation, raised_at)
    values (${row.merchantGuid}, ${row.guid}, ${row.paymentUuid}, ${row.kind}, ${row.attempt},
      ${row.paymentState}, ${row.explanation}, ${row.raisedAt})
    on conflict do nothing`;
  return result.count === 1;
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
