import type { RequestOf, WebhookAttempt, WebhookDelivery } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isReachedPartner } from '../../reach/reach-store.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';

/** The event's position and 0; a replay or test event has its number in `extra`. */
export interface DeliveryKey extends EndpointKey {
  readonly place: number;
  readonly extra: number;
}

type DeliveryInstants = 'eventAt' | 'queuedAt' | 'dueAt' | 'settledAt';

export interface DeliveryView
  extends DeliveryKey,
    Omit<WebhookDelivery, DeliveryInstants | keyof DeliveryKey> {
  readonly eventAt: Date;
  readonly queuedAt: Date;
  readonly dueAt: Date | null;
  readonly settledAt: Date | null;
}

export interface AttemptRow extends Omit<WebhookAttempt, 'at' | 'nextAt' | 'requestHeaders'> {
  readonly at: Date;
  /** In real time. */
  readonly sentAt: Date;
  readonly nextAt: Date | null;
}

type ListQuery = RequestOf<'backOffice.webhooks.deliveries.list'>['query'];

export interface DeliveryFilter extends Omit<ListQuery, 'pageSize' | 'pageToken'> {
  readonly reach: Reach;
}

export type ListedPlace = Pick<DeliveryView, 'guid' | 'place' | 'extra'>;

/** One endpoint's come in its own order (which has an index), others by time-ordered GUID. */
export async function listDeliveries(
  sql: Sql,
  { reach, endpointGuid, state, eventType, eventGuid, since }: DeliveryFilter,
  after: ListedPlace | null,
  limit: number,
): Promise<DeliveryView[]> {
  const order = endpointGuid === undefined ? sql`d.guid` : sql`(d.place, d.extra)`;
  const place =
    after &&
    (endpointGuid === undefined
      ? sql`${after.guid}::uuid`
      : sql`(${after.place}::bigint, ${after.extra}::bigint)`);
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
      ${eventType === undefined ? sql`` : sql`and d.event_type = ${eventType}`}
      ${eventGuid === undefined ? sql`` : isOfEvent(sql, eventGuid)}
      ${since === undefined ? sql`` : sql`and d.queued_at >= ${since}::text::timestamptz`}
      ${place ? sql`and ${order} < ${place}` : sql``}
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
    select number, at, sent_at as "sentAt", is_probe as "isProbe", url, status,
      answer as "answerBody", is_answer_cut as "isAnswerCut", duration_ms as "durationMs", outcome,
      explanation, next_at as "nextAt", coalesce(fault, case when number = 1 then (
        select d.fault from webhook_delivery d
        where d.partner_guid = ${partnerGuid} and d.endpoint_guid = ${endpointGuid}
          and d.place = ${place} and d.extra = ${extra}) end) as fault
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

export function dropped(sql: Sql, { at, by, reason }: Dropping) {
  return sql`state = 'DROPPED', finished_at = ${at}, dropped_by = ${by}, drop_reason = ${reason},
    lease_holder = null, lease_expires_at = null`;
}

export async function updateQueuedDropped(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  dropping: Dropping,
): Promise<void> {
  await sql`
    update webhook_delivery set ${dropped(sql, dropping)}
    where partner_guid = ${partnerGuid} and endpoint_guid = ${endpointGuid} and state = 'QUEUED'`;
}

export async function updateDeliveryDropped(
  sql: Sql,
  { partnerGuid, endpointGuid, place, extra }: DeliveryKey,
  dropping: Dropping,
): Promise<boolean> {
  const result = await sql`
    update webhook_delivery set ${dropped(sql, dropping)}
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
function isInState(sql: Sql, state: WebhookDelivery['state'] | undefined) {
  if (state === 'QUEUED') return sql`and d.state = 'QUEUED'`;
  if (state === 'DEAD') return sql`and d.state = 'DEAD'`;
  return state === undefined ? sql`` : sql`and d.state = ${state}`;
}

function viewColumns(sql: Sql) {
  return sql`d.partner_guid as "partnerGuid", d.endpoint_guid as "endpointGuid", d.place, d.extra,
    d.guid, d.state, x.kind is not distinct from 'REPLAY' as "isReplay",
    x.kind is not distinct from 'TEST' as "isTest", event.position as "eventPosition",
    coalesce(x.guid, event.guid) as "eventGuid", d.event_type as "eventType",
    coalesce(event.at, x.at) as "eventAt", d.queued_at as "queuedAt",
    case when d.state = 'QUEUED' then d.due_at end as "dueAt", d.attempts as "attemptCount",
    d.finished_at as "settledAt", d.replayed_by is not null as "isReplayed",
    last.outcome as "lastOutcome", last.status as "lastStatus",
    coalesce(last.fault, d.fault) as fault,
    case d.state when 'DROPPED' then d.drop_reason when 'DEAD' then last.explanation end as reason`;
}

function viewTables(sql: Sql) {
  return sql`webhook_delivery d
    left join webhook_extra x on x.partner_guid = d.partner_guid and x.number = d.extra
    left join lateral (
      select position, guid, at, body from partner_event
      where partner_guid = d.partner_guid
        and position = case when d.extra = 0 then d.place else x.position end
      -- Keeps to the primary key: otherwise all events of the partner may be read for each delivery.
      limit 1
    ) as event on true
    left join webhook_attempt last on last.partner_guid = d.partner_guid
      and last.endpoint_guid = d.endpoint_guid and last.place = d.place and last.extra = d.extra
      and last.number = d.attempts`;
}
