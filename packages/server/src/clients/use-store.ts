import type { Scope } from '@servery/contract';
import type { Sql } from '../database/database.ts';

export interface OperationCount {
  readonly clientId: string;
  readonly day: string;
  readonly operation: string;
  readonly status: number;
  readonly requests: number;
}

export interface RestaurantCount {
  readonly clientId: string;
  readonly day: string;
  readonly restaurantGuid: string;
  readonly requests: number;
}

/** `what` is a scope or the digest of a secret. */
export interface LastUse {
  readonly clientId: string;
  readonly what: string;
  readonly atMs: number;
}

/** Only the first call counts. */
export async function insertUseStart(sql: Sql, startedAt: Date): Promise<void> {
  await sql`
    insert into client_use_start (is_counting, started_at) values (true, ${startedAt})
    on conflict do nothing`;
}

/** Inserts in key order, so that concurrent flushes don't deadlock. */
export async function insertOperationCounts(
  sql: Sql,
  counts: readonly OperationCount[],
): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into client_operation_use as stored (client_id, day, operation, status, requests)
    select "clientId", day, operation, status, requests
    from json_to_recordset(${JSON.stringify(counts)}::text::json) as given (
      "clientId" text, day date, operation text, status integer, requests bigint)
    order by "clientId", day, operation, status
    on conflict (client_id, day, operation, status) do update
    set requests = stored.requests + excluded.requests`;
}

export async function insertRestaurantCounts(
  sql: Sql,
  counts: readonly RestaurantCount[],
): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    insert into client_restaurant_use as stored (client_id, day, restaurant_guid, requests)
    select "clientId", day, "restaurantGuid", requests
    from json_to_recordset(${JSON.stringify(counts)}::text::json) as given (
      "clientId" text, day date, "restaurantGuid" uuid, requests bigint)
    order by "clientId", day, "restaurantGuid"
    on conflict (client_id, day, restaurant_guid) do update
    set requests = stored.requests + excluded.requests`;
}

export async function insertScopeUses(sql: Sql, uses: readonly LastUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    insert into client_scope_use as stored (client_id, scope, used_at)
    select "clientId", what, ${usedAt(sql)}
    from ${given(sql, uses)}
    order by "clientId", what
    on conflict (client_id, scope) do update set used_at = excluded.used_at`;
}

export async function updateClientsUsed(sql: Sql, uses: readonly LastUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    update api_client set last_used_at = ${usedAt(sql)}
    from ${given(sql, uses)}
    where api_client.client_id = given."clientId"`;
}

/** `what` is the digest in hexadecimal. */
export async function updateSecretsUsed(sql: Sql, uses: readonly LastUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    update client_secret set last_used_at = ${usedAt(sql)}
    from ${given(sql, uses)}
    where client_secret.client_id = given."clientId"
      and client_secret.digest = decode(given.what, 'hex')`;
}

export async function deleteUsesBefore(sql: Sql, day: string): Promise<void> {
  await sql`delete from client_operation_use where day < ${day}::text::date`;
  await sql`delete from client_restaurant_use where day < ${day}::text::date`;
}

function given(sql: Sql, uses: readonly LastUse[]) {
  return sql`json_to_recordset(${JSON.stringify(uses)}::text::json) as given (
    "clientId" text, what text, "atMs" bigint)`;
}

function usedAt(sql: Sql) {
  return sql`to_timestamp(given."atMs" / 1000.0)`;
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

export async function listOperationUse(
  sql: Sql,
  clientId: string,
  { from, to }: Days,
): Promise<Pick<OperationCount, 'operation' | 'status' | 'requests'>[]> {
  return await sql<Pick<OperationCount, 'operation' | 'status' | 'requests'>[]>`
    select operation, status, sum(requests)::bigint as requests from client_operation_use
    where client_id = ${clientId} and day between ${from}::text::date and ${to}::text::date
    group by operation, status
    order by operation, status`;
}

export async function listDayUse(
  sql: Sql,
  clientId: string,
  { from, to }: Days,
): Promise<Pick<OperationCount, 'day' | 'requests'>[]> {
  return await sql<Pick<OperationCount, 'day' | 'requests'>[]>`
    select day, sum(requests)::bigint as requests from client_operation_use
    where client_id = ${clientId} and day between ${from}::text::date and ${to}::text::date
    group by day
    order by day`;
}

export interface RestaurantUseRow {
  readonly restaurantGuid: string;
  readonly restaurantName: string;
  readonly requests: number;
  readonly restaurantCount: number;
}

export async function listRestaurantUse(
  sql: Sql,
  clientId: string,
  { from, to }: Days,
  limit: number,
): Promise<RestaurantUseRow[]> {
  return await sql<RestaurantUseRow[]>`
    with used as (
      select restaurant_guid, sum(requests)::bigint as requests from client_restaurant_use
      where client_id = ${clientId} and day between ${from}::text::date and ${to}::text::date
      group by restaurant_guid
    )
    select used.restaurant_guid as "restaurantGuid", restaurant.name as "restaurantName",
      used.requests, (select count(*)::int from used) as "restaurantCount"
    from used join restaurant on restaurant.guid = used.restaurant_guid
    order by used.requests desc, used.restaurant_guid
    limit ${limit}`;
}

export interface ScopeUseRow {
  readonly scope: Scope;
  readonly lastUsedAt: Date | null;
  readonly since: Date;
}

export async function listScopeUse(
  sql: Sql,
  clientId: string,
  nowMs: number,
): Promise<ScopeUseRow[]> {
  return await sql<ScopeUseRow[]>`
    select held.scope, stored.used_at as "lastUsedAt",
      coalesce(stored.granted_at, greatest(
        c.created_at, coalesce((select started_at from client_use_start), ${new Date(nowMs)})
      ))::timestamptz(3) as since
    from api_client c
    cross join unnest(c.scopes) as held (scope)
    left join client_scope_use stored
      on stored.client_id = c.client_id and stored.scope = held.scope
    where c.client_id = ${clientId}
    order by held.scope`;
}
