import type { ConnectablePartner, Partner } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Dated } from '../http/timestamps.ts';
import type { Reach } from '../reach/reach.ts';
import { isAtReachedRestaurant, isReachedGroup } from '../reach/reach-store.ts';
import type { NamedPlace } from './connection-store.ts';

export type PartnerRow = Dated<Partner>;

export interface PartnerFilter {
  readonly reach: Reach;
  readonly name?: string;
}

export async function listPartners(
  sql: Sql,
  { reach, name }: PartnerFilter,
  after: NamedPlace | null,
  limit: number,
): Promise<PartnerRow[]> {
  return await sql<PartnerRow[]>`
    select ${partnerColumns(sql)} from partner
    where ${isReachedPartner(sql, reach)} and ${isCalled(sql, name)} ${isBehind(sql, after)}
    order by lower(name), guid
    limit ${limit}`;
}

export async function listConnectablePartners(
  sql: Sql,
  { restaurantGuid, name }: { readonly restaurantGuid: string; readonly name?: string },
  after: NamedPlace | null,
  limit: number,
): Promise<ConnectablePartner[]> {
  return await sql<ConnectablePartner[]>`
    select guid, name, description, exists (
      select from connection
      where restaurant_guid = ${restaurantGuid} and partner_guid = partner.guid
        and removed_at is null
    ) as "isConnected"
    from partner
    where ${isCalled(sql, name)} ${isBehind(sql, after)}
    order by lower(name), guid
    limit ${limit}`;
}

export async function findPartner(
  sql: Sql,
  guid: string,
  reach: Reach,
): Promise<PartnerRow | null> {
  const [row] = await sql<PartnerRow[]>`
    select ${partnerColumns(sql)} from partner
    where guid = ${guid} and ${isReachedPartner(sql, reach)}`;
  return row ?? null;
}

export async function findPartnerLocked(sql: Sql, guid: string): Promise<PartnerRow | null> {
  const [row] = await sql<PartnerRow[]>`
    select ${partnerColumns(sql)} from partner where guid = ${guid} for no key update`;
  return row ?? null;
}

export async function listPartnersLocked(
  sql: Sql,
  guids: readonly string[],
): Promise<PartnerRow[]> {
  return await sql<PartnerRow[]>`
    select ${partnerColumns(sql)} from partner
    where guid = any(string_to_array(${guids.join(' ')}, ' ')::uuid[])
    order by guid
    for no key update`;
}

export async function insertPartner(sql: Sql, partner: PartnerRow): Promise<void> {
  await sql`
    insert into partner (guid, name, description, created_at)
    values (${partner.guid}, ${partner.name}, ${partner.description}, ${partner.createdAt})`;
}

export async function updatePartner(
  sql: Sql,
  { guid, name, description }: Omit<PartnerRow, 'createdAt'>,
): Promise<void> {
  await sql`
    update partner set name = ${name}, description = ${description} where guid = ${guid}`;
}

function partnerColumns(sql: Sql) {
  return sql`guid, name, description, created_at as "createdAt"`;
}

/** The partner itself, partners that a group lists, and partners ever connected to a restaurant. */
function isReachedPartner(sql: Sql, reach: Reach) {
  if (reach.isPlatform) return sql`true`;
  return sql`partner.guid in (
    select unnest(string_to_array(${reach.partnerGuids.join(' ')}, ' ')::uuid[])
    union
    select partner_guid from management_group_partner
    where ${isReachedGroup(sql, sql`management_group_guid`, reach)}
    union
    select partner_guid from connection
    where ${isAtReachedRestaurant(sql, sql`restaurant_guid`, reach)})`;
}

function isCalled(sql: Sql, name = '') {
  return name === '' ? sql`true` : sql`strpos(lower(partner.name), lower(${name})) > 0`;
}

function isBehind(sql: Sql, after: NamedPlace | null) {
  if (!after) return sql``;
  return sql`and (lower(partner.name), partner.guid) > (lower(${after.name}), ${after.guid}::uuid)`;
}
