import type { Person } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Dated } from '../http/timestamps.ts';
import type { Reach } from '../reach/reach.ts';
import { isAtReachedPlace } from '../reach/reach-store.ts';
import type { RoleRow } from './session-store.ts';

export interface HeldRole extends RoleRow {
  readonly givenAt: Date;
  readonly givenBy: string;
  readonly groupOfRestaurantGuid: string | null;
}

export interface PersonRow extends Dated<Omit<Person, 'personGuid' | 'invitedUntil' | 'roles'>> {
  readonly guid: string;
  readonly invitedUntil: Date | null;
  readonly roles: readonly HeldRole[];
}

export interface PersonPlace {
  readonly name: string;
  readonly guid: string;
}

export interface PersonFilter {
  readonly reach: Reach;
  readonly active?: boolean;
  /** Decides whether a link is still valid. */
  readonly now: Date;
}

export async function listPeople(
  sql: Sql,
  { reach, active, now }: PersonFilter,
  after: PersonPlace | null,
  limit: number,
): Promise<PersonRow[]> {
  const behind = after
    ? sql`and (lower(name), guid) > (lower(${after.name}), ${after.guid}::uuid)`
    : sql``;
  const activity = active === undefined ? sql`` : sql`and (deactivated_at is null) = ${active}`;
  const rows = await sql<PersonRow[]>`
    select ${personColumns(sql, now)} from person
    where ${isReachedPerson(sql, reach)} ${activity} ${behind}
    order by lower(name), guid limit ${limit}`;
  return rows.map(withTimes);
}

export async function findPerson(sql: Sql, guid: string, now: Date): Promise<PersonRow | null> {
  const [row] = await sql<PersonRow[]>`
    select ${personColumns(sql, now)} from person where guid = ${guid}`;
  return row ? withTimes(row) : null;
}

export async function findGuidOfEmail(sql: Sql, email: string): Promise<string | null> {
  const [row] = await sql<{ guid: string }[]>`
    select guid from person where email = ${email} for update`;
  return row?.guid ?? null;
}

/** Locks the person, so that changes happen one after the other. */
export async function findHeldPerson(sql: Sql, guid: string, now: Date): Promise<PersonRow | null> {
  await sql`select guid from person where guid = ${guid} for update`;
  return await findPerson(sql, guid, now);
}

function personColumns(sql: Sql, now: Date) {
  return sql`guid, email, name, created_at as "createdAt", deactivated_at as "deactivatedAt",
    password_changed_at as "passwordChangedAt", totp_confirmed_at is not null as "hasTotp",
    (select max(invitation.expires_at) from person_invitation invitation
      where invitation.person_guid = person.guid and invitation.used_at is null
        and invitation.expires_at > ${now}) as "invitedUntil",
    coalesce((
      select json_agg(json_build_object('guid', held.guid, 'role', held.role,
        'managementGroupGuid', held.management_group_guid,
        'restaurantGuid', held.restaurant_guid, 'partnerGuid', held.partner_guid,
        'givenAt', held.given_at, 'givenBy', held.given_by,
        'groupOfRestaurantGuid', (select place.management_group_guid from restaurant place
          where place.guid = held.restaurant_guid))
        order by held.given_at, held.guid)
      from person_role held where held.person_guid = person.guid
    ), '[]') as roles`;
}

function isReachedPerson(sql: Sql, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`exists (
    select from person_role held
    where held.person_guid = person.guid and ${isAtReachedPlace(sql, sql`held`, reach)})`;
}

function withTimes(row: PersonRow): PersonRow {
  const roles = row.roles.map((role) => ({ ...role, givenAt: new Date(role.givenAt) }));
  return { ...row, roles };
}

export type NewPerson = Pick<PersonRow, 'guid' | 'email' | 'name' | 'createdAt'>;

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
  await sql.touching(['names:all'])`update person set name = ${name} where guid = ${guid}`;
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

export type NewRole = Omit<HeldRole, 'groupOfRestaurantGuid'>;

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
