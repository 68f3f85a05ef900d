import type { Sql } from './sql.ts';

const OLDEST_VERSION = 150_000;

/** The settings that keep commits safe, and what happens without them. */
const DURABILITY = [
  ['fsync', 'a crash of the machine loses or corrupts what was acknowledged'],
  ['full_page_writes', 'a crash of the machine can corrupt the database'],
  ['synchronous_commit', 'a crash loses the last commits although they were acknowledged'],
] as const;

/**
 * Lists what makes this database unfit for production, each with its fix; empty for PostgreSQL 15
 * or newer that keeps what it acknowledged. `synchronous_commit` may be any value but `off`, since
 * clusters use the others to choose their replicas.
 */
export async function checkDatabaseSafety(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit')`;
  const settings = new Map(rows.map((row) => [row.name, row.setting]));
  const facts: string[] = [];
  const version = Number(settings.get('server_version_num') ?? 0);
  if (version < OLDEST_VERSION) {
    const major = Math.floor(version / 10_000);
    facts.push(`the database is PostgreSQL ${major}; version 15 or newer is needed`);
  }
  for (const [name, consequence] of DURABILITY) {
    if (settings.get(name) === 'off') {
      facts.push(`${name} is off: ${consequence}; set it to on`);
    }
  }
  return facts;
}
