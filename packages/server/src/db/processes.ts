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
  /** True while another process lives on the database, as of at most a second ago. */
  hasOthers(): boolean;
  stop(): Promise<void>;
}

/**
 * Joins the processes on the database and keeps saying so, by real time, until stopped: a sandbox's
 * clock that stands still or is moved makes no process look dead.
 */
export async function joinProcesses(
  database: Database,
  realClock: Clock,
  onError: (error: unknown) => void,
): Promise<ProcessRegistry> {
  const processId = newGuid();
  let others = 0;
  const beat = async () => {
    const now = realClock.nowMs();
    await upsertProcess(database.sql, processId, new Date(now));
    await deleteSilentProcesses(database.sql, new Date(now - SILENCE_MS));
    others = await findOtherProcesses(database.sql, processId);
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

async function upsertProcess(sql: Sql, processId: string, now: Date): Promise<void> {
  await sql`
    insert into server_process (process_id, started_at, seen_at)
    values (${processId}, ${now}, ${now})
    on conflict (process_id) do update set seen_at = excluded.seen_at`;
}

async function deleteSilentProcesses(sql: Sql, silentSince: Date): Promise<void> {
  await sql`delete from server_process where seen_at < ${silentSince}`;
}

async function deleteProcess(sql: Sql, processId: string): Promise<void> {
  await sql`delete from server_process where process_id = ${processId}`;
}

async function findOtherProcesses(sql: Sql, processId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from server_process where process_id <> ${processId}`;
  return row.count;
}
