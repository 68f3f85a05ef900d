import type { EventType, WebhookReplay } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import { newestPosition } from './queue-store.ts';

export type ReplaySelection =
  /** Even if the endpoint does not want its type. */
  | { readonly kind: 'event'; readonly eventGuid: string }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'since'; readonly at: Date }
  | { readonly kind: 'failed' };

export interface ReplayScope extends EndpointKey {
  /** Null for all types. Dead letters ignore it: the endpoint wanted them once. */
  readonly eventTypes: readonly EventType[] | null;
  /** HOOK-2: those that its account may receive now. Dead letters were for it already. */
  readonly allowedTypes: readonly EventType[];
  readonly selection: ReplaySelection;
}

export type ReplayBounds = Pick<WebhookReplay, 'count' | 'firstPosition' | 'lastPosition'>;

export async function findReplayBounds(sql: Sql, scope: ReplayScope): Promise<ReplayBounds> {
  const [row] = await sql<[ReplayBounds]>`
    select count(*)::integer as count, min(position) as "firstPosition",
      max(position) as "lastPosition"
    from (${positions(sql, scope)}) chosen`;
  return row;
}

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

export interface NewReplay extends ReplayScope {
  readonly requestGuid: string;
  readonly first: number;
  readonly at: Date;
}

export async function insertReplays(sql: Sql, replay: NewReplay): Promise<void> {
  const { partnerGuid, requestGuid, first, at } = replay;
  await sql`
    insert into webhook_extra (partner_guid, number, kind, request_guid, at, place, position)
    select ${partnerGuid}::uuid, ${first}::bigint - 1 + row_number() over (order by position),
      'REPLAY', ${requestGuid}::uuid, ${at}::timestamptz, ${newestPosition(sql, partnerGuid)},
      position
    from (${positions(sql, replay)}) chosen`;
}

export async function updateDeadReplayed(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  first: number,
): Promise<void> {
  await sql`
    update webhook_delivery d set replayed_by = again.number
    from webhook_extra again
    where d.partner_guid = ${partnerGuid} and d.endpoint_guid = ${endpointGuid}
      and d.state = 'DEAD' and d.replayed_by is null
      and again.partner_guid = ${partnerGuid}
      and again.number >= ${first}
      and again.position = case when d.extra = 0 then d.place else (
        select x.position from webhook_extra x
        where x.partner_guid = d.partner_guid and x.number = d.extra) end`;
}

function positions(sql: Sql, scope: ReplayScope) {
  const { partnerGuid, endpointGuid, eventTypes, allowedTypes, selection } = scope;
  const isAllowed = sql`and type = any(${allowedTypes}::text[])`;
  const isWanted =
    eventTypes === null ? isAllowed : sql`${isAllowed} and type = any(${eventTypes}::text[])`;
  switch (selection.kind) {
    case 'event':
      return sql`
        select position from partner_event
        where partner_guid = ${partnerGuid} and guid = ${selection.eventGuid} ${isAllowed}`;
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
