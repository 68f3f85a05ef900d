import type { Sql } from '../database/database.ts';
import type { Reach } from '../reach/reach.ts';
import type { RoleRow } from './session-store.ts';

export interface HeldRole extends RoleRow {
  readonly givenAt: Date;
  readonly givenBy: string;
  readonly groupOfRestaurantGuid: string | null;
}

export interface PersonRow {
  readonly guid: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
  readonly passwordChangedAt: Date | null;
  readonly hasTotp: boolean;
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
    where ${isReached(sql, reach)} ${activity} ${behind}
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

function isReached(sql: Sql, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  const [groups, restaurants, partners] = [
    reach.groupGuids.join(' '),
    reach.restaurantGuids.join(' '),
    reach.partnerGuids.join(' '),
  ];
  return sql`exists (
    select from person_role held left join restaurant place on place.guid = held.restaurant_guid
    where held.person_guid = person.guid and (
      coalesce(held.management_group_guid, place.management_group_guid) =
        any(string_to_array(${groups}, ' ')::uuid[])
      or held.restaurant_guid = any(string_to_array(${restaurants}, ' ')::uuid[])
      or held.partner_guid = any(string_to_array(${partners}, ' ')::uuid[])))`;
}

function withTimes(row: PersonRow): PersonRow {
  const roles = row.roles.map((role) => ({ ...role, givenAt: new Date(role.givenAt) }));
  return { ...row, roles };
}
