import type { Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';
import type { Dropping } from './delivery-store.ts';

/** An event written while its endpoint ends may queue a delivery that nothing else would find. */
export async function updateStrayDeliveriesDropped(
  sql: Sql,
  { at, by, reason }: Dropping,
): Promise<number> {
  const result = await sql`
    update webhook_delivery d
    set state = 'DROPPED', finished_at = ${at}, dropped_by = ${by}, drop_reason = ${reason},
      lease_holder = null, lease_expires_at = null
    from webhook_endpoint e join api_client c on c.client_id = e.client_id
    where (e.archived_at is not null or c.revoked_at is not null)
      and d.partner_guid = e.partner_guid and d.endpoint_guid = e.guid and d.state = 'QUEUED'`;
  return result.count;
}

/** A dead endpoint is probed for as long as anything waits for it, so its attempts pile up. */
export async function deleteEarlyAttempts(sql: Sql, kept: number): Promise<number> {
  const result = await sql`
    delete from webhook_attempt a using webhook_delivery d
    where d.state = 'QUEUED' and d.attempts > ${kept} and a.partner_guid = d.partner_guid
      and a.endpoint_guid = d.endpoint_guid and a.place = d.place and a.extra = d.extra
      and a.number <= d.attempts - ${kept}::integer`;
  return result.count;
}

export async function deleteFinishedDeliveries(
  sql: Sql,
  cutoff: Date,
  limit: number,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with old as (
      select partner_guid, endpoint_guid, place, extra from webhook_delivery
      where finished_at <= ${cutoff}
      limit ${limit} for update skip locked
    ), gone as (
      delete from webhook_delivery d using old
      where d.partner_guid = old.partner_guid and d.endpoint_guid = old.endpoint_guid
        and d.place = old.place and d.extra = old.extra
      returning d.partner_guid, d.endpoint_guid, d.place, d.extra
    ), attempts as (
      delete from webhook_attempt a using gone
      where a.partner_guid = gone.partner_guid and a.endpoint_guid = gone.endpoint_guid
        and a.place = gone.place and a.extra = gone.extra
    )
    select count(*)::integer as count from gone`;
  return row.count;
}

export interface ForgottenPlace {
  readonly at: Date;
  readonly partnerGuid: string;
  readonly number: number;
}

export interface ForgetStep {
  readonly cutoff: Date;
  readonly after: ForgottenPlace | null;
  readonly limit: number;
}

export async function deleteOldExtras(sql: Sql, step: ForgetStep): Promise<ForgottenPlace | null> {
  const [row] = await sql<Step[]>`
    with looked as materialized (
      select at, partner_guid, number, place from webhook_extra
      where at <= ${step.cutoff}
        ${isBehind(step.after, sql`(at, partner_guid, number)`, sql)}
      order by at, partner_guid, number limit ${step.limit}
    ), old as (
      select x.partner_guid, x.number
      from looked join webhook_extra x on x.partner_guid = looked.partner_guid
        and x.number = looked.number
      where not exists (
        select from webhook_endpoint endpoint
        join webhook_delivery d on d.partner_guid = endpoint.partner_guid
          and d.endpoint_guid = endpoint.guid and d.place = looked.place
          and d.extra = looked.number
        where endpoint.partner_guid = looked.partner_guid)
      for update of x skip locked
    ), gone as (
      delete from webhook_extra x using old
      where x.partner_guid = old.partner_guid and x.number = old.number
    )
    select ${stepColumns(sql)}, number from looked
    order by at desc, partner_guid desc, number desc limit 1`;
  return placeOf(row, step);
}

export async function deleteOldEvents(sql: Sql, step: ForgetStep): Promise<ForgottenPlace | null> {
  const [row] = await sql<Step[]>`
    with looked as materialized (
      select at, partner_guid, position from partner_event
      where at <= ${step.cutoff}
        ${isBehind(step.after, sql`(at, partner_guid, position)`, sql)}
      order by at, partner_guid, position limit ${step.limit}
    ), gone as (
      delete from partner_event e using looked
      where e.partner_guid = looked.partner_guid and e.position = looked.position
        and not exists (
          select from webhook_endpoint endpoint
          join webhook_delivery d on d.partner_guid = endpoint.partner_guid
            and d.endpoint_guid = endpoint.guid and d.place = looked.position and d.extra = 0
          where endpoint.partner_guid = looked.partner_guid)
        and not exists (
          select from webhook_extra x where x.partner_guid = looked.partner_guid
            and x.position = looked.position)
    )
    select ${stepColumns(sql)}, position as number from looked
    order by at desc, partner_guid desc, position desc limit 1`;
  return placeOf(row, step);
}

interface Step extends ForgottenPlace {
  readonly count: number;
}

function stepColumns(sql: Sql) {
  return sql`(select count(*)::integer from looked) as count, at, partner_guid as "partnerGuid"`;
}

function placeOf(row: Step | undefined, { limit }: ForgetStep): ForgottenPlace | null {
  return row && row.count === limit ? row : null;
}

function isBehind(after: ForgottenPlace | null, columns: Statement<readonly unknown[]>, sql: Sql) {
  if (!after) return sql``;
  const { at, partnerGuid, number } = after;
  return sql`and ${columns} > (${at}::timestamptz, ${partnerGuid}::uuid, ${number}::bigint)`;
}
