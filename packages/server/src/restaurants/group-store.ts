import type { Sql } from '../database/database.ts';
import type { Reach } from '../reach/reach.ts';
import { isReachedGroup } from '../reach/reach-store.ts';

/** A management group as stored. */
export interface ManagementGroupRow {
  readonly guid: string;
  readonly name: string;
  readonly archived: boolean;
  /** Raised by each change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

/** Which management groups or restaurants a list holds. */
export interface OrganizationFilter {
  readonly reach: Reach;
  readonly archived?: boolean;
  /** A text in the name. */
  readonly search?: string;
}

/** The last one of a page: lists are in the order of names. */
export interface NamePlace {
  /** As much of the name as the order looks at. */
  readonly name: string;
  readonly guid: string;
}

/** A row of a list with what its order looks at. */
export interface Placed {
  readonly orderName: string;
}

/**
 * What lists are ordered by, beside the GUID: as much of the name as fits into a page token. Names
 * of one restaurant group differ much earlier.
 */
export const orderName = (sql: Sql) => sql`left(name, 60)`;

/** The condition that a row comes after the last one of a page. */
export function isAfter(sql: Sql, after: NamePlace | null) {
  return after
    ? sql`and (${orderName(sql)}, guid) > (${after.name}::text, ${after.guid}::uuid)`
    : sql``;
}

/** The condition that a row is archived, or is not; none for undefined. */
export function isArchived(sql: Sql, archived: boolean | undefined) {
  return archived === undefined ? sql`` : sql`and archived = ${archived}`;
}

const groupColumns = (sql: Sql) => sql`
  guid, name, archived, version, created_at as "createdAt",
  coalesce(modified_at, created_at) as "modifiedAt"`;

/** Lists groups that are reached as a whole by name, at most `limit` after the place. */
export async function listGroups(
  sql: Sql,
  { reach, archived, search }: OrganizationFilter,
  after: NamePlace | null,
  limit: number,
): Promise<(ManagementGroupRow & Placed)[]> {
  const isFound = search === undefined ? sql`` : sql`and strpos(lower(name), lower(${search})) > 0`;
  return await sql<(ManagementGroupRow & Placed)[]>`
    select ${groupColumns(sql)}, ${orderName(sql)} as "orderName" from management_group
    where ${isReachedGroup(sql, sql`guid`, reach)} ${isArchived(sql, archived)} ${isFound}
      ${isAfter(sql, after)}
    order by ${orderName(sql)}, guid
    limit ${limit}`;
}

/** Finds a group that is reached as a whole; null when there is none. */
export async function findGroup(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<ManagementGroupRow | null> {
  const [row] = await sql<ManagementGroupRow[]>`
    select ${groupColumns(sql)} from management_group
    where guid = ${guid} and ${isReachedGroup(sql, sql`guid`, reach)}`;
  return row ?? null;
}

/** The same, and whoever changes the group or relies on it waits until the transaction ends. */
export async function findGroupLocked(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<ManagementGroupRow | null> {
  const [row] = await sql<ManagementGroupRow[]>`
    select ${groupColumns(sql)} from management_group
    where guid = ${guid} and ${isReachedGroup(sql, sql`guid`, reach)} for no key update`;
  return row ?? null;
}

/** The same, and only others who change the group wait: it stays as it is. */
export async function findGroupHeld(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<ManagementGroupRow | null> {
  const [row] = await sql<ManagementGroupRow[]>`
    select ${groupColumns(sql)} from management_group
    where guid = ${guid} and ${isReachedGroup(sql, sql`guid`, reach)} for share`;
  return row ?? null;
}

/** Changes a group that is locked; gives it as it is then. */
export async function updateGroup(
  sql: Sql,
  { guid, name, archived }: Pick<ManagementGroupRow, 'guid' | 'name' | 'archived'>,
  now: Date,
): Promise<ManagementGroupRow> {
  const [row] = await sql<[ManagementGroupRow]>`
    update management_group
    set name = ${name}, archived = ${archived}, version = version + 1, modified_at = ${now}
    where guid = ${guid}
    returning ${groupColumns(sql)}`;
  return row;
}

/** Finds a restaurant of a group that is not archived; null when all of them are. */
export async function findLiveRestaurantName(sql: Sql, groupGuid: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select name from restaurant
    where management_group_guid = ${groupGuid} and not archived
    order by name, guid limit 1`;
  return row?.name ?? null;
}
