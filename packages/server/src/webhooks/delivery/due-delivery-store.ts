import type { EventType } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isReachedPartner } from '../../reach/reach-store.ts';
import { everywhere } from '../../support/due-work.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import type { DeliveryKey } from './delivery-store.ts';

interface ClaimedEndpoint {
  readonly url: string;
  readonly isOrdered: boolean;
  readonly failures: number;
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly retryDelaysSeconds: readonly number[];
  readonly secrets: readonly {
    readonly guid: string;
    readonly sealed: string;
    readonly expiresAt: string | null;
  }[];
}

export interface ClaimedDelivery extends DeliveryKey {
  readonly leaseHolder: string;
  readonly leaseExpiresAt: Date;
  readonly queuedAt: Date;
  readonly dueAt: Date;
  readonly attempts: number;
  /** Attempts that count against the retry schedule, and requested ones that do not. */
  readonly tries: number;
  readonly early: number;
  readonly isProbe: boolean;
  readonly endpoint: ClaimedEndpoint;
  readonly kind: 'REPLAY' | 'TEST' | null;
  readonly eventGuid: string;
  readonly eventType: EventType;
  readonly body: string;
}

export interface LaneState {
  readonly endpointGuid: string;
  readonly claimed: number;
  readonly window: number;
}

export interface ClaimPlan {
  readonly limit: number;
  /** Beyond this, only one delivery per endpoint that has none claimed. */
  readonly open: number;
  readonly ofEndpoint: number;
  readonly ofPartner: number;
  readonly known: readonly LaneState[];
}

