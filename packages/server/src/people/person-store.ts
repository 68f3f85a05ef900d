import type { RoleName } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { RoleRow } from './session-store.ts';

export interface NewPerson {
  readonly guid: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}

export async function insertPerson(sql: Sql, person: NewPerson): Promise<boolean> {
  const result = await sql`
    insert into person (guid, email, name, created_at)
    values (${person.guid}, ${person.email}, ${person.name}, ${person.createdAt})
    on conflict (email) do nothing`;
  return result.count === 1;
}

/** Until then, each start invites the first one. */
export async function findHasOperator(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from person_role held join person on person.guid = held.person_guid
      where held.role = 'OPERATOR' and person.deactivated_at is null
        and person.password_hash is not null
    ) as found`;
  return row.found;
}

/** Locks them until the transaction ends, so that removals wait for each other. */
export async function findHeldOperators(sql: Sql): Promise<void> {
  await sql`
    select guid from person
    where guid in (select person_guid from person_role where role = 'OPERATOR')
    order by guid for update`;
}

export async function updatePersonName(sql: Sql, guid: string, name: string): Promise<void> {
  await sql`update person set name = ${name} where guid = ${guid}`;
}

/** Throws a unique violation (23505) when the address is taken. */
export async function updatePersonEmail(sql: Sql, guid: string, email: string): Promise<void> {
  await sql`update person set email = ${email} where guid = ${guid}`;
}

/** Null reactivates. Keeps the first instant. */
export async function updateDeactivated(
  sql: Sql,
  guid: string,
  deactivatedAt: Date | null,
): Promise<void> {
  await sql`
    update person set deactivated_at = ${deactivatedAt}
    where guid = ${guid} and (deactivated_at is null) <> (${deactivatedAt}::timestamptz is null)`;
}

export interface NewRole extends Omit<RoleRow, 'role'> {
  readonly role: RoleName;
  readonly givenAt: Date;
  readonly givenBy: string;
}

/** False when the person already has it there. */
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

export async function deleteRole(sql: Sql, personGuid: string, guid: string): Promise<void> {
  await sql`delete from person_role where person_guid = ${personGuid} and guid = ${guid}`;
}

export async function findIsThere(
  sql: Sql,
  kind: 'group' | 'partner',
  guid: string,
): Promise<boolean> {
  const table = kind === 'group' ? sql`management_group` : sql`partner`;
  const rows = await sql`select guid from ${table} where guid = ${guid}`;
  return rows.length === 1;
}

export async function findGroupOfRestaurant(sql: Sql, guid: string): Promise<string | null> {
  const [row] = await sql<{ managementGroupGuid: string }[]>`
    select management_group_guid as "managementGroupGuid" from restaurant where guid = ${guid}`;
  return row?.managementGroupGuid ?? null;
}
