import type { ReachedRestaurant } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { KnownPlace, Reach } from './reach.ts';
import { isAtReachedRestaurant } from './reach-store.ts';

type Reacher = Reach | { readonly partnerGuid: string };

export async function listReachedRestaurants(
  sql: Sql,
  reacher: Reacher,
  limit: number,
): Promise<{ readonly restaurants: ReachedRestaurant[]; readonly count: number }> {
  const [restaurants, [total]] = await Promise.all([
    sql<ReachedRestaurant[]>`
      select guid, name, archived from ${reached(sql, reacher)} as restaurant
      order by left(name, 60), guid
      limit ${limit}`,
    sql<[{ count: number }]>`${reachedCount(sql, reacher)}`,
  ]);
  return { restaurants, count: total.count };
}

function reachedCount(sql: Sql, reacher: Reacher) {
  if ('isPlatform' in reacher) {
    return sql`select count(*)::integer as count from restaurant
      where ${isAtReachedRestaurant(sql, sql`guid`, reacher)}`;
  }
  return sql`select coalesce(sum(connections), 0)::integer as count from partner_counter
    where partner_guid = ${reacher.partnerGuid}`;
}

/** With a limit of one, PostgreSQL looks up a partner's restaurants by key. */
function reached(sql: Sql, reacher: Reacher) {
  if ('isPlatform' in reacher) {
    return sql`(select guid, name, archived from restaurant
      where ${isAtReachedRestaurant(sql, sql`guid`, reacher)})`;
  }
  return sql`(
    select known.* from connection
    cross join lateral (
      select guid, name, archived from restaurant where guid = connection.restaurant_guid limit 1
    ) as known
    where partner_guid = ${reacher.partnerGuid} and removed_at is null)`;
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
