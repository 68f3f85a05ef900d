import type { CollectionName, ReferenceField } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Sight } from '../freshness/cache.ts';
import { revisionsSeen } from '../freshness/change-mark-store.ts';
import type { Instant } from '../http/timestamps.ts';
import type { ObjectContents } from './document/contents.ts';

export type ObjectRow = Pick<ObjectContents, 'guid' | 'externalId' | 'fields'>;

export interface TargetRow extends Omit<ObjectRow, 'fields'> {
  readonly collection: CollectionName;
  readonly fields: ObjectRow['fields'] | null;
}

export interface Snapshot {
  readonly publishNumber: number;
  readonly objects: readonly ObjectRow[];
  readonly targets: readonly TargetRow[];
}

export type Selection =
  | { readonly guid: string }
  | {
      readonly afterGuid: string | null;
      readonly modifiedAfter: Instant | null;
      readonly limit: number;
    };

export interface CollectionAddress {
  readonly restaurantGuid: string;
  readonly collection: CollectionName;
  readonly references: readonly ReferenceField[];
}

interface SnapshotRow extends Omit<TargetRow, 'collection'> {
  readonly part: 'object' | 'restaurant' | 'target';
  readonly collection: CollectionName | null;
  readonly publishNumber: number | null;
  /** On the row of the restaurant. */
  readonly seen: string | null;
}

/** A single statement sees one moment, so that no page mixes two publications (CFG-8, CFG-9). */
export async function findSnapshot(
  sql: Sql,
  address: CollectionAddress,
  selection: Selection,
  sight: Sight | null = null,
): Promise<Snapshot> {
  const { restaurantGuid, collection, references } = address;
  const fields = references.map((reference) => reference.field);
  const targets = references.map((reference) => reference.target);
  const embedded = references.filter(({ embed }) => embed).map(({ target }) => target);
  const rows = await sql<SnapshotRow[]>`
    with object as materialized (
      select guid, external_id, fields
      from configuration_object
      where restaurant_guid = ${restaurantGuid}
        and collection = ${collection}
        and not archived
        ${restriction(sql, selection)}
    ), wanted as (
      select distinct reference.target as collection, target_guid::uuid as guid
      from object
      cross join unnest(${fields}::text[], ${targets}::text[]) as reference (field, target)
      cross join lateral json_array_elements_text(
        case json_typeof(object.fields -> reference.field)
          when 'array' then object.fields -> reference.field
          when 'string' then json_build_array(object.fields -> reference.field)
          else '[]'
        end
      ) as target_guid
    )
    select 'object' as part, null as collection, guid, external_id as "externalId", fields,
      null::integer as "publishNumber", null as seen
    from object
    union all
    select 'target', target.collection, target.guid, target.external_id,
      case when target.collection = any(${embedded}::text[]) then target.fields end, null, null
    from wanted
    cross join lateral (
      select collection, guid, external_id, fields, archived
      from configuration_object
      where restaurant_guid = ${restaurantGuid}
        and collection = wanted.collection
        and guid = wanted.guid
      -- Keeps to the primary key, also while the planner has no statistics to choose by.
      limit 1
    ) as target
    where not target.archived
    union all
    select 'restaurant', null, guid, null, null, publish_number,
      ${revisionsSeen(sql, sight?.buckets)}
    from restaurant
    where guid = ${restaurantGuid}
    order by part, guid`;
  sight?.saw(rows.find(({ part }) => part === 'restaurant')?.seen ?? null);
  return snapshotOf(rows);
}

export async function findTipWithholding(
  sql: Sql,
  restaurantGuid: string,
): Promise<ObjectRow | null> {
  const rows = await sql<ObjectRow[]>`
    select guid, external_id as "externalId", fields
    from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = 'tipWithholding' and not archived
    order by guid
    limit 1`;
  return rows[0] ?? null;
}

/** One condition for each case, so that each uses the primary key. */
function restriction(sql: Sql, selection: Selection) {
  if ('guid' in selection) return sql`and guid = ${selection.guid}`;
  const { afterGuid, modifiedAfter, limit } = selection;
  return sql`
    ${afterGuid === null ? sql`` : sql`and guid > ${afterGuid}`}
    ${modifiedAfter === null ? sql`` : sql`and modified_at > ${modifiedAfter}::text::timestamptz`}
    order by guid
    limit ${limit}`;
}

function snapshotOf(rows: readonly SnapshotRow[]): Snapshot {
  const objects: ObjectRow[] = [];
  const targets: TargetRow[] = [];
  let publishNumber: number | null = null;
  for (const { part, collection, guid, externalId, fields, ...row } of rows) {
    if (part === 'restaurant') publishNumber = row.publishNumber;
    else if (collection !== null) targets.push({ collection, guid, externalId, fields });
    else if (fields !== null) objects.push({ guid, externalId, fields });
  }
  if (publishNumber === null) throw new Error('the restaurant of a snapshot does not exist');
  return { publishNumber, objects, targets };
}
