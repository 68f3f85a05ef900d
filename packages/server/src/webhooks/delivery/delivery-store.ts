import type { webhookOutcomes } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isReachedPartner } from '../../reach/reach-store.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import type { PartnerEventType } from '../events/event-types.ts';

export type DeliveryState = 'QUEUED' | 'DELIVERED' | 'DEAD' | 'DROPPED';

/** The event's position and 0; a replay or test event has its number in `extra`. */
interface DeliveryPlace {
  readonly place: number;
  readonly extra: number;
}

export interface DeliveryKey extends EndpointKey, DeliveryPlace {}

export interface DeliveryView extends DeliveryKey {
  readonly guid: string;
  readonly state: DeliveryState;
  /** Null for the first delivery of an event. */
  readonly kind: 'REPLAY' | 'TEST' | null;
  readonly position: number | null;
  readonly eventGuid: string;
  readonly eventType: PartnerEventType;
  readonly eventAt: Date;
  readonly queuedAt: Date;
  /** Null when the delivery is over. */
  readonly dueAt: Date | null;
  readonly attempts: number;
  /** The attempts that count against the retry schedule. */
  readonly tries: number;
  readonly finishedAt: Date | null;
  readonly replayedBy: number | null;
  readonly droppedBy: string | null;
  readonly dropReason: string | null;
  readonly lastOutcome: AttemptOutcome | null;
  readonly lastStatus: number | null;
  readonly lastExplanation: string | null;
}

export type AttemptOutcome = (typeof webhookOutcomes)[number];

export interface AttemptRow {
  readonly number: number;
  readonly at: Date;
  readonly isProbe: boolean;
  readonly url: string;
  /** With signatures masked. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number | null;
  /** The first 64 KiB; only the first 4,096 characters when the event was delivered. */
  readonly answer: string | null;
  readonly isAnswerCut: boolean;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly explanation: string | null;
  readonly nextAt: Date | null;
}

export interface DeliveryFilter {
  readonly reach: Reach;
  readonly endpointGuid?: string;
  readonly state?: DeliveryState;
  readonly eventType?: PartnerEventType;
  readonly eventGuid?: string;
  readonly since?: string;
}

