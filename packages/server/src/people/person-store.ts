import type { RoleName } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { RoleRow } from './session-store.ts';

/** A person as it is added. */
export interface NewPerson {
  readonly guid: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Inserts a person without a password; false when somebody has the e-mail address. */
export async function insertPerson(sql: Sql, person: NewPerson): Promise<boolean> {
  const result = await sql`
    insert into person (guid, email, name, created_at)
    values (${person.guid}, ${person.email}, ${person.name}, ${person.createdAt})
    on conflict (email) do nothing`;
  return result.count === 1;
}

/** True once anybody may run the platform: before that, the first one is invited at start. */
export async function findHasOperator(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from person_role held join person on person.guid = held.person_guid
      where held.role = 'OPERATOR' and person.deactivated_at is null
        and person.password_hash is not null
    ) as found`;
  return row.found;
}

/** Holds all operators until the transaction ends: one removal waits for another. */
export async function findHeldOperators(sql: Sql): Promise<void> {
  await sql`
    select guid from person
    where guid in (select person_guid from person_role where role = 'OPERATOR')
    order by guid for update`;
}

/** Changes what people are called. */
export async function updatePersonName(sql: Sql, guid: string, name: string): Promise<void> {
  await sql`update person set name = ${name} where guid = ${guid}`;
}

/** Changes what a person logs in with; a unique violation (23505) when somebody has it. */
export async function updatePersonEmail(sql: Sql, guid: string, email: string): Promise<void> {
  await sql`update person set email = ${email} where guid = ${guid}`;
}

/** Deactivates a person, or with null reactivates one; keeps the first instant. */
export async function updateDeactivated(
  sql: Sql,
  guid: string,
  deactivatedAt: Date | null,
): Promise<void> {
  await sql`
    update person set deactivated_at = ${deactivatedAt}
    where guid = ${guid} and (deactivated_at is null) <> (${deactivatedAt}::timestamptz is null)`;
}

/** A role as it is given. */
export interface NewRole extends Omit<RoleRow, 'role'> {
  readonly role: RoleName;
  readonly givenAt: Date;
  /** How histories name the giver. */
  readonly givenBy: string;
}

/** Gives a role; false when the person has it there already. */
export async function insertRole(sql: Sql, personGuid: string, role: NewRole): Promise<boolean> {
  const result = await sql`
    insert into person_role (person_guid, guid, role, management_group_guid, restaurant_guid,
      partner_guid, given_at, given_by)
    values (${personGuid}, ${role.guid}, ${role.role}, ${role.managementGroupGuid},
      ${role.restaurantGuid}, ${role.partnerGuid}, ${role.givenAt}, ${role.givenBy})
    on conflict (person_guid, role, management_group_guid, restaurant_guid, partner_guid)
    do nothing`;
  return result.count === 1;
}

/** Takes a role. */
export async function deleteRole(sql: Sql, personGuid: string, guid: string): Promise<void> {
  await sql`delete from person_role where person_guid = ${personGuid} and guid = ${guid}`;
}

/** Whether there is such a group or partner. */
export async function findIsThere(
  sql: Sql,
  kind: 'group' | 'partner',
  guid: string,
): Promise<boolean> {
  const table = kind === 'group' ? sql`management_group` : sql`partner`;
  const rows = await sql`select guid from ${table} where guid = ${guid}`;
  return rows.length === 1;
}

/** The management group of a restaurant, or null when there is no such restaurant. */
export async function findGroupOfRestaurant(sql: Sql, guid: string): Promise<string | null> {
  const [row] = await sql<{ managementGroupGuid: string }[]>`
    select management_group_guid as "managementGroupGuid" from restaurant where guid = ${guid}`;
  return row?.managementGroupGuid ?? null;
}
