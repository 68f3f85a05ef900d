import type { RoleName } from '@servery/contract';
import type { Sql } from '../database/database.ts';

export interface DemoPersonRow {
  readonly personGuid: string;
  readonly name: string;
  readonly role: RoleName;
  readonly placeGuid: string | null;
}

/** Those with these addresses who can log in and have no authenticator app, by their first role. */
export async function findDemoPeople(
  sql: Sql,
  emails: readonly string[],
): Promise<readonly DemoPersonRow[]> {
  return await sql<DemoPersonRow[]>`
    select person.guid as "personGuid", person.name, held.role, held."placeGuid"
    from person cross join lateral (
      select role,
        coalesce(management_group_guid, restaurant_guid, partner_guid) as "placeGuid"
      from person_role where person_guid = person.guid order by given_at, guid limit 1
    ) as held
    where person.email = any(string_to_array(${emails.join(' ')}, ' '))
      and person.deactivated_at is null and person.password_hash is not null
      and person.totp_confirmed_at is null`;
}
