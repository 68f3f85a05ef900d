import type { ConnectionChange, EventType } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Dated } from '../http/timestamps.ts';
import type { ConnectionDetails, ConnectionKey, Employee } from './connection-store.ts';

export type ConnectionChangeKind = 'CONNECTED' | 'EDITED' | 'RESTAURANT_EDITED' | 'DISCONNECTED';

export interface NewConnectionChange extends ConnectionKey, ConnectionDetails, Employee {
  readonly kind: ConnectionChangeKind;
  readonly at: Date;
  readonly actor: string;
  readonly requestId: string | null;
  readonly reason: string | null;
}

export interface PartnerEventRow {
  readonly position: number;
  readonly body: string;
}

/** The caller wrote the connection in this transaction, so no one else takes the number. */
export async function insertConnectionChange(
  sql: Sql,
  change: NewConnectionChange,
): Promise<number> {
  const { restaurantGuid, partnerGuid } = change;
  const [row] = await sql<{ number: number }[]>`
    insert into connection_change (restaurant_guid, partner_guid, number, kind, at, actor,
      request_id, employee_first_name, employee_last_name, employee_email, employee_phone,
      external_group_ref, external_restaurant_ref, reason)
    select ${restaurantGuid}::uuid, ${partnerGuid}::uuid, coalesce(max(number), 0) + 1,
      ${change.kind}::text, ${change.at}::timestamptz, ${change.actor}::text,
      ${change.requestId}::uuid, ${change.firstName}::text, ${change.lastName}::text,
      ${change.email}::text, ${change.phone}::text, ${change.externalGroupRef}::text,
      ${change.externalRestaurantRef}::text, ${change.reason}::text
    from connection_change
    where restaurant_guid = ${restaurantGuid} and partner_guid = ${partnerGuid}
    returning number`;
  if (!row) throw new Error('a change of a connection was not written');
  return row.number;
}

/** By how many restaurants more a partner is connected after a change. */
const connectionsMore: Readonly<Record<ConnectionChangeKind, number>> = {
  CONNECTED: 1,
  EDITED: 0,
  RESTAURANT_EDITED: 0,
  DISCONNECTED: -1,
};

/**
 * Counts a change of a connection, and gives the position of its event. Locks both until the
 * transaction ends, so that positions become visible in order and a rollback leaves no gap. To avoid
 * deadlocks, lock all restaurants and connections first, and take partners in GUID order.
 */
export async function updatePartnerCounter(
  sql: Sql,
  partnerGuid: string,
  kind: ConnectionChangeKind,
): Promise<number> {
  const more = connectionsMore[kind];
  const [row] = await sql<{ position: number }[]>`
    insert into partner_counter as counter (partner_guid, position, connections)
    values (${partnerGuid}, 1, greatest(${more}::integer, 0))
    on conflict (partner_guid) do update
    set position = counter.position + 1, connections = counter.connections + ${more}
    returning position`;
  if (!row) throw new Error('a partner got no position for an event');
  return row.position;
}

export interface NewPartnerEvent extends ConnectionKey {
  readonly position: number;
  readonly guid: string;
  readonly type: EventType;
  readonly changeNumber: number;
  readonly at: Date;
  readonly body: string;
}

export async function insertPartnerEvent(sql: Sql, event: NewPartnerEvent): Promise<void> {
  await sql`
    insert into partner_event (partner_guid, position, guid, type, restaurant_guid, change_number,
      at, body)
    values (${event.partnerGuid}, ${event.position}, ${event.guid}, ${event.type},
      ${event.restaurantGuid}, ${event.changeNumber}, ${event.at}, ${event.body})`;
}

export interface ToldRestaurant {
  readonly name: string;
  readonly locationName: string | null;
  readonly timeZone: string;
  readonly location: Readonly<Record<string, unknown>>;
}

export async function findToldRestaurant(
  sql: Sql,
  restaurantGuid: string,
): Promise<ToldRestaurant | null> {
  const [row] = await sql<ToldRestaurant[]>`
    select name, location_name as "locationName", time_zone as "timeZone", location
    from restaurant where guid = ${restaurantGuid}`;
  return row ?? null;
}

export async function listConnectionChanges(
  sql: Sql,
  { restaurantGuid, partnerGuid }: ConnectionKey,
  before: number | null,
  limit: number,
): Promise<Dated<ConnectionChange>[]> {
  return await sql<Dated<ConnectionChange>[]>`
    select number, kind, at, actor as by, request_id as "requestId",
      json_build_object('firstName', employee_first_name, 'lastName', employee_last_name,
        'email', employee_email, 'phone', employee_phone) as employee,
      external_group_ref as "externalGroupRef",
      external_restaurant_ref as "externalRestaurantRef", reason
    from connection_change
    where restaurant_guid = ${restaurantGuid} and partner_guid = ${partnerGuid}
      ${before === null ? sql`` : sql`and number < ${before}`}
    order by number desc
    limit ${limit}`;
}

export async function listPartnerEvents(
  sql: Sql,
  partnerGuid: string,
  after: number,
  limit: number,
): Promise<PartnerEventRow[]> {
  return await sql<PartnerEventRow[]>`
    select position, body from partner_event
    where partner_guid = ${partnerGuid} and position > ${after}
    order by position
    limit ${limit}`;
}