/** One endpoint's come in its own order (which has an index), others by time-ordered GUID. */
export async function listDeliveries(
  sql: Sql,
  filter: DeliveryFilter,
  after: string | null,
  limit: number,
): Promise<DeliveryView[]> {
  const { reach, endpointGuid, state, eventType, eventGuid, since } = filter;
  // The delivery may be gone since the last page; its time-ordered GUID still tells its place.
  const behind = endpointGuid !== undefined && after !== null ? await findPlace(sql, after) : null;
  const isBehind = behind
    ? sql`and (d.place, d.extra) < (${behind.place}::bigint, ${behind.extra}::bigint)`
    : sql`and d.guid < ${after}::uuid`;
  return await sql<DeliveryView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where ${isReachedPartner(sql, sql`d.partner_guid`, reach)}
      ${
        endpointGuid === undefined
          ? sql``
          : sql`and (d.partner_guid, d.endpoint_guid) = (
        select partner_guid, guid from webhook_endpoint where guid = ${endpointGuid})`
      }
      ${isInState(sql, state)}
      ${eventType === undefined ? sql`` : sql`and coalesce(x.type, event.type) = ${eventType}`}
      ${eventGuid === undefined ? sql`` : isOfEvent(sql, eventGuid)}
      ${since === undefined ? sql`` : sql`and d.queued_at >= ${since}::text::timestamptz`}
      ${after === null ? sql`` : isBehind}
    order by ${endpointGuid ? sql`d.place desc, d.extra desc` : sql`d.guid desc`}
    limit ${limit}`;
}

export async function findDelivery(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<(DeliveryView & { readonly body: string }) | null> {
  const [row] = await sql<(DeliveryView & { body: string })[]>`
    select ${viewColumns(sql)}, coalesce(x.body, event.body) as body from ${viewTables(sql)}
    where d.guid = ${guid} and ${isReachedPartner(sql, sql`d.partner_guid`, reach)}`;
  return row ?? null;
}

export async function listAttempts(
  sql: Sql,
  { partnerGuid, endpointGuid, place, extra }: DeliveryKey,
  limit: number,
): Promise<AttemptRow[]> {
  const rows = await sql<AttemptRow[]>`
    select number, at, is_probe as "isProbe", url, request_headers as "requestHeaders", status,
      answer, is_answer_cut as "isAnswerCut", duration_ms as "durationMs", outcome, explanation,
      next_at as "nextAt"
    from webhook_attempt
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid}
      and place = ${place} and extra = ${extra}
    order by number desc
    limit ${limit}`;
  return rows.reverse();
}

export interface Dropping {
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
}

export async function updateQueuedDropped(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  { at, by, reason }: Dropping,
): Promise<number> {
  const result = await sql`
    update webhook_delivery
    set state = 'DROPPED', finished_at = ${at}, dropped_by = ${by}, drop_reason = ${reason},
      lease_holder = null, lease_expires_at = null
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid} and state = 'QUEUED'`;
  return result.count;
}

export async function updateDeliveryDropped(
  sql: Sql,
  { partnerGuid, endpointGuid, place, extra }: DeliveryKey,
  { at, by, reason }: Dropping,
): Promise<boolean> {
  const result = await sql`
    update webhook_delivery
    set state = 'DROPPED', finished_at = ${at}, dropped_by = ${by}, drop_reason = ${reason},
      lease_holder = null, lease_expires_at = null
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid}
      and place = ${place} and extra = ${extra} and state in ('QUEUED', 'DEAD')`;
  return result.count === 1;
}

/**
 * Never later than `now`, even when the clock went back. Retries start over: otherwise each pause
 * of an overloaded receiver would use some up.
 */
export async function updateDeliveriesDueAgain(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  now: Date,
): Promise<void> {
  await sql`
    update webhook_delivery set due_at = least(queued_at, ${now}::timestamptz), tries = 0, early = 0
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid} and state = 'QUEUED'
      and (tries > 0 or early > 0 or due_at > least(queued_at, ${now}::timestamptz))`;
}

async function findPlace(sql: Sql, guid: string): Promise<DeliveryPlace | null> {
  const [row] = await sql<DeliveryPlace[]>`
    select place, extra from webhook_delivery where guid = ${guid}`;
  return row ?? null;
}

/** Searches through the event, which has an index, instead of scanning all deliveries. */
function isOfEvent(sql: Sql, eventGuid: string) {
  return sql`and d.guid = any(array(
    select one.guid
    from (
      select partner_guid, position as place, 0 as extra from partner_event
      where guid = ${eventGuid}::uuid
      union all
      select x.partner_guid, x.place, x.number from partner_event e
      join webhook_extra x on x.partner_guid = e.partner_guid and x.position = e.position
      where e.guid = ${eventGuid}::uuid
      union all
      select partner_guid, place, number from webhook_extra where guid = ${eventGuid}::uuid
    ) told
    join webhook_endpoint receiver on receiver.partner_guid = told.partner_guid
    join webhook_delivery one on one.partner_guid = receiver.partner_guid
      and one.endpoint_guid = receiver.guid
      and one.place = told.place and one.extra = told.extra))`;
}

/** A literal state lets the database use the index of that state. */
function isInState(sql: Sql, state: DeliveryState | undefined) {
  switch (state) {
    case undefined:
      return sql``;
    case 'QUEUED':
      return sql`and d.state = 'QUEUED'`;
    case 'DEAD':
      return sql`and d.state = 'DEAD'`;
    default:
      return sql`and d.state = ${state}`;
  }
}

function viewColumns(sql: Sql) {
  return sql`d.partner_guid as "partnerGuid", d.endpoint_guid as "endpointGuid", d.place, d.extra,
    d.guid, d.state, x.kind, event.position, coalesce(x.guid, event.guid) as "eventGuid",
    coalesce(x.type, event.type) as "eventType", coalesce(event.at, x.at) as "eventAt",
    d.queued_at as "queuedAt", case when d.state = 'QUEUED' then d.due_at end as "dueAt",
    d.attempts, d.tries, d.finished_at as "finishedAt", d.replayed_by as "replayedBy",
    d.dropped_by as "droppedBy", d.drop_reason as "dropReason", last.outcome as "lastOutcome",
    last.status as "lastStatus", last.explanation as "lastExplanation"`;
}

function viewTables(sql: Sql) {
  return sql`webhook_delivery d
    left join webhook_extra x on x.partner_guid = d.partner_guid and x.number = d.extra
    left join partner_event event on event.partner_guid = d.partner_guid
      and event.position = case when d.extra = 0 then d.place else x.position end
    left join webhook_attempt last on last.partner_guid = d.partner_guid
      and last.endpoint_guid = d.endpoint_guid and last.place = d.place and last.extra = d.extra
      and last.number = d.attempts`;
}
