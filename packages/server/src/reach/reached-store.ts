import type { ReachedRestaurant } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { KnownPlace, Reach } from './reach.ts';
import { isAtReachedRestaurant } from './reach-store.ts';

type Reacher = Reach | { readonly partnerGuid: string };

/** By name. Of a partner's restaurants, those that connected first: to sort all of them takes long. */
export async function listReachedRestaurants(
  sql: Sql,
  reacher: Reacher,
  limit: number,
): Promise<ReachedRestaurant[]> {
  const reached =
    'isPlatform' in reacher
      ? sql`select guid, name, archived from restaurant
          where ${isAtReachedRestaurant(sql, sql`guid`, reacher)}
          order by left(name, 60), guid
          limit ${limit}`
      : sql`select guid, name, archived from (
            select restaurant_guid as guid from connection
            where partner_guid = ${reacher.partnerGuid} and removed_at is null
            order by created_at, restaurant_guid
            limit ${limit}
          ) as connected join restaurant using (guid)
          order by left(name, 60), guid`;
  return await sql<ReachedRestaurant[]>`${reached}`;
}

/** Leaves out what does not exist. */
export async function listPlaceNames(
  sql: Sql,
  guids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (guids.length === 0) return new Map();
  const wanted = sql`any(string_to_array(${guids.join(' ')}, ' ')::uuid[])`;
  const rows = await sql<{ guid: string; name: string }[]>`
    select guid, name from management_group where guid = ${wanted}
    union all select guid, name from restaurant where guid = ${wanted}
    union all select guid, name from partner where guid = ${wanted}`;
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}

/** Null when it does not exist. */
export async function findPlace(
  sql: Sql,
  kind: 'group' | 'restaurant' | 'partner',
  guid: string,
): Promise<KnownPlace | null> {
  if (kind === 'restaurant') {
    const [row] = await sql<{ managementGroupGuid: string }[]>`
      select management_group_guid as "managementGroupGuid" from restaurant where guid = ${guid}`;
    return row ? { kind, guid, ...row } : null;
  }
  const table = kind === 'group' ? sql`management_group` : sql`partner`;
  const rows = await sql`select from ${table} where guid = ${guid}`;
  return rows.length === 1 ? { kind, guid } : null;
}
