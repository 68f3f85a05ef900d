import type postgres from 'postgres';

type Sql = postgres.Sql;

/** A delivery as the ceiling has it: which path it goes to, and its number there. */
export interface Queued {
  readonly path: number;
  readonly number: number;
  readonly guid: string;
  readonly body: string;
}

export interface Posted extends Pick<Queued, 'path' | 'number'> {
  readonly url: string;
  readonly status: number;
  readonly answer: string;
  readonly durationMs: number;
}

/**
 * Makes the smallest tables that can hold a queue and its attempts, and fills the queue. A delivery
 * is found by its GUID, and an attempt has the address, the status, and the answer.
 */
export async function insertQueue(
  sql: Sql,
  { paths, count, body }: { readonly paths: number; readonly count: number; readonly body: string },
): Promise<void> {
  await sql`drop table if exists bench_delivery, bench_attempt`;
  await sql`
    create table bench_delivery (path integer, number integer, guid uuid not null unique,
      body text not null,
      leased_until timestamptz, finished_at timestamptz, primary key (number, path))
    with (fillfactor = 45)`;
  await sql`
    create index on bench_delivery (number, path) where finished_at is null`;
  await sql`
    create table bench_attempt (path integer, number integer, at timestamptz not null,
      url text not null, status integer not null, answer text, duration_ms integer not null,
      primary key (number, path))`;
  await sql`
    insert into bench_delivery (path, number, guid, body)
    select path, number, uuidv7(), ${body}
    from generate_series(1, ${count}::integer) number, generate_series(0, ${paths - 1}::integer) path
    order by number, path`;
  await sql`analyze bench_delivery`;
}

const LEASE_MS = 60_000;

/** Does not wait for the disk, as the product's claim. */
export async function claimBatch(sql: Sql, limit: number): Promise<Queued[]> {
  const nowMs = performance.timeOrigin + performance.now();
  const [now, until] = [new Date(nowMs), new Date(nowMs + LEASE_MS)];
  return await sql<Queued[]>`
    with quick as materialized (select set_config('synchronous_commit', 'off', true)),
    free as (
      select d.ctid as place from quick, bench_delivery d
      where finished_at is null and (leased_until is null or leased_until <= ${now})
      order by number, path limit ${limit} for no key update of d skip locked
    )
    update bench_delivery d set leased_until = ${until}
    from free where d.ctid = free.place
    returning d.path, d.number, d.guid, d.body`;
}

export async function recordBatch(sql: Sql, posted: readonly Posted[]): Promise<void> {
  const at = new Date(performance.timeOrigin + performance.now());
  await sql`
    with done as (
      select * from jsonb_to_recordset(${sql.json(posted as never)}) as row (path integer,
        number integer, url text, status integer, answer text, "durationMs" integer)
      limit ${posted.length}
    ), updated as (
      update bench_delivery d set finished_at = ${at}, leased_until = null
      from done where d.number = done.number and d.path = done.path
    )
    insert into bench_attempt (path, number, at, url, status, answer, duration_ms)
    select path, number, ${at}::timestamptz, url, status, answer, "durationMs" from done`;
}
