import type { RequestOf, Scope, WebhookEndpoint } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import { isReachedPartner } from '../../reach/reach-store.ts';
import { isReplayable } from '../delivery/replayable-store.ts';

export type EndpointState = Exclude<WebhookEndpoint['state'], 'ARCHIVED'>;

export type EndpointStateReason = NonNullable<WebhookEndpoint['pauseReason']>;

export interface EndpointKey {
  readonly partnerGuid: string;
  readonly endpointGuid: string;
}

export type EndpointSettings = Required<RequestOf<'backOffice.webhooks.endpoints.update'>['body']>;

export interface EndpointStanding {
  readonly state: EndpointState;
  readonly stateReason: EndpointStateReason | null;
  readonly stateDetail: string | null;
  readonly stateSince: Date;
  readonly stateBy: string;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly probes: number;
  readonly probeAt: Date | null;
}

export interface EndpointView extends EndpointSettings, EndpointStanding {
  readonly partnerGuid: string;
  readonly partnerName: string;
  readonly guid: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly modifiedAt: Date;
  readonly archivedAt: Date | null;
  readonly archivedBy: string | null;
}

type ListQuery = RequestOf<'backOffice.webhooks.endpoints.list'>['query'];

export interface EndpointFilter extends Omit<ListQuery, 'pageSize' | 'pageToken'> {
  readonly reach: Reach;
}

export interface EndpointPlace {
  readonly createdAt: string;
  readonly guid: string;
}

export async function listEndpoints(
  sql: Sql,
  { reach, partnerGuid, clientId, state }: EndpointFilter,
  after: EndpointPlace | null,
  limit: number,
): Promise<EndpointView[]> {
  return await sql<EndpointView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where ${isReachedPartner(sql, sql`e.partner_guid`, reach)}
      ${partnerGuid === undefined ? sql`` : sql`and e.partner_guid = ${partnerGuid}`}
      ${clientId === undefined ? sql`` : sql`and e.client_id = ${clientId}`}
      ${state === 'ARCHIVED' ? sql`and e.archived_at is not null` : sql`and e.archived_at is null`}
      ${state === undefined || state === 'ARCHIVED' ? sql`` : sql`and e.state = ${state}`}
      ${
        after
          ? sql`and (e.created_at, e.guid) < (${after.createdAt}::text::timestamptz,
              ${after.guid}::uuid)`
          : sql``
      }
    order by e.created_at desc, e.guid desc
    limit ${limit}`;
}

export async function findEndpoint(
  sql: Sql,
  endpointGuid: string,
  reach: Reach,
  { isLocked = false } = {},
): Promise<EndpointView | null> {
  const [row] = await sql<EndpointView[]>`
    select ${viewColumns(sql)} from ${viewTables(sql)}
    where e.guid = ${endpointGuid} and ${isReachedPartner(sql, sql`e.partner_guid`, reach)}
    ${isLocked ? sql`for no key update of e` : sql``}`;
  return row ?? null;
}

/**
 * Null unless the account is an active PARTNER account. Locks it against its end and new endpoints.
 */
export async function findPartnerOfClientLocked(
  sql: Sql,
  clientId: string,
): Promise<string | null> {
  const [row] = await sql<{ partnerGuid: string }[]>`
    select partner_guid as "partnerGuid" from api_client
    where client_id = ${clientId} and type = 'PARTNER' and revoked_at is null
    for no key update`;
  return row?.partnerGuid ?? null;
}

export async function listScopesOfClient(sql: Sql, clientId: string): Promise<Scope[]> {
  const [row] = await sql<{ scopes: Scope[] }[]>`
    select scopes from api_client where client_id = ${clientId}`;
  return row?.scopes ?? [];
}

export async function listEndpointsOfClientLocked(
  sql: Sql,
  clientId: string,
): Promise<EndpointKey[]> {
  return await sql<EndpointKey[]>`
    select partner_guid as "partnerGuid", guid as "endpointGuid" from webhook_endpoint
    where client_id = ${clientId} and archived_at is null
    order by guid
    for no key update`;
}

export async function findEndpointCount(sql: Sql, clientId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from webhook_endpoint
    where client_id = ${clientId} and archived_at is null`;
  return row.count;
}

export interface NewEndpoint extends EndpointKey, EndpointSettings {
  readonly clientId: string;
  readonly at: Date;
  readonly by: string;
}

export async function insertEndpoint(sql: Sql, endpoint: NewEndpoint): Promise<void> {
  const { partnerGuid, endpointGuid, clientId, at, by } = endpoint;
  await sql`
    insert into webhook_endpoint (partner_guid, guid, client_id, url, description, event_types,
      connect_timeout_ms, answer_timeout_ms, retry_delays_s, is_ordered, state, state_since,
      state_by, failures, probes, created_at, created_by, modified_at)
    values (${partnerGuid}, ${endpointGuid}, ${clientId}, ${endpoint.url}, ${endpoint.description},
      ${endpoint.eventTypes}::text[], ${endpoint.connectTimeoutMs}, ${endpoint.answerTimeoutMs},
      ${endpoint.retryDelaysSeconds}::integer[], ${endpoint.isOrdered},
      'ACTIVE', ${at}, ${by}, 0, 0, ${at}, ${by}, ${at})`;
}

