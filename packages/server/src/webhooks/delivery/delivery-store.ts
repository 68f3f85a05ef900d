import type { webhookOutcomes } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isReachedPartner } from '../../reach/reach-store.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import type { PartnerEventType } from '../events/event-types.ts';

/** What became of an event on its way to an endpoint. */
export type DeliveryState = 'QUEUED' | 'DELIVERED' | 'DEAD' | 'DROPPED';

/**
 * Where a delivery stands in the row of its endpoint: `place` is the position of its event and
 * `extra` is 0; of a replay or a test event `extra` is its number.
 */
export interface DeliveryPlace {
  readonly place: number;
  readonly extra: number;
}

/** Which delivery. */
export interface DeliveryKey extends EndpointKey, DeliveryPlace {}

/** A delivery with what it is about. */
export interface DeliveryView extends DeliveryKey {
  readonly guid: string;
  readonly state: DeliveryState;
  /** Null for an event that is told for the first time. */
  readonly kind: 'REPLAY' | 'TEST' | null;
  /** Position of the event in the log of its partner; null for a test event. */
  readonly position: number | null;
  readonly eventGuid: string;
  readonly eventType: PartnerEventType;
  readonly eventAt: Date;
  readonly queuedAt: Date;
  /** When the next attempt is due; null when it is over. */
  readonly dueAt: Date | null;
  readonly attempts: number;
  /** How many of them the schedule of retries counts. */
  readonly tries: number;
  readonly finishedAt: Date | null;
  /** Number of the replay that came of a dead letter; null for none. */
  readonly replayedBy: number | null;
  readonly droppedBy: string | null;
  readonly dropReason: string | null;
  /** How the last attempt ended; null when there was none. */
  readonly lastOutcome: AttemptOutcome | null;
  readonly lastStatus: number | null;
  readonly lastExplanation: string | null;
}

/** How an attempt ended; docs/reference/webhooks.md says what each means. */
export type AttemptOutcome = (typeof webhookOutcomes)[number];

/** One attempt, as it is stored. */
export interface AttemptRow {
  /** From 1; what the header said. */
  readonly number: number;
  readonly at: Date;
  /** True when it was to find out whether a paused endpoint answers again. */
  readonly isProbe: boolean;
  readonly url: string;
  /** As sent, with signatures masked. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** The first 64 KiB of the answer; the first 4,096 characters where it was taken. */
  readonly answer: string | null;
  readonly isAnswerCut: boolean;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  /** What went wrong, in words; null when it was taken. */
  readonly explanation: string | null;
  /** When the next one comes; null when none does, or when the endpoint is paused. */
  readonly nextAt: Date | null;
}

/** Which deliveries a list holds: those within reach that fit whatever is there. */
export interface DeliveryFilter {
  readonly reach: Reach;
  readonly endpointGuid?: string;
  readonly state?: DeliveryState;
  readonly eventType?: PartnerEventType;
  readonly eventGuid?: string;
  /** ISO 8601: queued at this instant or later. */
  readonly since?: string;
}

/**
 * Lists deliveries, the newest first, at most `limit` behind the delivery `after`. Those of one
 * endpoint are read in its own order, which an index has; else by their time-ordered GUIDs.
 */
export async function listDeliveries(
  sql: Sql,
  filter: DeliveryFilter,
  after: string | null,
  limit: number,
): Promise<DeliveryView[]> {
  const { reach, endpointGuid, state, eventType, eventGuid, since } = filter;
  // It may have been forgotten since the last page: then its time-ordered GUID says where it was.
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

/** Finds a delivery within reach with the body that it sends; null when there is none. */
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

/** Lists the last attempts of a delivery, at most `limit`, the first one first. */
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

/** Who drops deliveries, when and why. */
export interface Dropping {
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
}

/** Drops what waits at an endpoint; gives how many. */
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

/** Drops a delivery that waits or is a dead letter; false for any other. */
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
 * Makes all that waits at an endpoint due in the order in which it was queued, at `now` at the
 * latest: a clock that went back is behind that. Each has all of its retries again: else every
 * pause of a receiver that fails under load would use some up.
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

/**
 * Found by way of the event, which has an index, and not by looking at all deliveries: those of the
 * event, of its replays, and of a test event.
 */
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

/** A state is written into the statement, so that the index of that state can be used. */
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
