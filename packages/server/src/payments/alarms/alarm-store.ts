import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isAtReachedRestaurant } from '../../reach/reach-store.ts';
import type { PaymentState } from '../life/lifecycle.ts';
import type { AlarmKind } from './alarm-kinds.ts';

export interface NewAlarm {
  readonly guid: string;
  readonly merchantGuid: string;
  readonly paymentUuid: string;
  readonly kind: AlarmKind;
  readonly attempt: number;
  /** A payment has at most one open alarm per kind and state. */
  readonly paymentState: PaymentState;
  /** For operators; never card data. */
  readonly explanation: string;
  readonly raisedAt: Date;
}

export interface AlarmRow extends Omit<NewAlarm, 'paymentState'> {
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly note: string | null;
}

export interface AlarmPlace {
  readonly raisedAt: string;
  readonly guid: string;
}

const TOLD_AGAIN_MS = 24 * 60 * 60_000;

/**
 * Raises an alarm. Returns false when the payment already has an open alarm of this kind for the
 * same attempt and state, or when somebody acknowledged one in the past 24 hours. An
 * acknowledgement in the future doesn't count: the sandbox's clock went back.
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

export async function listOpenAlarmCounts(
  sql: Sql,
): Promise<{ readonly kind: AlarmKind; readonly count: number }[]> {
  return await sql<{ kind: AlarmKind; count: number }[]>`
    select kind, count(*)::int as count from payment_alarm
    where acknowledged_at is null group by kind`;
}

export async function listAlarms(
  sql: Sql,
  { reach, isOpen }: { readonly reach: Reach; readonly isOpen: boolean | null },
  after: AlarmPlace | null,
  limit: number,
): Promise<AlarmRow[]> {
  // Written out so that PostgreSQL can use the index of open alarms.
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

export async function findAlarm(sql: Sql, guid: string, reach: Reach): Promise<AlarmRow | null> {
  const [row] = await sql<AlarmRow[]>`
    select ${alarmColumns(sql)} from payment_alarm
    where guid = ${guid} and ${isAtReachedRestaurant(sql, sql`merchant_guid`, reach)}`;
  return row ?? null;
}

export interface Acknowledgement {
  readonly acknowledgedAt: Date;
  readonly acknowledgedBy: string;
  readonly note: string;
}

/** Returns false when the alarm isn't open anymore: the first acknowledgement stays. */
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
