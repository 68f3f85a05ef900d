import type { Sql } from '../../../packages/server/src/database/database.ts';

/** The database that sandboxes of a profile are copied from. */
export async function findTemplateOf(sql: Sql, profile: string): Promise<string> {
  const [row] = await sql<[{ name: string }]>`
    select database_name as name from sandbox_template where profile = ${profile}`;
  return row.name;
}

/** What PostgreSQL itself takes: the same statement as the platform's. */
export async function createBareCopy(sql: Sql, name: string, template: string): Promise<void> {
  await sql.unsafe(`create database ${name} template ${template} strategy wal_log`);
}

export async function dropBareCopy(sql: Sql, name: string): Promise<void> {
  await sql.unsafe(`drop database ${name}`);
}

/** The connections of clients, and of how many sandboxes they are. */
export async function countConnections(
  sql: Sql,
): Promise<{ readonly connections: number; readonly sandboxes: number }> {
  const [row] = await sql<[{ connections: number; sandboxes: number }]>`
    select count(*)::int as connections, count(distinct s.name)::int as sandboxes
    from pg_stat_activity a left join sandbox s on s.database_name = a.datname
    where a.backend_type = 'client backend'`;
  return row;
}
