import type { Sql } from '../db/database.ts';
import type { Reach } from '../http/reach.ts';
import type { DeliveryKey } from './delivery-store.ts';
import { type EndpointKey, readDelays } from './endpoint-store.ts';

/** A delivery that this process works on, with all that an attempt needs but for the secrets. */
export interface ClaimedDelivery extends DeliveryKey {
  readonly leaseHolder: string;
  readonly leaseExpiresAt: Date;
  readonly queuedAt: Date;
  readonly dueAt: Date;
  readonly attempts: number;
  readonly tries: number;
  /** True when it is to find out whether a paused endpoint answers again. */
  readonly isProbe: boolean;
  readonly isOrdered: boolean;
  /** Attempts in a row that its endpoint had failed. */
  readonly failures: number;
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly retryDelaysS: readonly number[];
  readonly kind: 'REPLAY' | 'TEST' | null;
  readonly eventGuid: string;
  readonly eventType: string;
  readonly body: string;
}

/** Which deliveries are claimed. */
export interface ClaimOptions {
  /** The environment's time. */
  readonly now: Date;
  readonly realNow: Date;
  readonly leaseHolder: string;
  /** How long a lease is beyond twice the time-outs of the endpoint, in milliseconds. */
  readonly graceMs: number;
  /** How many in all, and of one endpoint, at most. */
  readonly limit: number;
  readonly ofEndpoint: number;
  /** Of an endpoint that failed so often in a row, one at a time. */
  readonly slowAfter: number;
  /** How many of endpoints this process has claimed already. */
  readonly claimed: ReadonlyMap<string, number>;
  /** The endpoint behind which the walk begins, so that each gets its turn; null for the first. */
  readonly behind: string | null;
  /** Only of this endpoint; null for all. */
  readonly only: EndpointKey | null;
}

type ClaimedRow = Omit<ClaimedDelivery, 'retryDelaysS'> & { readonly retryDelaysS: string };

/**
 * Claims deliveries that are due and that nobody works on, those that are due longest first, for as
 * many endpoints as have room, in their turn. Of an ordered endpoint only the first in its row can
 * be claimed, and of a paused one, when it is to be probed. Rows that somebody else is claiming are
 * passed over.
 */
export async function claimDueDeliveries(
  sql: Sql,
  options: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const { realNow, leaseHolder, graceMs, limit, behind } = options;
  const rows = await sql<ClaimedRow[]>`
    with ${lanes(sql, options)}, ${dueInLanes(sql, options)}, due as (
      select * from (select * from several union all select * from single) found
      order by coalesce(guid > ${behind}::uuid, true) desc, guid
      limit ${limit}
    ), claimed as (
      update webhook_delivery d
      set lease_holder = ${leaseHolder},
        lease_expires_at = ${realNow}::timestamptz
          + (2 * due.timeout_ms + ${graceMs}::integer) * interval '1 millisecond'
      from due
      where d.partner_guid = due.partner_guid and d.endpoint_guid = due.guid
        and d.place = due.place and d.extra = due.extra and d.state = 'QUEUED'
        and (d.lease_expires_at is null or d.lease_expires_at <= ${realNow})
      returning d.*, due.is_probe
    )
    select claimed.partner_guid as "partnerGuid", claimed.endpoint_guid as "endpointGuid",
      claimed.place, claimed.extra, claimed.lease_holder as "leaseHolder",
      claimed.lease_expires_at as "leaseExpiresAt", claimed.queued_at as "queuedAt",
      claimed.due_at as "dueAt", claimed.attempts, claimed.tries, claimed.is_probe as "isProbe",
      e.is_ordered as "isOrdered", e.failures, e.url, e.connect_timeout_ms as "connectTimeoutMs",
      e.answer_timeout_ms as "answerTimeoutMs",
      array_to_string(e.retry_delays_s, ' ') as "retryDelaysS", x.kind,
      coalesce(x.guid, event.guid) as "eventGuid", coalesce(x.type, event.type) as "eventType",
      coalesce(x.body, event.body) as body
    from claimed
    join webhook_endpoint e
      on e.partner_guid = claimed.partner_guid and e.guid = claimed.endpoint_guid
    left join webhook_extra x
      on x.partner_guid = claimed.partner_guid and x.number = claimed.extra
    left join partner_event event on event.partner_guid = claimed.partner_guid
      and event.position = case when claimed.extra = 0 then claimed.place else x.position end
    order by claimed.due_at, claimed.place, claimed.extra`;
  return rows.map((row) => ({ ...row, retryDelaysS: readDelays(row.retryDelaysS) }));
}

