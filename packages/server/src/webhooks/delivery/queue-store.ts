import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import type { PartnerEventType } from '../events/event-types.ts';

/** An event that was just written. */
export interface QueuedEvent {
  readonly partnerGuid: string;
  readonly position: number;
  readonly type: PartnerEventType;
  readonly at: Date;
}

/** Lists the endpoints of a partner that want an event of a type now. */
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

/** A delivery to an endpoint. */
export interface NewDelivery {
  readonly endpointGuid: string;
  readonly guid: string;
}

/** Queues an event for endpoints; `sql` is the transaction that wrote the event. */
export async function insertEventDeliveries(
  sql: Sql,
  { partnerGuid, position, at }: QueuedEvent,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const endpoints = deliveries.map(({ endpointGuid }) => endpointGuid).join(' ');
  const guids = deliveries.map(({ guid }) => guid).join(' ');
  await sql`
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, state,
      queued_at, due_at, attempts, tries)
    select ${partnerGuid}::uuid, endpoint_guid, ${position}::bigint, 0, guid, 'QUEUED',
      ${at}::timestamptz, ${at}::timestamptz, 0, 0
    from unnest(string_to_array(${endpoints}, ' ')::uuid[], string_to_array(${guids}, ' ')::uuid[])
      as delivery (endpoint_guid, guid)`;
}

/** What a partner is told beside the log of events. */
export interface ExtraRow {
  /** From 1 without gaps, for each partner. */
  readonly number: number;
  readonly kind: 'REPLAY' | 'TEST';
  /** What was asked for at once has one guid. */
  readonly requestGuid: string;
  readonly at: Date;
  /** Position of the event that is told again; null for a test event. */
  readonly position: number | null;
  readonly type: PartnerEventType;
  /** Of the event: the same as when it was told first. */
  readonly guid: string;
  /** The bytes that are sent. */
  readonly body: string;
}

/** Lists what a partner is told beside the log, by number, at most `limit` after `after`. */
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
 * The number of the newest extra of a partner, and the position of its newest event; 0 for none.
 */
export async function findNewestPlaces(
  sql: Sql,
  partnerGuid: string,
): Promise<{ readonly position: number; readonly extra: number }> {
  const [row] = await sql<[{ position: number; extra: number }]>`
    select ${newestPosition(sql, partnerGuid)} as position,
      coalesce((select number from webhook_extra_position where partner_guid = ${partnerGuid}), 0)
        as extra`;
  return row;
}

/**
 * The last number of `count` new extras of a partner. From here to the end of the transaction
 * nobody else gets one, so that numbers become visible in their order and without gaps.
 */
export async function updateExtraNumber(
  sql: Sql,
  partnerGuid: string,
  count: number,
): Promise<number> {
  const [row] = await sql<[{ number: number }]>`
    insert into webhook_extra_position as counter (partner_guid, number)
    values (${partnerGuid}, ${count})
    on conflict (partner_guid) do update set number = counter.number + ${count}::bigint
    returning number`;
  return row.number;
}

/** A test event. */
export interface NewTestEvent {
  readonly partnerGuid: string;
  readonly number: number;
  readonly requestGuid: string;
  readonly guid: string;
  readonly type: PartnerEventType;
  readonly at: Date;
  readonly body: string;
}

/** Writes a test event. */
export async function insertTestEvent(sql: Sql, event: NewTestEvent): Promise<void> {
  const { partnerGuid, number, requestGuid, guid, type, at, body } = event;
  await sql`
    insert into webhook_extra (partner_guid, number, kind, request_guid, at, place, guid, type,
      body)
    values (${partnerGuid}, ${number}, 'TEST', ${requestGuid}, ${at},
      ${newestPosition(sql, partnerGuid)}, ${guid}, ${type}, ${body})`;
}

/** Extras that an endpoint gets: `guids` are those of the deliveries, from the first number on. */
export interface NewExtraDeliveries extends EndpointKey {
  readonly first: number;
  readonly guids: readonly string[];
  readonly at: Date;
}

/** Queues extras for an endpoint, behind all that waits there. */
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

/** The position of the newest event of a partner; 0 for none. */
export function newestPosition(sql: Sql, partnerGuid: string) {
  return sql`coalesce((
    select position from partner_event_position where partner_guid = ${partnerGuid}), 0)`;
}
