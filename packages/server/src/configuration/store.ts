import type { CollectionName, ReferenceField } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Sight } from '../freshness/cache.ts';
import { revisionsSeen, type Seeing } from '../freshness/change-mark-store.ts';
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

/** Recent objects, up to which they are found by their times. */
const FEW_RECENT = 1_000;

type SnapshotRow = Seeing<{ readonly publishNumber: number; readonly content: string }>;

/** A single statement sees one moment, so that no page mixes two publications (CFG-8, CFG-9). */
export async function findSnapshot(
  sql: Sql,
  address: CollectionAddress,
  selection: Selection,
  sight: Sight | null = null,
): Promise<Snapshot> {
  const [row] = await sql<SnapshotRow[]>`
    select publish_number as "publishNumber", ${snapshotContent(sql, address, selection)} as content,
      ${revisionsSeen(sql, sight?.buckets)} as seen
    from restaurant
    where guid = ${address.restaurantGuid}`;
  if (!row) throw new Error('the restaurant of a snapshot does not exist');
  sight?.saw(row.seen);
  return readSnapshot(row);
}

export function readSnapshot({
  publishNumber,
  content,
}: Pick<SnapshotRow, 'publishNumber' | 'content'>): Snapshot {
  return { publishNumber, ...(JSON.parse(content) as Omit<Snapshot, 'publishNumber'>) };
}

/**
 * A column with the rest of a `Snapshot`, as JSON: the driver takes longer for rows than for one
 * long text.
 */
export function snapshotContent(
  sql: Sql,
  { restaurantGuid, collection, references }: CollectionAddress,
  selection: Selection,
) {
  const targets =
    references.length === 0 ? sql`''` : sql`(${targetList(sql, restaurantGuid, references)})`;
  return sql`(
    with object as materialized (${selectedObjects(sql, { restaurantGuid, collection }, selection)})
    select concat('{"objects":[', string_agg(concat('{"guid":"', guid,
        '","externalId":', coalesce(to_json(external_id)::text, 'null'),
        ',"fields":', fields, '}'), ',' order by guid),
      '],"targets":[', ${targets}, ']}')
    from object
  )`;
}

function selectedObjects(
  sql: Sql,
  { restaurantGuid, collection }: Omit<CollectionAddress, 'references'>,
  selection: Selection,
) {
  const columns = sql`guid, external_id, fields`;
  const isInCollection = sql`restaurant_guid = ${restaurantGuid} and collection = ${collection}`;
  const page = sql`
    select ${columns} from configuration_object
    where ${isInCollection} and not archived ${restriction(sql, selection)}`;
  if ('guid' in selection || selection.modifiedAfter === null) return page;
  const { afterGuid, modifiedAfter, limit } = selection;
  // Few recent objects are found by their times, many among all by GUID. With one plan for both,
  // PostgreSQL would read all objects of the collection to find that none is recent.
  return sql`
    with recent as materialized (
      select guid, archived from configuration_object
      where ${isInCollection} and modified_at > ${modifiedAfter}::text::timestamptz
        -- With a bound above, too, the planner expects few and takes the index by time.
        and modified_at < 'infinity'
      order by modified_at
      limit ${FEW_RECENT + 1}
    )
    select ${columns} from (
      select guid as recent_guid from recent
      where not archived ${afterGuid === null ? sql`` : sql`and guid > ${afterGuid}`}
        and (select count(*) from recent) <= ${FEW_RECENT}
      order by guid
      limit ${limit}
    ) as few
    cross join lateral (
      select ${columns} from configuration_object
      where ${isInCollection} and guid = recent_guid
      limit 1
    ) as stored
    union all (
      select * from (${page}) as page where (select count(*) from recent) > ${FEW_RECENT}
    )`;
}

/**
 * The lengths of the lists are hidden from the planner: otherwise it makes a new plan each time,
 * which takes longer than the read.
 */
function targetList(sql: Sql, restaurantGuid: string, references: readonly ReferenceField[]) {
  const fields = references.map((reference) => reference.field);
  const targets = references.map((reference) => reference.target);
  const embedded = references.filter(({ embed }) => embed).map(({ target }) => target);
  return sql`
    select string_agg(json_build_object('collection', target.collection, 'guid', target.guid,
      'externalId', target.external_id, 'fields',
      case when target.collection = any((select ${embedded}::text[])::text[]) then target.fields end
    )::text, ',')
    from (
      select distinct stored.target as collection, target_guid::uuid as guid
      from (
        select reference.target, fields -> reference.field as value
        from object
        cross join unnest((select ${fields}::text[]), (select ${targets}::text[]))
          as reference (field, target)
        -- Keeps PostgreSQL from parsing the fields again for each use of the value.
        offset 0
      ) as stored
      cross join lateral json_array_elements_text(
        case left(stored.value::text, 1)
          when '[' then stored.value
          when '"' then json_build_array(stored.value)
        end
      ) as target_guid
      where stored.value::text <> '[]'
    ) as wanted
    cross join lateral (
      select collection, guid, external_id, fields, archived
      from configuration_object
      where restaurant_guid = ${restaurantGuid}
        and collection = wanted.collection
        and guid = wanted.guid
      -- Keeps to the primary key, also while the planner has no statistics to choose by.
      limit 1
    ) as target
    where not target.archived`;
}

export async function findTipWithholding(
  sql: Sql,
  restaurantGuid: string,
  sight: Sight | null,
): Promise<ObjectRow | null> {
  const [row] = await sql<Seeing<ObjectRow>[]>`
    select guid, external_id as "externalId", fields, ${revisionsSeen(sql, sight?.buckets)} as seen
    from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = 'tipWithholding' and not archived
    order by guid
    limit 1`;
  sight?.saw(row?.seen ?? null);
  return row ?? null;
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
