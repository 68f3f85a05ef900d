import type { EventType, Scope } from '@servery/contract';
import type { Row, Statement } from '@servery/postgres/sql.ts';
import type { Sql } from '../../database/database.ts';

export interface WantedEvents {
  readonly restaurantGuid: string;
  readonly types: readonly EventType[];
  readonly scope: Scope;
  /** Accounts that hold it are not told. */
  readonly unlessScope?: Scope | undefined;
  /** Only the partner of this account is told. */
  readonly ofClient?: string | undefined;
  /** Only this partner is told. */
  readonly ofPartner?: string | undefined;
}

/** An endpoint, or an account that reads the events. */
export interface EventTaker {
  readonly partnerGuid: string;
  /** Null if events are only kept for it: an account, or a disabled endpoint. */
  readonly endpointGuid: string | null;
  /** Null for all types. */
  readonly eventTypes: readonly EventType[] | null;
}

/**
 * HOOK-2: the takers of each of these. Locks the connections, so that none of them ends before this
 * transaction: a partner is told nothing after its `partner_removed`.
 */
export async function listTakersAtRestaurants(
  sql: Sql,
  wanted: readonly WantedEvents[],
): Promise<EventTaker[][]> {
  if (wanted.length === 0) return [];
  const column = (textOf: (one: WantedEvents) => string | undefined) =>
    wanted.map((one) => textOf(one) ?? null);
  const rows = await sql<(EventTaker & { place: number })[]>`
    select c.partner_guid as "partnerGuid", taker.endpoint_guid as "endpointGuid",
      taker.event_types as "eventTypes", wanted.place::integer as place
    from unnest(
      ${column(({ restaurantGuid }) => restaurantGuid)}::uuid[],
      ${column(({ types }) => types.join(' '))}::text[],
      ${column(({ scope }) => scope)}::text[],
      ${column(({ unlessScope }) => unlessScope)}::text[],
      ${column(({ ofClient }) => ofClient)}::text[],
      ${column(({ ofPartner }) => ofPartner)}::uuid[]
    ) with ordinality as wanted (restaurant_guid, types, scope, unless_scope, of_client, of_partner,
      place)
    ${takers(sql)}
    order by c.partner_guid, taker.endpoint_guid
    for share of c`;
  return wanted.map((_, index) => rows.filter(({ place }) => place === index + 1));
}

/** A condition for a statement that may run only if no event is to be written with it. */
export function isUnwanted(sql: Sql, wanted: WantedEvents): Statement<Row[]> {
  const { restaurantGuid, types, scope, unlessScope, ofClient, ofPartner } = wanted;
  return sql`not exists (
    select 1 from (
      select ${restaurantGuid}::uuid as restaurant_guid, ${types.join(' ')}::text as types,
        ${scope}::text as scope, ${unlessScope ?? null}::text as unless_scope,
        ${ofClient ?? null}::text as of_client, ${ofPartner ?? null}::uuid as of_partner
    ) as wanted
    ${takers(sql)}
  )`;
}

/**
 * Joins what is `wanted` with who takes it. Conditions stand outside of the union, so that the
 * planner looks up each part by an index.
 */
function takers(sql: Sql) {
  return sql`
    join connection c on c.restaurant_guid = wanted.restaurant_guid and c.removed_at is null
    join (
      select partner_guid, client_id, event_types, archived_at,
        case when state <> 'DISABLED' then guid end as endpoint_guid
      from webhook_endpoint
      union all
      select partner_guid, client_id, null, null, null from event_reader
    ) as taker on taker.partner_guid = c.partner_guid
    join api_client account on account.client_id = taker.client_id
    where taker.archived_at is null and account.revoked_at is null
      and wanted.scope = any(account.scopes)
      and (wanted.unless_scope is null or wanted.unless_scope <> all(account.scopes))
      and (wanted.of_partner is null or wanted.of_partner = c.partner_guid)
      and (taker.event_types is null
        or taker.event_types && string_to_array(wanted.types, ' '))
      and (wanted.of_client is null or c.partner_guid = (
        select partner_guid from api_client where client_id = wanted.of_client
      ))`;
}

export interface PartnerCount {
  readonly partnerGuid: string;
  readonly count: number;
}

/**
 * The newest position of each partner after `count` more events. Locks the positions until the
 * transaction ends, in GUID order to avoid deadlocks.
 */
export async function updateEventPositions(
  sql: Sql,
  counts: readonly PartnerCount[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ partnerGuid: string; position: number }[]>`
    insert into partner_counter as counter (partner_guid, position)
    select "partnerGuid", count
    from json_to_recordset(${sql.json(counts)}) as told ("partnerGuid" uuid, count bigint)
    order by "partnerGuid"
    on conflict (partner_guid) do update set position = counter.position + excluded.position
    returning partner_guid as "partnerGuid", position`;
  return new Map(rows.map(({ partnerGuid, position }) => [partnerGuid, position]));
}

export interface NewRestaurantEvent {
  readonly partnerGuid: string;
  readonly position: number;
  readonly guid: string;
  readonly type: EventType;
  readonly body: string;
  readonly endpointGuids: readonly string[];
  readonly deliveryGuids: readonly string[];
}

/** Writes events with their deliveries. */
export async function insertRestaurantEvents(
  sql: Sql,
  restaurantGuid: string,
  at: Date,
  events: readonly NewRestaurantEvent[],
): Promise<void> {
  const deliveries = events.flatMap(({ endpointGuids, deliveryGuids, ...event }) =>
    endpointGuids.map((endpointGuid, index) => {
      const { partnerGuid, position, type } = event;
      return { partnerGuid, position, type, endpointGuid, guid: deliveryGuids[index] };
    }),
  );
  await sql`
    with event as (
      insert into partner_event (partner_guid, position, guid, type, restaurant_guid, at, body)
      select "partnerGuid", position, guid, type, ${restaurantGuid}::uuid, ${at}::timestamptz, body
      from json_to_recordset(${sql.json(events)}) as told ("partnerGuid" uuid, position bigint,
        guid uuid, type text, body text)
    )
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, event_type,
      state, queued_at, due_at, attempts, tries)
    select "partnerGuid", "endpointGuid", position, 0, guid, type, 'QUEUED', ${at}::timestamptz,
      ${at}::timestamptz, 0, 0
    from json_to_recordset(${sql.json(deliveries)}) as delivery ("partnerGuid" uuid,
      "endpointGuid" uuid, position bigint, guid uuid, type text)`;
}
