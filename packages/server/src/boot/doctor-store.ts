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
