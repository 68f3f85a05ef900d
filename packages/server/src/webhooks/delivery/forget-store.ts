import type { Sql } from '../../database/database.ts';
import { type Dropping, dropped } from './delivery-store.ts';

/** An event written while its endpoint ends may queue a delivery that nothing else would find. */
export async function updateStrayDeliveriesDropped(sql: Sql, dropping: Dropping): Promise<void> {
  await sql`
    update webhook_delivery d set ${dropped(sql, dropping)}
    from webhook_endpoint e join api_client c on c.client_id = e.client_id
    where (e.archived_at is not null or c.revoked_at is not null)
      and d.partner_guid = e.partner_guid and d.endpoint_guid = e.guid and d.state = 'QUEUED'`;
}

/** A dead endpoint is probed for as long as anything waits for it, so its attempts pile up. */
export async function deleteEarlyAttempts(sql: Sql, kept: number): Promise<void> {
  await sql`
    delete from webhook_attempt a using webhook_delivery d
    where d.state = 'QUEUED' and d.attempts > ${kept} and a.partner_guid = d.partner_guid
      and a.endpoint_guid = d.endpoint_guid and a.place = d.place and a.extra = d.extra
      and a.number <= d.attempts - ${kept}::integer`;
}

export async function deleteFinishedDeliveries(
  sql: Sql,
  cutoff: Date,
  limit: number,
): Promise<number> {
  const result = await sql`
    with old as (
      select partner_guid, endpoint_guid, place, extra from webhook_delivery
      where finished_at <= ${cutoff}
      limit ${limit} for update skip locked
    ), attempts as (
      delete from webhook_attempt a using old
      where a.partner_guid = old.partner_guid and a.endpoint_guid = old.endpoint_guid
        and a.place = old.place and a.extra = old.extra
    )
    delete from webhook_delivery d using old
    where d.partner_guid = old.partner_guid and d.endpoint_guid = old.endpoint_guid
      and d.place = old.place and d.extra = old.extra`;
  return result.count;
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

/** Null after the last step. */
export async function deleteOldExtras(
  sql: Sql,
  { cutoff, after, limit }: ForgetStep,
): Promise<ForgottenPlace | null> {
  const [last] = await sql<ForgottenPlace[]>`
    with looked as materialized (
      select at, partner_guid, number, place from webhook_extra
      where at <= ${cutoff}
        ${after ? sql`and (at, partner_guid, number) > ${placeOf(sql, after)}` : sql``}
      order by at, partner_guid, number limit ${limit}
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
    select at, partner_guid as "partnerGuid", number from looked
    order by at, partner_guid, number offset ${limit - 1}`;
  return last ?? null;
}

/** Null after the last step. */
export async function deleteOldEvents(
  sql: Sql,
  { cutoff, after, limit }: ForgetStep,
): Promise<ForgottenPlace | null> {
  const [last] = await sql<ForgottenPlace[]>`
    with looked as materialized (
      select at, partner_guid, position from partner_event
      where at <= ${cutoff}
        ${after ? sql`and (at, partner_guid, position) > ${placeOf(sql, after)}` : sql``}
      order by at, partner_guid, position limit ${limit}
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
    select at, partner_guid as "partnerGuid", position as number from looked
    order by at, partner_guid, position offset ${limit - 1}`;
  return last ?? null;
}

function placeOf(sql: Sql, { at, partnerGuid, number }: ForgottenPlace) {
  return sql`(${at}::timestamptz, ${partnerGuid}::uuid, ${number}::bigint)`;
}
