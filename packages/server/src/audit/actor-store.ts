import type { Sql } from '../database/database.ts';

/** The name of the client or person that made each row of `change`; null for the system. */
export function whoMade(sql: Sql) {
  return sql`(
    select name from api_client where client_id = change.changed_by
    union all
    select name from person
    where guid = case
      -- Nothing but a case says what is looked at first: a client's id is no GUID.
      when change.changed_by like 'person:%' then substr(change.changed_by, 8)::uuid
    end
    limit 1
  )`;
}
