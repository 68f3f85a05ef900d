import { BUSY_STATES, SILENT_CODES } from './away.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { isSqlState } from './postgres-error.ts';
import { type Session, sessionOpener } from './session.ts';

/**
 * One process's share in an embedded PostgreSQL server. It is a connection that holds a shared lock
 * for as long as the process lives, even if it is killed; who leaves and finds no other share is
 * the last and stops the server. No process owns it, so none can leave it behind for ever.
 */
export interface Keeper {
  /** Resolves when the connection has ended: after `leave`, or because the server is gone. */
  readonly ended: Promise<void>;
  /** Gives the share back. True: nobody else has one, and nobody new can come; stop the server. */
  leave(): Promise<boolean>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Takes a share in the server at `url` (its database `postgres`), making the database `name` when
 * there is none. Instead of a share it gives `busy` when the server is starting, recovering or
 * stopping, and `silent` when nothing answers.
 */
export async function joinServer(url: string, name: string): Promise<Keeper | 'busy' | 'silent'> {
  const session = sessionOpener({
    address: parseDatabaseUrl(url),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    settings: { application_name: 'servery keeper', idle_in_transaction_session_timeout: 0 },
  })();
  const ask = (text: string) => session.send(text, null);
  try {
    await prepareServer(session, name);
    await ask('begin');
    await ask('lock table servery_keeper in row share mode');
  } catch (error) {
    await session.end(0);
    const passing = classify(error);
    if (passing === null) throw error;
    return passing;
  }
  // The share alone is no reason for this process to go on living.
  await session.keepAlive(false);
  return {
    ended: session.ended,
    leave: async () => {
      if (session.hasEnded()) return false;
      await session.keepAlive(true);
      return await leave(session);
    },
  };
}

async function prepareServer(session: Session, name: string): Promise<void> {
  const [found] = await session.send(
    `select to_regclass('servery_keeper') is not null as has_table,
            exists (select 1 from pg_database where datname = '${name}') as has_database`,
    null,
  );
  try {
    if (!found?.has_table) {
      await session.send('create table if not exists servery_keeper ()', null);
    }
    if (!found?.has_database) await session.send(`create database ${name}`, null);
  } catch (error) {
    // Another process made it in this moment, or is about to have made it.
    const isMade = ['23505', '42710', '42P04', '42P07'].some((state) => isSqlState(error, state));
    if (!isMade) throw error;
    await prepareServer(session, name);
  }
}

async function leave(session: Session): Promise<boolean> {
  try {
    await session.send('rollback', null);
    await session.send('begin', null);
    await session.send('lock table servery_keeper in exclusive mode nowait', null);
    return true;
  } catch (error) {
    await session.end(0);
    // Another process has a share, or there is no server any more that could be stopped.
    if (isSqlState(error, '55P03') || classify(error) !== null) return false;
    throw error;
  }
}

/** Null for an error that waiting does not cure. */
function classify(error: unknown): 'busy' | 'silent' | null {
  if (BUSY_STATES.some((state) => isSqlState(error, state))) return 'busy';
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && SILENT_CODES.includes(code) ? 'silent' : null;
}
