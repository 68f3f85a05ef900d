import type { Sql } from '../database/database.ts';

/** The name of the client or person that a column names; null for the system. */
export function whoMade(sql: Sql, column = sql`change.changed_by`) {
  return sql`(
    select name from api_client where client_id = ${column}
    union all
    select name from person
    where guid = case
      -- Nothing but a case says what is looked at first: a client's id is no GUID.
      when ${column} like 'person:%' then substr(${column}, 8)::uuid
    end
    limit 1
  )`;
}
