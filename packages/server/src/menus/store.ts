import type { Sql } from '../database/database.ts';
import type { Sight } from '../freshness/cache.ts';
import { revisionsSeen, type Seeing } from '../freshness/change-mark-store.ts';

export interface PublishedMenus {
  readonly lastUpdated: Date;
  /** The document without its `lastUpdated`. */
  readonly content: string;
  /** JSON: what prices of orders depend on and the document does not tell. */
  readonly supplement: string;
}

/** Null if no menu is published. */
export async function findMenus(
  sql: Sql,
  restaurantGuid: string,
  sight: Sight | null = null,
): Promise<PublishedMenus | null> {
  const [row] = await sql<Seeing<PublishedMenus>[]>`
    select last_updated as "lastUpdated", content, supplement::text as supplement,
      ${revisionsSeen(sql, sight?.buckets)} as seen
    from published_menus where restaurant_guid = ${restaurantGuid} and content is not null`;
  sight?.saw(row?.seen ?? null);
  return row ?? null;
}

/** Null if no menu is published. */
export async function findLastUpdated(
  sql: Sql,
  restaurantGuid: string,
  sight: Sight | null = null,
): Promise<Date | null> {
  const [row] = await sql<Seeing<Pick<PublishedMenus, 'lastUpdated'>>[]>`
    select last_updated as "lastUpdated", ${revisionsSeen(sql, sight?.buckets)} as seen
    from published_menus where restaurant_guid = ${restaurantGuid} and content is not null`;
  sight?.saw(row?.seen ?? null);
  return row?.lastUpdated ?? null;
}

export interface RecordedMenus {
  readonly lastUpdated: Date;
  readonly digest: string | null;
  readonly supplement: string;
}

/** Null if no menu was ever published. */
export async function findRecordedMenus(
  sql: Sql,
  restaurantGuid: string,
): Promise<RecordedMenus | null> {
  const [row] = await sql<RecordedMenus[]>`
    select last_updated as "lastUpdated", digest, supplement::text as supplement
    from published_menus where restaurant_guid = ${restaurantGuid}`;
  return row ?? null;
}

export async function upsertMenus(
  sql: Sql,
  restaurantGuid: string,
  { lastUpdated, digest, supplement }: RecordedMenus,
  content: string | null,
): Promise<void> {
  await sql.touching([`menus:${restaurantGuid}`])`
    insert into published_menus (restaurant_guid, last_updated, content, digest, supplement)
    values (${restaurantGuid}, ${lastUpdated}, ${content}, ${digest}, ${supplement}::text::json)
    on conflict (restaurant_guid) do update
    set last_updated = excluded.last_updated,
      content = excluded.content,
      digest = excluded.digest,
      supplement = excluded.supplement`;
}

export async function updateSupplement(
  sql: Sql,
  restaurantGuid: string,
  supplement: string,
): Promise<void> {
  await sql.touching([`menus:${restaurantGuid}`])`
    update published_menus set supplement = ${supplement}::text::json
    where restaurant_guid = ${restaurantGuid}`;
}
