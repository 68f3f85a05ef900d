import type { Sql } from '@servery/postgres/sql.ts';
import { EVERYTHING } from './subjects.ts';

/** As of a process's last look. */
export interface KnownMarks {
  /** Which transactions are seen: while it is the same, nothing has changed at all. */
  readonly snapshot: string;
  /** Changes after a failover, a restart, or a crash. */
  readonly serverStartedAt: string;
}

export interface Marks extends KnownMarks {
  /** The counters that were raised since the last look; of another server, all that ever were. */
  readonly raised: readonly Revision[];
  /** Whether the database is a coordinator: rows of its workers may appear after its counters. */
  readonly isCluster: boolean;
}

type MarksRow = Omit<Marks, 'raised'> & { readonly raised: string | null };

/** Knows nothing: every counter is new. */
export const NO_MARKS: KnownMarks = { snapshot: '1:1:', serverStartedAt: '' };

export interface Revision {
  readonly bucket: number;
  /** How often it was raised. */
  readonly revision: number;
}

export async function listMarks(sql: Sql, known: KnownMarks): Promise<Marks> {
  const [row] = await sql<[MarksRow]>`
    select snapshot, "serverStartedAt", to_regclass('pg_dist_transaction') is not null as "isCluster",
      case when snapshot <> ${known.snapshot} or "serverStartedAt" <> ${known.serverStartedAt} then (
        ${raisedSince(sql, known)}
      ) end as raised
    from (
      select pg_current_snapshot()::text as snapshot, ${serverStartedAt(sql)} as "serverStartedAt"
    ) as seen`;
  return { ...row, raised: readRevisions(row.raised ?? '') };
}

/**
 * After a crash of a session, PostgreSQL recovers without a new start. It resets its statistics then,
 * and may give numbers of transactions again that it did not commit.
 */
export const serverStart = (sql: Sql) =>
  sql`greatest(pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`;

export const serverStartedAt = (sql: Sql) => sql`extract(epoch from ${serverStart(sql)})::text`;

/**
 * A transaction that was not seen at the last look has at least the number at which its snapshot
 * begins. The upper end, which no number reaches, tells the planner that only few rows are wanted.
 */
const raisedSince = (sql: Sql, known: KnownMarks) => sql`
  select string_agg(bucket || ' ' || revision, ',') from change_mark
  where changed_in between
    case when ${serverStartedAt(sql)} = ${known.serverStartedAt}
      then pg_snapshot_xmin(${known.snapshot}::text::pg_snapshot) else '0'::xid8 end
    and '18446744073709551615'::xid8`;

/** What `listMarks` finds raised. */
export async function listRaised(sql: Sql, known: KnownMarks): Promise<readonly Revision[]> {
  const [row] = await sql<[{ raised: string | null }]>`
    select (${raisedSince(sql, known)}) as raised`;
  return readRevisions(row.raised ?? '');
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
  sql`(select string_to_array(${buckets.join(' ')}, ' ')::integer[])::integer[]`;

/** A row of a statement with `revisionsSeen`. */
export type Seeing<Row> = Row & { readonly seen: string | null };

/**
 * What `listRevisions` finds, as a text column of another statement, so that what is read needs no
 * second statement to be confirmed. Null without buckets.
 */
export const revisionsSeen = (sql: Sql, buckets: readonly number[] | undefined) =>
  buckets === undefined
    ? sql`null::text`
    : sql`coalesce((select string_agg(bucket || ' ' || revision, ',') from change_mark
        where bucket = any(${listed(sql, [EVERYTHING, ...buckets])})), '')`;

export function readRevisions(seen: string): Revision[] {
  if (seen === '') return [];
  return seen.split(',').map((pair) => {
    const [bucket = '', revision = ''] = pair.split(' ');
    return { bucket: Number(bucket), revision: Number(revision) };
  });
}

/** With those of `EVERYTHING`. A counter that was never raised has no row. */
export async function listRevisions(
  sql: Sql,
  buckets: readonly number[],
): Promise<readonly Revision[]> {
  const [row] = await sql<[{ seen: string }]>`select ${revisionsSeen(sql, buckets)} as seen`;
  return readRevisions(row.seen);
}

/**
 * Locks counters in one order, so that transactions cannot deadlock. Sends the statement before it
 * returns, so that a COMMIT can follow at once.
 */
export function updateMarks(sql: Sql, buckets: readonly number[]): Promise<Revision[]> {
  const statement = sql<{ bucket: number; revision: string }[]>`
    insert into change_mark (bucket, revision, changed_in)
    select bucket, 1, pg_current_xact_id()
    from unnest(${listed(sql, buckets)}) as raised (bucket)
    order by bucket
    on conflict (bucket) do update
      set revision = change_mark.revision + 1, changed_in = excluded.changed_in
    returning bucket, revision::text`;
  return statement.then((rows) =>
    rows.map(({ bucket, revision }) => ({ bucket, revision: Number(revision) })),
  );
}

export async function updateEverything(sql: Sql): Promise<void> {
  await updateMarks(sql, [EVERYTHING]);
}
