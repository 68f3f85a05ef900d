import type { SavedView } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Dated } from '../http/timestamps.ts';

export type ViewRow = Dated<SavedView>;

export async function listViews(sql: Sql, personGuid: string): Promise<ViewRow[]> {
  return await sql<ViewRow[]>`
    select ${viewColumns(sql)} from person_view
    where person_guid = ${personGuid}
    order by page, lower(name), guid`;
}

/** Keeps the identifier of the view that has the name already. */
export async function upsertView(
  sql: Sql,
  personGuid: string,
  { viewGuid, page, name, query, savedAt }: ViewRow,
): Promise<ViewRow> {
  const [row] = await sql<[ViewRow]>`
    insert into person_view (person_guid, guid, page, name, query, saved_at)
    values (${personGuid}, ${viewGuid}, ${page}, ${name}, ${query}, ${savedAt})
    on conflict (person_guid, page, name)
    do update set query = excluded.query, saved_at = excluded.saved_at
    returning ${viewColumns(sql)}`;
  return row;
}

export async function countViews(sql: Sql, personGuid: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from person_view where person_guid = ${personGuid}`;
  return row.count;
}

export async function deleteView(sql: Sql, personGuid: string, guid: string): Promise<boolean> {
  const result = await sql`
    delete from person_view where person_guid = ${personGuid} and guid = ${guid}`;
  return result.count === 1;
}

function viewColumns(sql: Sql) {
  return sql`guid as "viewGuid", page, name, query, saved_at as "savedAt"`;
}