export interface ClaimOptions extends ClaimPlan {
  readonly now: Date;
  readonly realNow: Date;
  readonly leaseHolder: string;
  readonly graceMs: number;
  readonly slowAfter: number;
  readonly firstWindow: number;
  /** The walk starts after this endpoint, so that each gets a turn. */
  readonly behind: string | null;
  readonly only: EndpointKey | null;
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'leaseHolder' | 'leaseExpiresAt' | 'endpoint'> {
  /** On the first row of each endpoint. */
  readonly endpoint: ClaimedEndpoint | null;
}

/**
 * Takes the longest due delivery of each endpoint, then the next of each, and so on. Skips rows
 * that others are claiming. An ordered endpoint gives only its first delivery, a paused one only a
 * probe. Does not wait for the disk: a lost claim only means that the same bytes go out again.
 */
export async function claimDueDeliveries(
  sql: Sql,
  options: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const { realNow, leaseHolder, graceMs } = options;
  const endpoints = new Map<string, ClaimedEndpoint>();
  const rows = await sql<ClaimedRow[]>`
    with recursive ${lanes(sql, options)}, ${dueInLanes(sql, options)}, ${chosen(sql, options)}, free as (
      select chosen.* from chosen
      cross join lateral (
        select from webhook_delivery d
        where d.ctid = chosen.found_at and d.state = 'QUEUED'
          and (d.lease_expires_at is null or d.lease_expires_at <= ${realNow})
        for no key update skip locked
      ) locked
    ), claimed as (
      update webhook_delivery d
      set lease_holder = ${leaseHolder},
        lease_expires_at = ${realNow}::timestamptz
          + (2 * free.timeout_ms + ${graceMs}::integer) * interval '1 millisecond'
      from free
      where d.ctid = free.found_at and d.state = 'QUEUED'
        and (d.lease_expires_at is null or d.lease_expires_at <= ${realNow})
      returning d.partner_guid, d.endpoint_guid, d.place, d.extra, d.queued_at, d.due_at,
        d.attempts, d.tries, d.early, free.is_probe, free.rank
    )
    select claimed.partner_guid as "partnerGuid", claimed.endpoint_guid as "endpointGuid",
      claimed.place, claimed.extra, claimed.queued_at as "queuedAt", claimed.due_at as "dueAt",
      claimed.attempts, claimed.tries, claimed.early, claimed.is_probe as "isProbe", x.kind,
      coalesce(x.guid, event.guid) as "eventGuid", coalesce(x.type, event.type) as "eventType",
      coalesce(x.body, event.body) as body,
      case when row_number() over (partition by claimed.endpoint_guid order by claimed.rank) = 1
        then (${endpointJson(sql)}) end as endpoint
    from claimed
    left join webhook_extra x
      on x.partner_guid = claimed.partner_guid and x.number = claimed.extra
    left join partner_event event on event.partner_guid = claimed.partner_guid
      and event.position = case when claimed.extra = 0 then claimed.place else x.position end
    order by claimed.rank`;
  return rows.flatMap((row) => {
    const endpoint = row.endpoint ?? endpoints.get(row.endpointGuid);
    if (!endpoint) return [];
    endpoints.set(row.endpointGuid, endpoint);
    const timeoutMs = endpoint.connectTimeoutMs + endpoint.answerTimeoutMs;
    const leaseExpiresAt = new Date(realNow.getTime() + 2 * timeoutMs + graceMs);
    return { ...row, leaseHolder, leaseExpiresAt, endpoint };
  });
}

function endpointJson(sql: Sql) {
  return sql`
    select json_build_object('url', e.url, 'isOrdered', e.is_ordered, 'failures', e.failures,
      'connectTimeoutMs', e.connect_timeout_ms, 'answerTimeoutMs', e.answer_timeout_ms,
      'retryDelaysSeconds', e.retry_delays_s, 'secrets', (
        select coalesce(json_agg(json_build_object('guid', s.guid,
          'sealed', encode(s.sealed, 'base64'), 'expiresAt', s.expires_at)
          order by s.created_at desc, s.guid desc), '[]')
        from webhook_secret s
        where s.partner_guid = e.partner_guid and s.endpoint_guid = e.guid
          and s.revoked_at is null))
    from webhook_endpoint e
    where e.partner_guid = claimed.partner_guid and e.guid = claimed.endpoint_guid`;
}

/**
 * The endpoints for which something is queued, each found from the one before it by the index:
 * neither endpoints without work nor the rest of a queue are looked at. By this order, only the
 * index of what is queued will do.
 */
function waitingEndpoints(sql: Sql, only: EndpointKey | null = null) {
  const isMeant = only
    ? sql`and d.partner_guid = ${only.partnerGuid} and d.endpoint_guid = ${only.endpointGuid}`
    : sql``;
  return sql`waiting as (
      (select d.partner_guid, d.endpoint_guid from webhook_delivery d
      where d.state = 'QUEUED' ${isMeant}
      order by d.partner_guid, d.endpoint_guid, d.due_at limit 1)
      union all
      select next.* from waiting
      cross join lateral (
        select d.partner_guid, d.endpoint_guid from webhook_delivery d
        where d.state = 'QUEUED' ${isMeant}
          and (d.partner_guid, d.endpoint_guid) > (waiting.partner_guid, waiting.endpoint_guid)
        order by d.partner_guid, d.endpoint_guid, d.due_at limit 1
      ) next
    )`;
}

/**
 * Each limit makes the planner look up one endpoint at a time. A join, planned while there were few,
 * would compare each with each, and so would a join with what is known.
 */
function lanes(sql: Sql, options: ClaimOptions) {
  const { now, ofEndpoint, slowAfter, known, firstWindow, only } = options;
  const lanesKnown = known.map((lane) => [lane.endpointGuid, [lane.claimed, lane.window]]);
  return sql`${waitingEndpoints(sql, only)}, known as materialized (
      select ${sql.json(Object.fromEntries(lanesKnown))}::jsonb as lanes
    ), quick as materialized (
      select set_config('synchronous_commit', 'off', true) as setting
    ), live as materialized (
      select e.*,
        coalesce((known.lanes -> e.guid::text ->> 0)::integer, 0) as claimed,
        coalesce((known.lanes -> e.guid::text ->> 1)::integer, ${firstWindow}::integer) as size
      from waiting
      cross join quick
      cross join known
      cross join lateral (
        select e.partner_guid, e.guid, e.connect_timeout_ms + e.answer_timeout_ms as timeout_ms,
          e.is_ordered, e.state, e.failures
        from webhook_endpoint e
        where e.partner_guid = waiting.partner_guid and e.guid = waiting.endpoint_guid
          and e.archived_at is null
          and (e.state = 'ACTIVE' or e.state = 'PAUSED' and e.probe_at <= ${now})
          and not exists (
            select from api_client c where c.client_id = e.client_id and c.revoked_at is not null)
        limit 1
      ) e
    ), lane as materialized (
      select partner_guid, guid, timeout_ms, claimed,
        is_ordered or state = 'PAUSED' as is_single, state = 'PAUSED' as is_probe,
        sum(claimed) over (partition by partner_guid) as of_partner,
        least(
          case when is_ordered or state = 'PAUSED' or failures >= ${slowAfter} then 1
            else ${ofEndpoint}::integer + claimed end,
          size) - claimed as room
      from live
    )`;
}

function dueInLanes(sql: Sql, { now, realNow }: ClaimOptions) {
  return sql`several as (
      select lane.partner_guid, lane.guid, lane.claimed, lane.of_partner, lane.timeout_ms,
        first.found_at, first.turn, false as is_probe
      from lane
      cross join lateral (
        select d.ctid as found_at, row_number() over (order by d.due_at, d.place, d.extra) as turn
        from webhook_delivery d
        where d.partner_guid = lane.partner_guid and d.endpoint_guid = lane.guid
          and d.state = 'QUEUED' and d.due_at <= ${now}
          and (d.lease_expires_at is null or d.lease_expires_at <= ${realNow})
        order by d.due_at, d.place, d.extra
        limit greatest(lane.room, 0)
      ) first
      where not lane.is_single and lane.room > 0
    ), single as (
      select lane.partner_guid, lane.guid, lane.claimed, lane.of_partner, lane.timeout_ms,
        head.found_at, 1::bigint as turn, lane.is_probe
      from lane
      cross join lateral (
        select d.ctid as found_at, d.due_at, d.lease_expires_at from webhook_delivery d
        where d.partner_guid = lane.partner_guid and d.endpoint_guid = lane.guid
          and d.state = 'QUEUED'
        order by d.place, d.extra
        limit 1
      ) head
      where lane.is_single and lane.claimed = 0 and lane.room > 0
        and (lane.is_probe or head.due_at <= ${now})
        and (head.lease_expires_at is null or head.lease_expires_at <= ${realNow})
    )`;
}

/**
 * Locks no row before it is chosen. Finds each row by its place: with a plan from an empty queue,
 * the database could pick the wrong index and scan everything that waits.
 */
function chosen(sql: Sql, { limit, open, ofPartner, behind }: ClaimOptions) {
  return sql`found as (
      select walk.*,
        of_partner + row_number() over (partition by partner_guid order by turn, is_passed, guid)
          as in_partner
      from (
        select either.*, coalesce(guid <= ${behind}::uuid, false) as is_passed
        from (select * from several union all select * from single) either
      ) walk
    ), ranked as (
      select found.*, row_number() over (order by turn, is_passed, guid) as rank
      from found where in_partner <= ${ofPartner} or claimed = 0 and turn = 1
    ), chosen as materialized (
      select * from ranked
      where rank <= ${open} or claimed = 0 and turn = 1
      order by rank
      limit ${limit}
    )`;
}

export interface NextDue extends EndpointKey {
  readonly dueAt: Date;
}

export async function findNextDueDelivery(
  sql: Sql,
  reach: Reach,
  options: NextDueOptions,
): Promise<NextDue | null> {
  const [row] = await nextDueDelivery(sql, reach, options);
  return row ?? null;
}

/** When the next delivery of all endpoints or the next probe is due. */
export function nextDueInstant(sql: Sql) {
  return sql`select "dueAt" from (${nextDueDelivery(sql, everywhere, { hasProbes: true })}) next`;
}

interface NextDueOptions {
  readonly hasProbes: boolean;
}

/** A paused endpoint is due at its probe if anything waits; never without `hasProbes`. */
function nextDueDelivery(sql: Sql, reach: Reach, { hasProbes }: NextDueOptions) {
  return sql<NextDue[]>`
    with recursive ${waitingEndpoints(sql)}
    select e.partner_guid as "partnerGuid", e.guid as "endpointGuid",
      case when e.state = 'PAUSED' then e.probe_at else first.due_at end as "dueAt"
    from waiting
    join webhook_endpoint e
      on e.partner_guid = waiting.partner_guid and e.guid = waiting.endpoint_guid
    cross join lateral (
      (select d.due_at from webhook_delivery d
      where not e.is_ordered and e.state = 'ACTIVE' and d.partner_guid = e.partner_guid
        and d.endpoint_guid = e.guid and d.state = 'QUEUED'
      order by d.due_at limit 1)
      union all
      (select d.due_at from webhook_delivery d
      where (e.is_ordered or e.state = 'PAUSED') and d.partner_guid = e.partner_guid
        and d.endpoint_guid = e.guid and d.state = 'QUEUED'
      order by d.place, d.extra limit 1)
    ) first
    where e.archived_at is null
      and (e.state = 'ACTIVE' or (${hasProbes}::boolean and e.probe_at is not null))
      and not exists (
        select from api_client c where c.client_id = e.client_id and c.revoked_at is not null)
      and ${isReachedPartner(sql, sql`e.partner_guid`, reach)}
    order by 3, 2
    limit 1`;
}

export async function updateDeliveriesGivenBack(
  sql: Sql,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  await sql`
    with quick as materialized (select set_config('synchronous_commit', 'off', true) as setting)
    update webhook_delivery d set lease_holder = null, lease_expires_at = null
    from quick, json_to_recordset(${sql.json(claimed.map(leaseOf))})
      as held (partner uuid, endpoint uuid, place bigint, extra bigint, holder uuid)
    where d.partner_guid = held.partner and d.endpoint_guid = held.endpoint
      and d.place = held.place and d.extra = held.extra and d.lease_holder = held.holder`;
}

/** Ends the lease: the delivery is due at another time. */
export async function updateDeliveryHeld(
  sql: Sql,
  { partnerGuid, endpointGuid, place, extra, leaseHolder }: ClaimedDelivery,
  { dueAt, fault }: { readonly dueAt: Date; readonly fault: string },
): Promise<void> {
  await sql`
    update webhook_delivery set due_at = ${dueAt}, fault = ${fault}, lease_holder = null,
      lease_expires_at = null
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid}
      and place = ${place} and extra = ${extra} and lease_holder = ${leaseHolder}`;
}

export function leaseOf({ partnerGuid, endpointGuid, place, extra, leaseHolder }: ClaimedDelivery) {
  return { partner: partnerGuid, endpoint: endpointGuid, place, extra, holder: leaseHolder };
}

/** For a sandbox's clock that went back. */
export async function updateWaitingDeliveriesDue(sql: Sql, now: Date, latest: Date): Promise<void> {
  await sql`
    update webhook_delivery set due_at = ${now} where state = 'QUEUED' and due_at > ${latest}`;
  await sql`
    update webhook_endpoint set probe_at = ${now} where probe_at > ${latest}`;
}
