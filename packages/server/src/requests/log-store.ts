import type {
  LoggedRefusal,
  LoggedRequest,
  LoggedRequestDetails,
  RequestOf,
} from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Reach } from '../reach/reach.ts';
import { isAtReachedRestaurant, isReachedGroup, isReachedPartner } from '../reach/reach-store.ts';
import type { RequestFacts } from './request-facts.ts';

export interface NewLogRow extends Omit<LoggedRequestDetails, 'refusal' | 'explanation'> {
  readonly loggedAt: string;
  readonly partnerGuid: string | null;
  readonly managementGroupGuid: string | null;
  readonly refusal: (Omit<LoggedRefusal, 'reach'> & { readonly reach: Reach | null }) | null;
  readonly facts: RequestFacts | null;
}

export interface LogRow extends Omit<LoggedRequest, 'at' | 'realAt'> {
  readonly loggedAt: Date;
  readonly at: Date;
  readonly realAt: Date;
}

export type LogDetailsRow = LogRow &
  Omit<LoggedRequestDetails, keyof LoggedRequest | 'explanation'> & {
    readonly facts: RequestFacts | null;
    /** Where the sender belonged. */
    readonly partnerGuid: string | null;
  };

/** Skips requests that are stored already. */
export async function insertRequests(sql: Sql, rows: readonly NewLogRow[]): Promise<void> {
  const texts = rows.map((row) => JSON.stringify(row));
  const sized = texts.map((text) => `${text.slice(0, -1)},"sizeBytes":${Buffer.byteLength(text)}}`);
  await sql`
    insert into request_log (request_id, logged_at, at, real_at, operation, method, path, status,
      duration_ms, client_id, person_guid, partner_guid, management_group_guid, restaurant_guid,
      remote_address, refusal, query, request_headers, request_body, answer_headers, answer_body,
      facts, fault, size_bytes)
    select "requestId", "loggedAt", at, "realAt", operation, method, path, status, "durationMs",
      "clientId", "personGuid", "partnerGuid", "managementGroupGuid", "restaurantGuid",
      "remoteAddress", refusal, query, "requestHeaders", "requestBody", "answerHeaders",
      "answerBody", facts, fault, "sizeBytes"
    from json_to_recordset(${`[${sized.join(',')}]`}::text::json) as row("requestId" uuid,
      "loggedAt" timestamptz, at timestamptz, "realAt" timestamptz, operation text, method text,
      path text, status integer, "durationMs" float8, "clientId" text, "personGuid" uuid,
      "partnerGuid" uuid, "managementGroupGuid" uuid, "restaurantGuid" uuid, "remoteAddress" text,
      refusal json, query json, "requestHeaders" json, "requestBody" text, "answerHeaders" json,
      "answerBody" text, facts json, fault text, "sizeBytes" integer)
    on conflict do nothing`;
}

export type LogFilter = RequestOf<'backOffice.requests.stream'>['query'] & {
  readonly reach: Reach;
};

type ListQuery = RequestOf<'backOffice.requests.list'>['query'];

export interface LogPlace {
  readonly realAt: string;
  readonly requestId: string;
}

export async function listRequests(
  sql: Sql,
  filter: ListQuery & LogFilter,
  after: LogPlace | null,
  limit: number,
): Promise<LogRow[]> {
  const { requestId, from, to } = filter;
  return await sql<LogRow[]>`
    select ${summaryColumns(sql)} from request_log
    where ${fits(sql, filter)}
      ${requestId === undefined ? sql`` : sql`and request_id = ${requestId}::uuid`}
      ${from === undefined ? sql`` : sql`and real_at >= ${from}::text::timestamptz`}
      ${to === undefined ? sql`` : sql`and real_at < ${to}::text::timestamptz`}
      ${
        after
          ? sql`and (real_at, request_id) <
        (${after.realAt}::text::timestamptz, ${after.requestId}::uuid)`
          : sql``
      }
    order by real_at desc, request_id desc
    limit ${limit}`;
}

