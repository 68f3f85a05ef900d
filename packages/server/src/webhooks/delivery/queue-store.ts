import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import type { PartnerEventType } from '../events/event-types.ts';

export interface QueuedEvent {
  readonly partnerGuid: string;
  readonly position: number;
  readonly type: PartnerEventType;
  readonly at: Date;
}

export async function listWantingEndpoints(
  sql: Sql,
  partnerGuid: string,
  type: PartnerEventType,
): Promise<string[]> {
  const rows = await sql<{ guid: string }[]>`
    select e.guid
    from webhook_endpoint e join api_client c on c.client_id = e.client_id
    where e.partner_guid = ${partnerGuid} and e.archived_at is null and e.state <> 'DISABLED'
      and (e.event_types is null or ${type}::text = any(e.event_types))
      and c.revoked_at is null
    order by e.guid`;
  return rows.map(({ guid }) => guid);
}

/** `sql` is the transaction that wrote the event. */
export async function insertEventDeliveries(
  sql: Sql,
  { partnerGuid, position, at }: QueuedEvent,
  endpointGuids: readonly string[],
): Promise<void> {
  await sql`
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, state,
      queued_at, due_at, attempts, tries)
    select ${partnerGuid}::uuid, endpoint_guid, ${position}::bigint, 0, guid, 'QUEUED',
      ${at}::timestamptz, ${at}::timestamptz, 0, 0
    from unnest(${endpointGuids}::uuid[], ${endpointGuids.map(() => newGuid())}::uuid[])
      as delivery (endpoint_guid, guid)`;
}

export interface ExtraRow {
  /** From 1 without gaps, for each partner. */
  readonly number: number;
  readonly kind: 'REPLAY' | 'TEST';
  /** One GUID for everything from the same request. */
  readonly requestGuid: string;
  readonly at: Date;
  readonly position: number | null;
  readonly type: PartnerEventType;
  /** The same as at the first delivery of the event. */
  readonly guid: string;
  readonly body: string;
}

export async function listExtras(
  sql: Sql,
  partnerGuid: string,
  after: number,
  limit: number,
): Promise<ExtraRow[]> {
  return await sql<ExtraRow[]>`
    select x.number, x.kind, x.request_guid as "requestGuid", x.at, x.position,
      coalesce(x.type, event.type) as type, coalesce(x.guid, event.guid) as guid,
      coalesce(x.body, event.body) as body
    from webhook_extra x
    left join partner_event event
      on event.partner_guid = x.partner_guid and event.position = x.position
    where x.partner_guid = ${partnerGuid} and x.number > ${after}
    order by x.number
    limit ${limit}`;
}

/**
 * Returns the first of `count` numbers. Locks them until the transaction ends: they become visible in
 * order, without gaps.
 */
export async function updateExtraNumber(
  sql: Sql,
  partnerGuid: string,
  count: number,
): Promise<number> {
  const [row] = await sql<[{ first: number }]>`
    insert into webhook_extra_position as counter (partner_guid, number)
    values (${partnerGuid}, ${count})
    on conflict (partner_guid) do update set number = counter.number + ${count}::bigint
    returning number - ${count}::bigint + 1 as first`;
  return row.first;
}

export interface NewTestEvent {
  readonly partnerGuid: string;
  readonly number: number;
  readonly requestGuid: string;
  readonly guid: string;
  readonly type: PartnerEventType;
  readonly at: Date;
  readonly body: string;
}

export async function insertTestEvent(sql: Sql, event: NewTestEvent): Promise<void> {
  const { partnerGuid, number, requestGuid, guid, type, at, body } = event;
  await sql`
    insert into webhook_extra (partner_guid, number, kind, request_guid, at, place, guid, type,
      body)
    values (${partnerGuid}, ${number}, 'TEST', ${requestGuid}, ${at},
      ${newestPosition(sql, partnerGuid)}, ${guid}, ${type}, ${body})`;
}

export interface NewExtraDeliveries extends EndpointKey {
  readonly first: number;
  readonly guids: readonly string[];
  readonly at: Date;
}

export async function insertExtraDeliveries(
  sql: Sql,
  { partnerGuid, endpointGuid, first, guids, at }: NewExtraDeliveries,
): Promise<void> {
  await sql`
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, state,
      queued_at, due_at, attempts, tries)
    select x.partner_guid, ${endpointGuid}::uuid, x.place, x.number, delivery.guid, 'QUEUED',
      ${at}::timestamptz, ${at}::timestamptz, 0, 0
    from unnest(string_to_array(${guids.join(' ')}, ' ')::uuid[])
      with ordinality as delivery (guid, index)
    join webhook_extra x on x.partner_guid = ${partnerGuid}
      and x.number = ${first}::bigint - 1 + delivery.index`;
}

export function newestPosition(sql: Sql, partnerGuid: string) {
  return sql`coalesce((
    select position from partner_event_position where partner_guid = ${partnerGuid}), 0)`;
}
