import type { Sql } from '@servery/postgres/sql.ts';

/** What a process knew at its last look; empty before the first. */
export interface KnownMarks {
  readonly snapshot: string;
  readonly total: string;
}

export interface Marks {
  /** Which transactions are seen: while it is the same, nothing has changed at all. */
  readonly snapshot: string;
  /** Grows with every change, and with nothing else. Null if `snapshot` has not changed. */
  readonly total: string | null;
  /** Null if `total` has not changed. */
  readonly revisions: readonly string[] | null;
  /** Changes after a failover or a restart. */
  readonly serverStartedAt: string;
  /** Whether the database is a coordinator: rows of its workers may appear after its counters. */
  readonly isCluster: boolean;
}

type MarksRow = Omit<Marks, 'revisions'> & { readonly revisions: string | null };

export interface Revision {
  readonly bucket: number;
  readonly revision: string;
}

export async function listMarks(sql: Sql, known: KnownMarks): Promise<Marks> {
  const [row] = await sql<[MarksRow]>`
    select snapshot, total,
      extract(epoch from pg_postmaster_start_time())::text as "serverStartedAt",
      to_regclass('pg_dist_transaction') is not null as "isCluster",
      case when total <> ${known.total} then (
        select string_agg(revision::text, ' ' order by bucket) from change_mark
      ) end as revisions
    from (
      select snapshot, case when snapshot <> ${known.snapshot} then (
        select sum(revision)::text from change_mark
      ) end as total
      from (select pg_current_snapshot()::text as snapshot) as seen
      -- Keeps PostgreSQL from summing once for each use of the total.
      offset 0
    ) as summed`;
  return { ...row, revisions: row.revisions?.split(' ') ?? null };
}

/**
 * Of a cluster: all transactions with a lower number have ended on the workers, too. The coordinator
 * commits first, and keeps a row for each transaction until it has seen that the workers have none
 * of it left.
 */
export async function findSettled(sql: Sql): Promise<bigint> {
  const [row] = await sql<[{ settled: string }]>`
    select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      - coalesce(max(age(xmin)), 0))::text as settled
    from pg_dist_transaction`;
  return BigInt(row.settled);
}

/**
 * Selected, so that PostgreSQL keeps the plan of the statement: for an array that it sees it makes a
 * new one each time, which takes three times as long as the statement.
 */
const listed = (sql: Sql, buckets: readonly number[]) =>
  sql`(select string_to_array(${buckets.join(' ')}, ' ')::smallint[])::smallint[]`;

/** A row of a statement with `revisionsSeen`. */
export type Seeing<Row> = Row & { readonly seen: string | null };

/**
 * What `listRevisions` finds, as a text column of another statement, so that what is read needs no
 * second statement to be confirmed. Null without buckets.
 */
export const revisionsSeen = (sql: Sql, buckets: readonly number[] | undefined) =>
  buckets === undefined
    ? sql`null::text`
    : sql`(select string_agg(bucket || ' ' || revision, ',') from change_mark
        where bucket = any(${listed(sql, buckets)}))`;

export function readRevisions(seen: string): Revision[] {
  return seen.split(',').map((pair) => {
    const [bucket = '', revision = ''] = pair.split(' ');
    return { bucket: Number(bucket), revision };
  });
}

export async function listRevisions(sql: Sql, buckets: readonly number[]): Promise<Revision[]> {
  return await sql<Revision[]>`
    select bucket, revision::text from change_mark
    where bucket = any(${listed(sql, buckets)})`;
}

/**
 * Locks counters in one order, so that transactions cannot deadlock. Sends the statement before it
 * returns, so that a COMMIT can follow at once.
 */
export function updateMarks(sql: Sql, buckets: readonly number[]): Promise<Revision[]> {
  const statement = sql<Revision[]>`
    with raised as (
      select bucket from change_mark
      where bucket = any(${listed(sql, buckets)})
      order by bucket for no key update
    )
    update change_mark set revision = revision + 1
    from raised where change_mark.bucket = raised.bucket
    returning change_mark.bucket, change_mark.revision::text as revision`;
  return statement.then((rows) => rows);
}

export async function updateAllMarks(sql: Sql): Promise<void> {
  await sql`update change_mark set revision = revision + 1`;
}