export async function findRequest(
  sql: Sql,
  requestId: string,
  reach: Reach,
): Promise<LogDetailsRow | null> {
  const [row] = await sql<LogDetailsRow[]>`
    select ${summaryColumns(sql)}, query, request_headers as "requestHeaders",
      request_body as "requestBody", answer_headers as "answerHeaders",
      answer_body as "answerBody", facts, partner_guid as "partnerGuid"
    from request_log
    where request_id = ${requestId} and ${isReached(sql, reach)}`;
  return row ?? null;
}

/** `traceparent` as it was sent. Null if the log does not have it. */
export async function findTracedRequest(
  sql: Sql,
  traceparent: string,
  since: Date,
): Promise<string | null> {
  const [row] = await sql<{ requestId: string }[]>`
    select request_id as "requestId" from request_log
    where real_at >= ${since} and request_headers ->> 'traceparent' = ${traceparent}
    limit 1`;
  return row?.requestId ?? null;
}

export interface LoggedSince {
  readonly loggedAtMs: number;
  /** Requests that the stream has sent already. */
  readonly except: readonly string[];
}

export async function listRequestsLogged(
  sql: Sql,
  filter: LogFilter,
  { loggedAtMs, except }: LoggedSince,
  limit: number,
): Promise<LogRow[]> {
  return await sql<LogRow[]>`
    select ${summaryColumns(sql)} from request_log
    where logged_at >= ${new Date(loggedAtMs)} and ${fits(sql, filter)}
      and request_id <> all(${except}::uuid[])
    order by logged_at, request_id
    limit ${limit}`;
}

export async function deleteRequestsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from request_log where request_id in (
      select request_id from request_log where logged_at < ${before}
      order by logged_at limit ${limit})`;
  return result.count;
}

/** Removes each client's oldest beyond `atMost`, at most `limit` rows; returns how many. */
export async function deleteRequestsBeyond(
  sql: Sql,
  atMost: number,
  limit: number,
): Promise<number> {
  const result = await sql`
    delete from request_log where request_id in (
      select request_id from (
        select request_id,
          row_number() over (partition by client_id order by real_at desc, request_id desc) as place
        from request_log where client_id is not null) as numbered
      where place > ${atMost} limit ${limit})`;
  return result.count;
}

/** When the newest row that no longer fits was written; null when all fit. */
export async function findLoggedBeyond(sql: Sql, sizeBytes: number): Promise<Date | null> {
  const [row] = await sql<{ loggedAt: Date }[]>`
    select logged_at as "loggedAt" from (
      select logged_at,
        sum(size_bytes) over (order by logged_at desc, request_id desc) as total
      from request_log) as summed
    where total > ${sizeBytes} order by logged_at desc limit 1`;
  return row?.loggedAt ?? null;
}

function fits(sql: Sql, filter: LogFilter) {
  const { reach, clientId, personGuid, restaurantGuid, operation, status } = filter;
  // Only conditions that were asked for, so that the database can use indexes.
  return sql`${isReached(sql, reach)}
    ${clientId === undefined ? sql`` : sql`and client_id = ${clientId}`}
    ${personGuid === undefined ? sql`` : sql`and person_guid = ${personGuid}::uuid`}
    ${restaurantGuid === undefined ? sql`` : sql`and restaurant_guid = ${restaurantGuid}::uuid`}
    ${operation === undefined ? sql`` : sql`and operation = ${operation}`}
    ${status === undefined ? sql`` : isOfStatus(sql, status)}`;
}

function isOfStatus(sql: Sql, status: string) {
  const first = Number(status.replace('xx', '00'));
  return sql`and status between ${first} and ${status.endsWith('xx') ? first + 99 : first}`;
}

/** A request belongs to its restaurant and to the owner of its client. */
function isReached(sql: Sql, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`(${isAtReachedRestaurant(sql, sql`restaurant_guid`, reach)}
    or ${isReachedGroup(sql, sql`management_group_guid`, reach)}
    or ${isReachedPartner(sql, sql`partner_guid`, reach)})`;
}

function summaryColumns(sql: Sql) {
  return sql`
    request_id as "requestId", logged_at as "loggedAt", at, real_at as "realAt", operation, method,
    path, status, duration_ms as "durationMs", client_id as "clientId",
    person_guid as "personGuid", restaurant_guid as "restaurantGuid",
    remote_address as "remoteAddress", refusal, fault`;
}
