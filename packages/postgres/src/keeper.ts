import { BUSY_STATES, SILENT_CODES } from './away.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { makeOnce } from './make-once.ts';
import { isSqlState } from './postgres-error.ts';
import { type Session, sessionOpener } from './session.ts';
import { makeSql } from './sql.ts';

/**
 * One process's share in an embedded PostgreSQL server: a connection that holds a shared lock until
 * the process ends, even if it is killed. The last process to give its share back stops the server.
 */
export interface Keeper {
  /** Resolves after `leave`, or because the server is gone. */
  readonly ended: Promise<void>;
  /** Gives the share back. True: no process has one, and none can get one; stop the server. */
  leave(): Promise<boolean>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Takes a share in the server at `url` (its database `postgres`), and makes the database `name`.
 * Instead of a share it gives `busy` when the server is starting, recovering or stopping, and
 * `silent` when nothing answers.
 */
export async function joinServer(url: string, name: string): Promise<Keeper | 'busy' | 'silent'> {
  const table = `${name}_keeper`;
  const session = sessionOpener({
    address: parseDatabaseUrl(url),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    settings: { application_name: `${name} keeper`, idle_in_transaction_session_timeout: 0 },
  })();
  try {
    const sql = makeSql(session.send);
    await makeOnce(sql, `to_regclass('${table}') is not null`, `create table ${table} ()`);
    const hasDatabase = `exists (select from pg_database where datname = '${name}')`;
    await makeOnce(sql, hasDatabase, `create database ${name}`);
    await sql.unsafe('begin');
    await sql.unsafe(`lock table ${table} in row share mode`);
  } catch (error) {
    await session.end(0);
    const passing = classify(error);
    if (passing === null) throw error;
    return passing;
  }
  // The share alone must not keep this process alive.
  await session.keepAlive(false);
  return {
    ended: session.ended,
    leave: async () => {
      if (session.hasEnded()) return false;
      await session.keepAlive(true);
      return await leave(session, table);
    },
  };
}

async function leave(session: Session, table: string): Promise<boolean> {
  try {
    await session.send('rollback', null);
    await session.send('begin', null);
    await session.send(`lock table ${table} in exclusive mode nowait`, null);
    return true;
  } catch (error) {
    await session.end(0);
    // Another process has a share, or there is no server anymore that could be stopped.
    if (isSqlState(error, '55P03') || classify(error) !== null) return false;
    throw error;
  }
}

/** Null for an error that does not pass by itself. */
function classify(error: unknown): 'busy' | 'silent' | null {
  if (BUSY_STATES.some((state) => isSqlState(error, state))) return 'busy';
  return SILENT_CODES.includes((error as NodeJS.ErrnoException).code ?? '') ? 'silent' : null;
}