/** After a pause because no secret could be opened. */
export async function updateBrokenSecretProbe(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  at: Date,
): Promise<void> {
  await sql`
    update webhook_endpoint set probe_at = ${at}
    where partner_guid = ${partnerGuid} and guid = ${endpointGuid}
      and state = 'PAUSED' and state_reason = 'SECRET'`;
}

/** A new address makes a pause probe at once. */
export async function updateEndpointSettings(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  settings: EndpointSettings,
  at: Date,
): Promise<void> {
  await sql`
    update webhook_endpoint
    set url = ${settings.url}, description = ${settings.description},
      event_types = ${settings.eventTypes}::text[],
      connect_timeout_ms = ${settings.connectTimeoutMs},
      answer_timeout_ms = ${settings.answerTimeoutMs},
      retry_delays_s = ${settings.retryDelaysSeconds}::integer[],
      is_ordered = ${settings.isOrdered}, modified_at = ${at},
      probe_at = case when url <> ${settings.url} and probe_at is not null
        then ${at}::timestamptz else probe_at end
    where partner_guid = ${partnerGuid} and guid = ${endpointGuid}`;
}

export async function updateEndpointStanding(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  standing: EndpointStanding,
): Promise<void> {
  await sql`
    update webhook_endpoint
    set state = ${standing.state}, state_reason = ${standing.stateReason},
      state_detail = ${standing.stateDetail}, state_since = ${standing.stateSince},
      state_by = ${standing.stateBy}, failures = ${standing.failures},
      failing_since = ${standing.failingSince}, probes = ${standing.probes},
      probe_at = ${standing.probeAt}
    where partner_guid = ${partnerGuid} and guid = ${endpointGuid}`;
}

export async function updateEndpointArchived(
  sql: Sql,
  { partnerGuid, endpointGuid }: EndpointKey,
  at: Date,
  by: string,
): Promise<void> {
  await sql`
    update webhook_endpoint set archived_at = ${at}, archived_by = ${by}, modified_at = ${at}
    where partner_guid = ${partnerGuid} and guid = ${endpointGuid}`;
}

type Counts = Pick<
  WebhookEndpoint,
  'queued' | 'deadLetters' | 'attemptsLastDay' | 'deliveredLastDay'
>;

export interface EndpointHealth extends Counts {
  readonly endpointGuid: string;
  readonly oldestQueuedAt: Date | null;
  readonly lastDeliveredAt: Date | null;
}

export async function listEndpointHealth(
  sql: Sql,
  endpointGuids: readonly string[],
  since: Date,
): Promise<EndpointHealth[]> {
  return await sql<EndpointHealth[]>`
    select e.guid as "endpointGuid", waiting.count as queued, waiting.oldest as "oldestQueuedAt",
      dead.count as "deadLetters", tried.count as "attemptsLastDay",
      tried.delivered as "deliveredLastDay",
      (select a.at from webhook_attempt a
        where a.partner_guid = e.partner_guid and a.endpoint_guid = e.guid
          and a.outcome = 'DELIVERED'
        order by a.at desc limit 1) as "lastDeliveredAt"
    from webhook_endpoint e
    cross join lateral (
      select count(*)::integer as count, min(queued_at) as oldest from webhook_delivery d
      where d.partner_guid = e.partner_guid and d.endpoint_guid = e.guid and d.state = 'QUEUED'
    ) waiting
    cross join lateral (
      select count(*)::integer as count from webhook_delivery d
      where d.partner_guid = e.partner_guid and d.endpoint_guid = e.guid and ${isReplayable(sql)}
    ) dead
    cross join lateral (
      select count(*)::integer as count,
        (count(*) filter (where a.outcome = 'DELIVERED'))::integer as delivered
      from webhook_attempt a
      where a.partner_guid = e.partner_guid and a.endpoint_guid = e.guid and a.at >= ${since}
    ) tried
    where e.guid = any(${endpointGuids}::uuid[])`;
}

function viewColumns(sql: Sql) {
  return sql`e.partner_guid as "partnerGuid", partner.name as "partnerName", e.guid,
    e.client_id as "clientId", client.name as "clientName",
    e.url, e.description, e.event_types as "eventTypes",
    e.connect_timeout_ms as "connectTimeoutMs", e.answer_timeout_ms as "answerTimeoutMs",
    e.retry_delays_s as "retryDelaysSeconds", e.is_ordered as "isOrdered",
    e.state, e.state_reason as "stateReason", e.state_detail as "stateDetail",
    e.state_since as "stateSince", e.state_by as "stateBy", e.failures,
    e.failing_since as "failingSince", e.probes, e.probe_at as "probeAt",
    e.created_at as "createdAt", e.created_by as "createdBy", e.modified_at as "modifiedAt",
    e.archived_at as "archivedAt", e.archived_by as "archivedBy"`;
}

function viewTables(sql: Sql) {
  return sql`webhook_endpoint e
    join partner on partner.guid = e.partner_guid
    join api_client client on client.client_id = e.client_id`;
}
