import type { Clock } from '../support/clock.ts';
import { newGuid } from '../support/ids.ts';
import { type Runner, runEvery } from '../support/runner.ts';
import type { Database, Sql } from './database.ts';

/** How often a process says that it lives, in milliseconds. */
const HEARTBEAT_MS = 1_000;

/** A process unseen for this long, in milliseconds, counts as gone. */
const SILENCE_MS = 5_000;

/** What one process knows of the others on its database. */
export interface ProcessRegistry {
  /**
   * True while a process lives on the database that is not of the same group, as of at most a
   * second ago.
   */
  hasOthers(): boolean;
  stop(): Promise<void>;
}

/** How a process joins. */
export interface JoinOptions {
  readonly database: Database;
  readonly realClock: Clock;
  /** A GUID of the workers that one process has started, which count together; null for none. */
  readonly groupId: string | null;
  readonly onError: (error: unknown) => void;
}

/**
 * Joins the processes on the database and keeps saying so, by real time, until stopped: a sandbox's
 * clock that stands still or is moved makes no process look dead.
 */
export async function joinProcesses({
  database,
  realClock,
  groupId,
  onError,
}: JoinOptions): Promise<ProcessRegistry> {
  const processId = newGuid();
  const own = { processId, groupId: groupId ?? processId };
  let others = 0;
  const beat = async () => {
    const now = realClock.nowMs();
    await upsertProcess(database.sql, own, new Date(now));
    await deleteSilentProcesses(database.sql, new Date(now - SILENCE_MS));
    others = await findOtherProcesses(database.sql, own.groupId);
  };
  await beat();
  const runner: Runner = runEvery(HEARTBEAT_MS, beat, onError);
  return {
    hasOthers: () => others > 0,
    async stop() {
      await runner.stop();
      await deleteProcess(database.sql, processId).catch(onError);
    },
  };
}

async function upsertProcess(
  sql: Sql,
  { processId, groupId }: { readonly processId: string; readonly groupId: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into server_process (process_id, group_id, started_at, seen_at, raises_marks)
    values (${processId}, ${groupId}, ${now}, ${now}, true)
    on conflict (process_id) do update set seen_at = excluded.seen_at`;
}

async function deleteSilentProcesses(sql: Sql, silentSince: Date): Promise<void> {
  await sql`delete from server_process where seen_at < ${silentSince}`;
}

async function deleteProcess(sql: Sql, processId: string): Promise<void> {
  await sql`delete from server_process where process_id = ${processId}`;
}

/** A process of an older version says no group: it counts for itself. */
async function findOtherProcesses(sql: Sql, groupId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from server_process where group_id is distinct from ${groupId}`;
  return row.count;
}
