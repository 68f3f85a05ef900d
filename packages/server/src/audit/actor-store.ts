import type { Sql } from '../database/database.ts';

/**
 * Adds the names of the clients and people who made the rows; null for the system. Looked up by
 * themselves, because in a cluster they are on another node than most of what they made.
 */
export async function withNames<Row extends object, Field extends string>(
  sql: Sql,
  rows: readonly Row[],
  actorOf: (row: Row) => string | null,
  field: Field,
): Promise<(Row & { readonly [Each in Field]: string | null })[]> {
  const actors = [...new Set(rows.map(actorOf))].filter((actor) => actor !== null);
  const names = await listNames(sql, actors);
  return rows.map((row) => {
    const named = { [field]: names.get(actorOf(row) ?? '') ?? null };
    return { ...row, ...(named as { [Each in Field]: string | null }) };
  });
}

async function listNames(
  sql: Sql,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (actors.length === 0) return new Map();
  const people = actors.filter((actor) => actor.startsWith(PERSON));
  const guids = people.map((actor) => actor.slice(PERSON.length));
  const rows = await sql<{ actor: string; name: string }[]>`
    select client_id as actor, name from api_client where client_id = any(${actors}::text[])
    union all
    select ${PERSON}::text || guid, name from person where guid = any(${guids}::uuid[])`;
  return new Map(rows.map(({ actor, name }) => [actor, name]));
}

const PERSON = 'person:';
