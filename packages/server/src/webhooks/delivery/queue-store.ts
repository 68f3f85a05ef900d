import { type EventKind, type EventType, eventKinds } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import type { DeliveryKey } from './delivery-store.ts';

export interface QueuedEvent {
  readonly partnerGuid: string;
  readonly position: number;
  readonly type: EventType;
  readonly at: Date;
}

export async function listWantingEndpoints(
  sql: Sql,
  partnerGuid: string,
  type: EventType,
): Promise<string[]> {
  const { scope, unlessScope }: EventKind = eventKinds[type];
  const rows = await sql<{ guid: string }[]>`
    select e.guid
    from webhook_endpoint e join api_client c on c.client_id = e.client_id
    where e.partner_guid = ${partnerGuid} and e.archived_at is null and e.state <> 'DISABLED'
      and (e.event_types is null or ${type}::text = any(e.event_types))
      and c.revoked_at is null
      and (${scope}::text is null or ${scope}::text = any(c.scopes))
      ${unlessScope === undefined ? sql`` : sql`and ${unlessScope}::text <> all(c.scopes)`}
    order by e.guid`;
  return rows.map(({ guid }) => guid);
}

export interface NewDeliveries extends Omit<DeliveryKey, 'endpointGuid'> {
  readonly type: EventType;
  readonly at: Date;
}

/** `sql` is the transaction that wrote the event. Returns the GUIDs of the deliveries. */
export async function insertEventDeliveries(
  sql: Sql,
  { partnerGuid, place, extra, type, at }: NewDeliveries,
  endpointGuids: readonly string[],
): Promise<string[]> {
  const guids = endpointGuids.map(() => newGuid());
  await sql`
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, event_type,
      state, queued_at, due_at, attempts, tries)
    select ${partnerGuid}::uuid, endpoint_guid, ${place}::bigint, ${extra}::bigint, guid, ${type},
      'QUEUED', ${at}::timestamptz, ${at}::timestamptz, 0, 0
    from unnest(${endpointGuids}::uuid[], ${guids}::uuid[]) as delivery (endpoint_guid, guid)`;
  return guids;
}

export interface ExtraRow {
  /** From 1 without gaps, for each partner. */
  readonly number: number;
  readonly kind: 'REPLAY' | 'TEST';
  readonly position: number | null;
  readonly type: EventType;
  readonly body: string;
}

export async function listExtras(
  sql: Sql,
  partnerGuid: string,
  after: number,
  limit: number,
): Promise<ExtraRow[]> {
  return await sql<ExtraRow[]>`
    select x.number, x.kind, x.position, coalesce(x.type, event.type) as type,
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

export interface NewTestEvent extends Omit<QueuedEvent, 'position'> {
  readonly number: number;
  readonly guid: string;
  readonly body: string;
}

/** Returns its place among the partner's events. */
export async function insertTestEvent(
  sql: Sql,
  { partnerGuid, number, guid, type, at, body }: NewTestEvent,
): Promise<number> {
  const [row] = await sql<[{ place: number }]>`
    insert into webhook_extra (partner_guid, number, kind, request_guid, at, place, guid, type,
      body)
    select ${partnerGuid}::uuid, ${number}::bigint, 'TEST', ${newGuid()}::uuid,
      ${at}::timestamptz, ${newestPosition(sql, partnerGuid)}, ${guid}::uuid, ${type}::text,
      ${body}::text
    returning place`;
  return row.place;
}

export interface NewReplayDeliveries extends EndpointKey {
  readonly first: number;
  readonly guids: readonly string[];
  readonly at: Date;
}

export async function insertReplayDeliveries(
  sql: Sql,
  { partnerGuid, endpointGuid, first, guids, at }: NewReplayDeliveries,
): Promise<void> {
  await sql`
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, event_type,
      state, queued_at, due_at, attempts, tries)
    select x.partner_guid, ${endpointGuid}::uuid, x.place, x.number, delivery.guid, event.type,
      'QUEUED', ${at}::timestamptz, ${at}::timestamptz, 0, 0
    from unnest(string_to_array(${guids.join(' ')}, ' ')::uuid[])
      with ordinality as delivery (guid, index)
    join webhook_extra x on x.partner_guid = ${partnerGuid}
      and x.number = ${first}::bigint - 1 + delivery.index
    join partner_event event on event.partner_guid = x.partner_guid and event.position = x.position`;
}

export function newestPosition(sql: Sql, partnerGuid: string) {
  return sql`coalesce((
    select position from partner_counter where partner_guid = ${partnerGuid}), 0)`;
}
