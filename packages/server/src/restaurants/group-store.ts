import type { ManagementGroup } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Reach } from '../reach/reach.ts';
import { isReachedGroup } from '../reach/reach-store.ts';

export interface ManagementGroupRow extends Omit<ManagementGroup, 'createdAt' | 'modifiedAt'> {
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export interface OrganizationFilter {
  readonly reach: Reach;
  readonly archived?: boolean;
  readonly search?: string;
}

export interface NamePlace {
  readonly name: string;
  readonly guid: string;
}

export interface Placed {
  readonly orderName: string;
}

/** Cut to fit into a page token; real names differ much earlier. */
export const orderName = (sql: Sql) => sql`left(name, 60)`;

export function isAfter(sql: Sql, after: NamePlace | null) {
  return after
    ? sql`and (${orderName(sql)}, guid) > (${after.name}::text, ${after.guid}::uuid)`
    : sql``;
}

export function isArchived(sql: Sql, archived: boolean | undefined) {
  return archived === undefined ? sql`` : sql`and archived = ${archived}`;
}

const groupColumns = (sql: Sql) => sql`
  guid, name, archived, version, created_at as "createdAt",
  coalesce(modified_at, created_at) as "modifiedAt"`;

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

const groupOf = (sql: Sql, guid: string, reach: Reach) => sql`
  select ${groupColumns(sql)} from management_group
  where guid = ${guid} and ${isReachedGroup(sql, sql`guid`, reach)}`;

export async function findGroup(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<ManagementGroupRow | null> {
  const [row] = await sql<ManagementGroupRow[]>`${groupOf(sql, guid, reach)}`;
  return row ?? null;
}

/** Blocks changes of the group, and transactions that depend on it. */
export async function findGroupLocked(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<ManagementGroupRow | null> {
  const [row] = await sql<ManagementGroupRow[]>`${groupOf(sql, guid, reach)} for no key update`;
  return row ?? null;
}

/** Blocks only changes of the group. */
export async function findGroupHeld(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<ManagementGroupRow | null> {
  const [row] = await sql<ManagementGroupRow[]>`${groupOf(sql, guid, reach)} for share`;
  return row ?? null;
}

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

export async function findLiveRestaurantName(sql: Sql, groupGuid: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select name from restaurant
    where management_group_guid = ${groupGuid} and not archived
    order by name, guid limit 1`;
  return row?.name ?? null;
}
