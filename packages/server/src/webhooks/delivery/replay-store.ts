import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import type { PartnerEventType } from '../events/event-types.ts';
import { newestPosition } from './queue-store.ts';

/** Which events are told again. */
export type ReplaySelection =
  /** One event, whether or not the endpoint wants its type. */
  | { readonly kind: 'event'; readonly eventGuid: string }
  /** All from one position to another. */
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  /** All that happened at an instant or later. */
  | { readonly kind: 'since'; readonly at: Date }
  /** The dead letters of the endpoint that nobody replayed. */
  | { readonly kind: 'failed' };

/** Whose events are told again, and which. */
export interface ReplayScope {
  readonly partnerGuid: string;
  readonly endpointGuid: string;
  /** Types that the endpoint wants; null for all. A dead letter was wanted once. */
  readonly eventTypes: readonly PartnerEventType[] | null;
  readonly selection: ReplaySelection;
}

/** How many events would be told again, and the first and last of their positions. */
export interface ReplayBounds {
  readonly count: number;
  /** Null for none. */
  readonly firstPosition: number | null;
  readonly lastPosition: number | null;
}

/** Finds what would be told again. */
export async function findReplayBounds(sql: Sql, scope: ReplayScope): Promise<ReplayBounds> {
  const [row] = await sql<[ReplayBounds]>`
    select count(*)::integer as count, min(position) as "firstPosition",
      max(position) as "lastPosition"
    from (${positions(sql, scope)}) chosen`;
  return row;
}

/** Finds what was replayed to an endpoint by a request; null when nothing was. */
export async function findRequestedReplay(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  requestGuid: string,
): Promise<ReplayBounds | null> {
  const [row] = await sql<[ReplayBounds]>`
    select count(*)::integer as count, min(x.position) as "firstPosition",
      max(x.position) as "lastPosition"
    from webhook_extra x
    join webhook_delivery d on d.partner_guid = x.partner_guid
      and d.endpoint_guid = ${endpointGuid} and d.place = x.place and d.extra = x.number
    where x.partner_guid = ${partnerGuid} and x.request_guid = ${requestGuid}::uuid
      and x.kind = 'REPLAY'`;
  return row.count > 0 ? row : null;
}

/** A replay as it is written: its events get the numbers from `first` on. */
export interface NewReplay extends ReplayScope {
  readonly requestGuid: string;
  readonly first: number;
  readonly at: Date;
}

/** Writes which events are told again, in their order; gives how many. */
export async function insertReplays(sql: Sql, replay: NewReplay): Promise<number> {
  const { partnerGuid, requestGuid, first, at } = replay;
  const result = await sql`
    insert into webhook_extra (partner_guid, number, kind, request_guid, at, place, position)
    select ${partnerGuid}::uuid, ${first}::bigint - 1 + row_number() over (order by position),
      'REPLAY', ${requestGuid}::uuid, ${at}::timestamptz, ${newestPosition(sql, partnerGuid)},
      position
    from (${positions(sql, replay)}) chosen`;
  return result.count;
}

/** Notes at the dead letters of an endpoint which replay came of them. */
export async function updateDeadReplayed(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  numbers: { readonly first: number; readonly last: number },
): Promise<void> {
  await sql`
    update webhook_delivery d set replayed_by = again.number
    from webhook_extra again
    where d.partner_guid = ${partnerGuid} and d.endpoint_guid = ${endpointGuid}
      and d.state = 'DEAD' and d.replayed_by is null
      and again.partner_guid = ${partnerGuid}
      and again.number between ${numbers.first} and ${numbers.last}
      and again.position = case when d.extra = 0 then d.place else (
        select x.position from webhook_extra x
        where x.partner_guid = d.partner_guid and x.number = d.extra) end`;
}

/** A query for the positions of the chosen events, each once. */
function positions(sql: Sql, { partnerGuid, endpointGuid, eventTypes, selection }: ReplayScope) {
  const isWanted =
    eventTypes === null
      ? sql``
      : sql`and type = any(string_to_array(${eventTypes.join(' ')}, ' '))`;
  switch (selection.kind) {
    case 'event':
      return sql`
        select position from partner_event
        where partner_guid = ${partnerGuid} and guid = ${selection.eventGuid}`;
    case 'range':
      return sql`
        select position from partner_event
        where partner_guid = ${partnerGuid}
          and position between ${selection.from} and ${selection.to} ${isWanted}`;
    case 'since':
      return sql`
        select position from partner_event
        where partner_guid = ${partnerGuid} and at >= ${selection.at} ${isWanted}`;
    case 'failed':
      return sql`
        select distinct case when d.extra = 0 then d.place else x.position end as position
        from webhook_delivery d
        left join webhook_extra x on x.partner_guid = d.partner_guid and x.number = d.extra
        where d.partner_guid = ${partnerGuid} and d.endpoint_guid = ${endpointGuid}
          and (d.extra = 0 or x.position is not null)
          and d.state = 'DEAD' and d.replayed_by is null`;
  }
}
