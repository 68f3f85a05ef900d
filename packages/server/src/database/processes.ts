import { randomBytes } from 'node:crypto';
import { type Clock, monotonicMs } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { type Runner, runEvery } from '@servery/support/runner.ts';
import { revisionsSeen, serverStart } from '../freshness/change-mark-store.ts';
import type { Database, Sql } from './database.ts';

const HEARTBEAT_MS = 1_000;

/** The other processes forget one that has been silent this long. */
export const SILENCE_MS = 5_000;

const TRIAL_BYTES = 1_048_576;

export interface ProcessRegistry {
  readonly processId: string;
  /** When the newest heartbeat that the database has taken was written, in real time. */
  beatAtMs(): number;
  /** Known as of at most a second ago. */
  hasOthers(): boolean;
  /**
   * Null while the database takes writes. Otherwise the error of a statement, or that no heartbeat
   * has succeeded lately.
   */
  writeTrouble(): string | null;
  /** Calls `onOthers` each time the different addresses change. */
  announce(publicUrl: string, onOthers: (publicUrls: readonly string[]) => void): Promise<void>;
  /**
   * Comes right after a heartbeat, to one caller at a time. Jobs that can wait for it need no
   * connection beside the one of the heartbeat. Comes at once when the process stops.
   */
  afterBeat(): Promise<void>;
  stop(): Promise<void>;
}

export interface JoinOptions {
  readonly database: Database;
  readonly realClock: Clock;
  /** Null for a process without workers. */
  readonly groupId: string | null;
  readonly onError: (error: unknown) => void;
  readonly stopping?: AbortSignal;
}

/** Uses real time, so that moving a sandbox's clock makes no process look dead. */
export async function joinProcesses({
  database,
  realClock,
  groupId,
  onError,
  stopping,
}: JoinOptions): Promise<ProcessRegistry> {
  const processId = newGuid();
  const own = { processId, groupId: groupId ?? processId };
  let publicUrl: string | null = null;
  let onOtherUrls: (publicUrls: readonly string[]) => void = () => {};
  let toldUrls = '';
  let otherGroups = 0;
  let writtenAtMs = monotonicMs();
  let beatAtMs = 0;
  const beat = async () => {
    const beganAtMs = monotonicMs();
    const now = realClock.nowMs();
    const others = await recordHeartbeat(
      database.sql,
      { ...own, publicUrl },
      { now: new Date(now), silentSince: new Date(now - SILENCE_MS) },
    );
    beatAtMs = now;
    await tryWriting(database, processId);
    writtenAtMs = beganAtMs;
    otherGroups = others.processes;
    const { urls } = others;
    if (urls.join(' ') === toldUrls) return;
    toldUrls = urls.join(' ');
    if (urls.length > 0) onOtherUrls(urls);
  };
  await beat();
  const waiting: (() => void)[] = [];
  const beatForJobs = () => beat().finally(() => waiting.shift()?.());
  const runner: Runner = runEvery(HEARTBEAT_MS, beatForJobs, onError);
  stopping?.addEventListener('abort', () => {
    for (const begin of waiting.splice(0)) begin();
  });
  return {
    processId,
    beatAtMs: () => beatAtMs,
    hasOthers: () => otherGroups > 0,
    writeTrouble() {
      const trouble = database.writing.trouble();
      if (trouble !== null) return trouble;
      const silentMs = monotonicMs() - writtenAtMs;
      return silentMs > SILENCE_MS ? 'No write has come through for seconds.' : null;
    },
    async announce(url, onOthers) {
      publicUrl = url;
      onOtherUrls = onOthers;
      await beat();
    },
    async afterBeat() {
      if (stopping?.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    },
    async stop() {
      await runner.stop();
      await deleteProcess(database.sql, processId).catch(onError);
    },
  };
}

/** Warns of other addresses: partners would see tokens refused at random. */
export async function announceAddress(
  processes: ProcessRegistry,
  publicUrl: string,
  onProgress: (line: string) => void,
): Promise<void> {
  await processes.announce(publicUrl, (others) => {
    const urls = [publicUrl, ...others].join(', ');
    onProgress(
      `warning: servers on this database have different addresses (${urls}), so they refuse the ` +
        'tokens of each other: set SERVERY_PUBLIC_URL of all to the address that clients use',
    );
  });
}

/** Tries a write that needs new space. A heartbeat may fit into the space of its old row. */
async function tryWriting({ sql, writing }: Database, processId: string): Promise<void> {
  if (writing.trouble() === null) return;
  await updateTrial(sql, processId, randomBytes(TRIAL_BYTES));
  await updateTrial(sql, processId, null);
  writing.succeeded();
}

async function updateTrial(sql: Sql, processId: string, trial: Buffer | null): Promise<void> {
  await sql`update server_process set trial = ${trial} where process_id = ${processId}`;
}

interface OtherProcesses {
  /** Of other groups. */
  readonly processes: number;
  /** Addresses of theirs that differ from the own one; none before that is known. */
  readonly urls: readonly string[];
}

/** Also forgets silent processes. One statement, because every process sends it every second. */
async function recordHeartbeat(
  sql: Sql,
  own: { readonly processId: string; readonly groupId: string; readonly publicUrl: string | null },
  { now, silentSince }: { readonly now: Date; readonly silentSince: Date },
): Promise<OtherProcesses> {
  const [others] = await sql<[OtherProcesses]>`
    with forgotten as (
      delete from server_process
      where seen_at < ${silentSince} and process_id <> ${own.processId}
    ), beat as (
      insert into server_process
        (process_id, group_id, public_url, started_at, seen_at, database_started_at)
      values (${own.processId}, ${own.groupId}, ${own.publicUrl}, ${now}, ${now},
        ${serverStart(sql)})
      on conflict (process_id) do update
        set seen_at = excluded.seen_at, public_url = excluded.public_url,
          database_started_at = excluded.database_started_at
    )
    select count(*) filter (where group_id <> ${own.groupId})::int as processes,
      coalesce(array_agg(distinct public_url order by public_url)
        filter (where public_url <> ${own.publicUrl}), '{}') as urls
    from server_process where seen_at >= ${silentSince}`;
  return others;
}

export interface Heartbeat {
  readonly seenAt: Date;
  /** Of the server that has taken it, as `Marks` has it. */
  readonly serverStartedAt: string;
  /** The counters of the same moment, as `revisionsSeen`. */
  readonly seen: string | null;
}

/** On a replica: the newest one that has come there, which brings these counters along. */
export async function findHeartbeat(
  sql: Sql,
  processId: string,
  buckets: readonly number[],
): Promise<Heartbeat | null> {
  const [row] = await sql<Heartbeat[]>`
    select seen_at as "seenAt", extract(epoch from database_started_at)::text as "serverStartedAt",
      ${revisionsSeen(sql, buckets)} as seen
    from server_process where process_id = ${processId}`;
  return row ?? null;
}

async function deleteProcess(sql: Sql, processId: string): Promise<void> {
  await sql`delete from server_process where process_id = ${processId}`;
}
