import type { Sql } from '../database/database.ts';

export interface EndingKey {
  readonly clientId: string;
  readonly name: string;
  readonly endsAt: Date;
}

export async function listEndingCardKeys(sql: Sql, before: Date): Promise<EndingKey[]> {
  return await sql<EndingKey[]>`
    select k.client_id as "clientId", k.key_id as name, k.not_after as "endsAt"
    from card_key k join api_client c using (client_id)
    where k.state = 'ACTIVE' and k.not_after < ${before} and c.revoked_at is null
    order by k.not_after, k.key_id`;
}

/** Leaves out revoked secrets and those that ended before `after`. */
export async function listEndingSecrets(sql: Sql, after: Date, before: Date): Promise<EndingKey[]> {
  return await sql<EndingKey[]>`
    select s.client_id as "clientId", left(s.guid::text, 8) as name, s.expires_at as "endsAt"
    from client_secret s join api_client c using (client_id)
    where s.expires_at > ${after} and s.expires_at < ${before}
      and s.revoked_at is null and c.revoked_at is null
    order by s.expires_at, s.guid`;
}

export interface StuckSession {
  readonly pid: number;
  readonly application: string;
  readonly isWaiting: boolean;
}

export async function listStuckSessions(sql: Sql, since: Date): Promise<StuckSession[]> {
  return await sql<StuckSession[]>`
    select pid, application_name as application, wait_event_type = 'Lock' as "isWaiting"
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < ${since}
      and (state = 'idle in transaction' or wait_event_type = 'Lock')
      and application_name not in ('servery keeper', 'servery backup')
    order by xact_start`;
}

/** Databases that remain when a check of a backup was killed. */
export async function listLeftScratch(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select datname as name from pg_database d
    where starts_with(datname, 'servery_scratch_')
      and not exists (select from pg_stat_activity a where a.datid = d.oid)
    order by datname`;
  return rows.map(({ name }) => name);
}

export interface EnvironmentFacts {
  readonly kind: string | null;
  readonly postgres: string;
  readonly ledgerId: string | null;
  readonly processes: number;
  /** Of those processes; null without one. */
  readonly lastSeenAt: Date | null;
  readonly silentProcesses: number;
  readonly publicUrls: readonly string[];
  readonly moverExpiresAt: Date | null;
}

export async function findEnvironmentFacts(sql: Sql, aliveSince: Date): Promise<EnvironmentFacts> {
  const [row] = await sql<[EnvironmentFacts]>`
    select (select kind from environment) as kind, current_setting('server_version') as postgres,
      (select ledger_id from processor_ledger) as "ledgerId",
      (select count(*)::int from server_process where seen_at >= ${aliveSince}) as processes,
      (select max(seen_at) from server_process where seen_at >= ${aliveSince}) as "lastSeenAt",
      (select count(*)::int from server_process where seen_at < ${aliveSince}) as "silentProcesses",
      (select coalesce(array_agg(distinct public_url order by public_url), '{}') from server_process
        where seen_at >= ${aliveSince} and public_url is not null) as "publicUrls",
      (select mover_expires_at from environment_clock where id = 1) as "moverExpiresAt"`;
  return row;
}

/** Takes disk space; the caller rolls the transaction back. */
export async function insertTrial(sql: Sql, trial: Buffer, now: Date): Promise<void> {
  await sql`
    insert into server_process (process_id, group_id, started_at, seen_at, trial)
    values (gen_random_uuid(), gen_random_uuid(), ${now}, ${now}, ${trial})`;
}

export interface TableSize {
  readonly name: string;
  /** As PostgreSQL estimates. */
  readonly rows: number;
  readonly deadRows: number;
  /** With indexes. */
  readonly bytes: number;
}

export async function listLargestTables(sql: Sql, limit: number): Promise<TableSize[]> {
  return await sql<TableSize[]>`
    select relname as name, n_live_tup::float8 as rows, n_dead_tup::float8 as "deadRows",
      pg_total_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables where schemaname = current_schema()
    order by bytes desc, relname limit ${limit}`;
}

export type AgedTable =
  | 'client_operation_use'
  | 'order_guest'
  | 'payment_guest'
  | 'request_log'
  | 'stock_change'
  | 'velocity_count'
  | 'webhook_delivery';

/** Rows that should have been deleted before then. Stops counting at `atMost`. */
export async function findPastCount(
  sql: Sql,
  table: AgedTable,
  before: Date,
  atMost: number,
): Promise<number> {
  const day = before.toISOString().slice(0, 10);
  const past: Readonly<Record<AgedTable, ReturnType<Sql>>> = {
    client_operation_use: sql`client_operation_use where day < ${day}::text::date`,
    order_guest: sql`order_guest where business_date < ${Number(day.replaceAll('-', ''))}`,
    payment_guest: sql`payment_guest g join payment p using (merchant_guid, payment_uuid)
      where g.created_at < ${before} and p.due_at is null and p.state <> 'REVIEW'`,
    request_log: sql`request_log where logged_at < ${before}`,
    stock_change: sql`stock_change where changed_at < ${before}`,
    velocity_count: sql`velocity_count where expires_at < ${before}`,
    webhook_delivery: sql`webhook_delivery where finished_at < ${before}`,
  };
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (select 1 from ${past[table]} limit ${atMost}) as past`;
  return row.count;
}

/** How many partners have a total of connections that is not the number of their connections. */
export async function findWrongTotals(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from (
      select partner_guid, count(*) as connections from connection
      where removed_at is null group by partner_guid
    ) as counted
    full join partner_counter using (partner_guid)
    where coalesce(counted.connections, 0) <> coalesce(partner_counter.connections, 0)`;
  return row.count;
}
