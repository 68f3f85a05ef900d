import type { Sql } from '../db/database.ts';
import type { Dropping } from './delivery-store.ts';

/**
 * Drops what waits for endpoints that were archived, or whose account was revoked: an event that is
 * written as one ends may queue a delivery that nobody would look at; gives how many.
 */
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

/**
 * Removes all but the last attempts of what waits, so many of each: a dead endpoint is probed for
 * as long as something waits for it; gives how many.
 */
export async function deleteEarlyAttempts(sql: Sql, kept: number): Promise<number> {
  const result = await sql`
    delete from webhook_attempt a using webhook_delivery d
    where d.state = 'QUEUED' and d.attempts > ${kept} and a.partner_guid = d.partner_guid
      and a.endpoint_guid = d.endpoint_guid and a.place = d.place and a.extra = d.extra
      and a.number <= d.attempts - ${kept}::integer`;
  return result.count;
}

/**
 * Removes at most `limit` deliveries that were over at `cutoff`, with their attempts; gives how
 * many.
 */
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

/**
 * Removes at most `limit` extras that were told at `cutoff` or before, and that no delivery sends
 * any more; gives how many.
 */
export async function deleteOldExtras(sql: Sql, cutoff: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from webhook_extra x using (
      select extra.partner_guid, extra.number from webhook_extra extra
      where extra.at <= ${cutoff} and not exists (
        select from webhook_endpoint endpoint
        join webhook_delivery d on d.partner_guid = endpoint.partner_guid
          and d.endpoint_guid = endpoint.guid and d.place = extra.place and d.extra = extra.number
        where endpoint.partner_guid = extra.partner_guid)
      order by extra.at limit ${limit} for update skip locked
    ) old
    where x.partner_guid = old.partner_guid and x.number = old.number`;
  return result.count;
}

/**
 * Removes at most `limit` events of `cutoff` or before that no delivery and no replay sends any
 * more; gives how many.
 */
export async function deleteOldEvents(sql: Sql, cutoff: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from partner_event e using (
      select event.partner_guid, event.position from partner_event event
      where event.at <= ${cutoff}
        and not exists (
          select from webhook_endpoint endpoint
          join webhook_delivery d on d.partner_guid = endpoint.partner_guid
            and d.endpoint_guid = endpoint.guid and d.place = event.position and d.extra = 0
          where endpoint.partner_guid = event.partner_guid)
        and not exists (
          select from webhook_extra x where x.partner_guid = event.partner_guid
            and x.position = event.position)
      order by event.at limit ${limit}
    ) old
    where e.partner_guid = old.partner_guid and e.position = old.position`;
  return result.count;
}
