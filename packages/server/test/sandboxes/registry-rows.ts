import type { Sql } from '../../src/database/database.ts';

/** As if its time had passed: the shortest is a minute. */
export async function expireSandbox(sql: Sql, name: string): Promise<void> {
  await sql`update sandbox set expires_at = now() - interval '1 second' where name = ${name}`;
}

/** What the platform and its PostgreSQL have for sandboxes. What it makes ahead is needed. */
export async function listSandboxParts(sql: Sql) {
  const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
  const sandboxes = await sql<{ name: string }[]>`select name from sandbox order by name`;
  const databases = await sql<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, 'servery_') order by datname`;
  const unneeded = await sql<{ name: string }[]>`
    select d.name from sandbox_database d
    where (d.making_until is null or d.making_until < now())
      and not exists (select from sandbox s where s.database_name = d.name)
      and not exists (select from sandbox_snapshot s where s.database_name = d.name)
      and not exists (select from sandbox_template t where t.database_name = d.name)
    order by d.name`;
  const rows = await sql<{ name: string; ledgerId: string }[]>`
    select name, ledger_id as "ledgerId" from sandbox_database order by name`;
  return {
    sandboxes: names(sandboxes),
    databases: names(databases),
    rows: names(rows),
    ledgerIds: rows.map(({ ledgerId }) => ledgerId).sort(),
    unneeded: names(unneeded),
  };
}

/** As if the time of those that are making something were over. */
export async function endMaking(sql: Sql): Promise<void> {
  const past = sql`now() - interval '1 second'`;
  await sql`update sandbox_database set making_until = ${past} where making_until is not null`;
  await sql`update sandbox set making_until = ${past} where making_until is not null`;
}

export async function findDatabaseOf(sql: Sql, sandboxName: string): Promise<string> {
  const [row] = await sql<[{ databaseName: string }]>`
    select database_name as "databaseName" from sandbox where name = ${sandboxName}`;
  return row.databaseName;
}

export async function findDatabaseOfSnapshot(sql: Sql, name: string): Promise<string> {
  const [row] = await sql<[{ databaseName: string }]>`
    select database_name as "databaseName" from sandbox_snapshot where name = ${name}`;
  return row.databaseName;
}

/** A digest of all rows of each table, except what the platform writes a moment later. */
export async function digestTables(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename !~
      '^(request_log|server_process|health_minute|sandbox.*|audit_(head|link|unsealed)|client_.*use.*)$'
    order by tablename`;
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe(
      `select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as digest
      from (select to_jsonb(t) - 'last_used_at' as row from ${name} t) rows`,
    );
    digests[name] = String(row?.digest);
  }
  return digests;
}
