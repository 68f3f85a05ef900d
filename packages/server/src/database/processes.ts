import { randomBytes } from 'node:crypto';
import { type Clock, monotonicMs } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { type Runner, runEvery } from '@servery/support/runner.ts';
import type { Database, Sql } from './database.ts';

const HEARTBEAT_MS = 1_000;

/** The other processes forget one that has been silent this long. */
export const SILENCE_MS = 5_000;

const TRIAL_BYTES = 1_048_576;

export interface ProcessRegistry {
  /** Known as of at most a second ago. */
  hasOthers(): boolean;
  /**
   * Null while the database takes writes. Otherwise the error of a statement, or that no heartbeat
   * has succeeded lately.
   */
  writeTrouble(): string | null;
  /** Calls `onOthers` each time the different addresses change. */
  announce(publicUrl: string, onOthers: (publicUrls: readonly string[]) => void): Promise<void>;
  stop(): Promise<void>;
}

export interface JoinOptions {
  readonly database: Database;
  readonly realClock: Clock;
  /** Null for a process without workers. */
  readonly groupId: string | null;
  readonly onError: (error: unknown) => void;
}

/** Uses real time, so that moving a sandbox's clock makes no process look dead. */
export async function joinProcesses({
  database,
  realClock,
  groupId,
  onError,
}: JoinOptions): Promise<ProcessRegistry> {
  const processId = newGuid();
  const own = { processId, groupId: groupId ?? processId };
  let publicUrl: string | null = null;
  let onOtherUrls: (publicUrls: readonly string[]) => void = () => {};
  let toldUrls = '';
  let others = 0;
  let writtenAtMs = monotonicMs();
  const beat = async () => {
    const beganAtMs = monotonicMs();
    const now = realClock.nowMs();
    await upsertProcess(database.sql, { ...own, publicUrl }, new Date(now));
    await deleteSilentProcesses(database.sql, new Date(now - SILENCE_MS));
    await tryWriting(database, processId);
    writtenAtMs = beganAtMs;
    others = await findOtherProcesses(database.sql, own.groupId);
    const urls = publicUrl === null ? [] : await listOtherUrls(database.sql, publicUrl);
    if (urls.join(' ') === toldUrls) return;
    toldUrls = urls.join(' ');
    if (urls.length > 0) onOtherUrls(urls);
  };
  await beat();
  const runner: Runner = runEvery(HEARTBEAT_MS, beat, onError);
  return {
    hasOthers: () => others > 0,
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

async function upsertProcess(
  sql: Sql,
  own: { readonly processId: string; readonly groupId: string; readonly publicUrl: string | null },
  now: Date,
): Promise<void> {
  await sql`
    insert into server_process (process_id, group_id, public_url, started_at, seen_at)
    values (${own.processId}, ${own.groupId}, ${own.publicUrl}, ${now}, ${now})
    on conflict (process_id) do update
      set seen_at = excluded.seen_at, public_url = excluded.public_url`;
}

async function listOtherUrls(sql: Sql, publicUrl: string): Promise<string[]> {
  const rows = await sql<{ url: string }[]>`
    select distinct public_url as url from server_process
    where public_url <> ${publicUrl} order by public_url`;
  return rows.map(({ url }) => url);
}

async function deleteSilentProcesses(sql: Sql, silentSince: Date): Promise<void> {
  await sql`delete from server_process where seen_at < ${silentSince}`;
}

async function deleteProcess(sql: Sql, processId: string): Promise<void> {
  await sql`delete from server_process where process_id = ${processId}`;
}

async function findOtherProcesses(sql: Sql, groupId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from server_process where group_id <> ${groupId}`;
  return row.count;
}