/** Endpoints that may be told something now, and how many deliveries each has room for. */
function lanes(sql: Sql, { now, ofEndpoint, slowAfter, claimed, only }: ClaimOptions) {
  const busy = [...claimed.keys()].join(' ');
  const counts = [...claimed.values()].join(' ');
  const isMeant = only
    ? sql`and e.partner_guid = ${only.partnerGuid} and e.guid = ${only.endpointGuid}`
    : sql``;
  return sql`busy as (
      select guid, count
      from unnest(string_to_array(${busy}, ' ')::uuid[], string_to_array(${counts}, ' ')::integer[])
        as lane (guid, count)
    ), lane as materialized (
      select e.partner_guid, e.guid, e.connect_timeout_ms + e.answer_timeout_ms as timeout_ms,
        e.is_ordered or e.state = 'PAUSED' as is_single, e.state = 'PAUSED' as is_probe,
        case when e.is_ordered or e.state = 'PAUSED' or e.failures >= ${slowAfter} then 1
          else ${ofEndpoint}::integer end - coalesce(busy.count, 0) as room
      from webhook_endpoint e
      left join busy on busy.guid = e.guid
      where e.archived_at is null
        and (e.state = 'ACTIVE' or e.state = 'PAUSED' and e.probe_at <= ${now})
        and not exists (
          select from api_client c where c.client_id = e.client_id and c.revoked_at is not null)
        ${isMeant}
    )`;
}

/** What is due there: several deliveries, or the first in the row of an endpoint. */
function dueInLanes(sql: Sql, { now, realNow }: ClaimOptions) {
  return sql`several as (
      select lane.partner_guid, lane.guid, first.place, first.extra, lane.timeout_ms,
        false as is_probe
      from lane
      cross join lateral (
        select d.place, d.extra from webhook_delivery d
        where d.partner_guid = lane.partner_guid and d.endpoint_guid = lane.guid
          and d.state = 'QUEUED' and d.due_at <= ${now}
          and (d.lease_expires_at is null or d.lease_expires_at <= ${realNow})
        order by d.due_at, d.place, d.extra
        limit greatest(lane.room, 0)
        for no key update skip locked
      ) first
      where not lane.is_single and lane.room > 0
    ), single as (
      select lane.partner_guid, lane.guid, head.place, head.extra, lane.timeout_ms, lane.is_probe
      from lane
      cross join lateral (
        select d.place, d.extra, d.due_at, d.lease_expires_at from webhook_delivery d
        where d.partner_guid = lane.partner_guid and d.endpoint_guid = lane.guid
          and d.state = 'QUEUED'
        order by d.place, d.extra
        limit 1
      ) head
      where lane.is_single and lane.room > 0 and (lane.is_probe or head.due_at <= ${now})
        and (head.lease_expires_at is null or head.lease_expires_at <= ${realNow})
    )`;
}

/** When the next attempt is due, and where. */
export interface NextDue extends EndpointKey {
  readonly dueAt: Date;
}

/**
 * The earliest attempt that is due within reach, whoever works on it; null when nothing waits that
 * an instant sets going. A paused endpoint is due when it is to be probed, if anything waits for
 * it.
 */
export async function findNextDueDelivery(sql: Sql, reach: Reach): Promise<NextDue | null> {
  const partners = reach.partnerGuids.join(' ');
  const [row] = await sql<NextDue[]>`
    select e.partner_guid as "partnerGuid", e.guid as "endpointGuid",
      case when e.state = 'PAUSED' then e.probe_at else first.due_at end as "dueAt"
    from webhook_endpoint e
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
    where e.archived_at is null and (e.state = 'ACTIVE' or e.probe_at is not null)
      and not exists (
        select from api_client c where c.client_id = e.client_id and c.revoked_at is not null)
      ${
        reach.isPlatform
          ? sql``
          : sql`and e.partner_guid = any(string_to_array(${partners}, ' ')::uuid[])`
      }
    order by 3, 2
    limit 1`;
  return row ?? null;
}

/** Gives back the leases on deliveries that were claimed, where they still are; all else stays. */
export async function updateDeliveriesGivenBack(
  sql: Sql,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  await sql`
    update webhook_delivery d set lease_holder = null, lease_expires_at = null
    from json_to_recordset(${sql.json(claimed.map(leaseOf))})
      as held (partner uuid, endpoint uuid, place bigint, extra bigint, holder uuid)
    where d.partner_guid = held.partner and d.endpoint_guid = held.endpoint
      and d.place = held.place and d.extra = held.extra and d.lease_holder = held.holder`;
}

/** What says which delivery was claimed, in a list that a statement reads. */
export function leaseOf({ partnerGuid, endpointGuid, place, extra, leaseHolder }: ClaimedDelivery) {
  return { partner: partnerGuid, endpoint: endpointGuid, place, extra, holder: leaseHolder };
}

/** Makes due at `now` what waits and is due after `latest`, when a sandbox's clock went back. */
export async function updateWaitingDeliveriesDue(sql: Sql, now: Date, latest: Date): Promise<void> {
  await sql`
    update webhook_delivery set due_at = ${now} where state = 'QUEUED' and due_at > ${latest}`;
  await sql`
    update webhook_endpoint set probe_at = ${now} where probe_at > ${latest}`;
}
