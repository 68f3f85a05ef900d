import { setTimeout as sleep } from 'node:timers/promises';
import { parseDatabaseUrl } from './database-url.ts';
import { isRefusal, isSqlState, type Session, sessionOpener } from './session.ts';
import { createSessionPool, type PoolState, type SessionPool } from './session-pool.ts';
import { makeSql, type Send, type Sql } from './sql.ts';

export { isSqlState } from './session.ts';
export type { Sql } from './sql.ts';

/** How a transaction sees the work of others; `read committed` when nothing is said. */
export interface TransactionOptions {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /** A statement that takes more ms fails with 57014, but no COMMIT; the session's when absent. */
  readonly statementTimeoutMs?: number;
  /** The server ends the session when nothing happens for so long; the session's when absent. */
  readonly idleTimeoutMs?: number;
}

/** A pool of connections to one database. */
export interface Database {
  /** For single statements, each a transaction of its own. */
  readonly sql: Sql;
  /**
   * Runs `run` in one transaction and commits. After a serialization failure or a deadlock (40001,
   * 40P01) all of `run` is repeated, at most 6 times in all, so it must have no other effect than
   * its SQL. Throws what `run` throws, after a rollback, and `CommitUnknownError`.
   */
  transaction<T>(run: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** How the connections are used now. */
  pool(): PoolState;
  /** Waits up to 5 s for running statements, then ends all connections. */
  close(): Promise<void>;
}

/** How to connect. Durations are in milliseconds, 0 for no limit. */
export interface DatabaseOptions {
  /** `postgres://…`, over TCP or a Unix socket; see `parseDatabaseUrl`. */
  readonly url: string;
  /** Connections at most, 10 when absent. They are opened when first needed. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** The server ends a statement that runs longer; 30,000 when absent. */
  readonly statementTimeoutMs?: number;
  /** The server ends a transaction in which nothing happens for so long; 60,000 when absent. */
  readonly idleTransactionTimeoutMs?: number;
  /** How long to wait for the server, 10,000 when absent, and three times that for a free one. */
  readonly connectTimeoutMs?: number;
}

/**
 * The connection was lost between COMMIT and its answer: the transaction may or may not have
 * happened. Whoever gets this reads back, on a fresh connection, what the database says (I8); it is
 * never assumed to have failed, and never repeated blindly.
 */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost during COMMIT; its outcome is unknown', {
      cause,
    });
    this.name = 'CommitUnknownError';
  }
}

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_DELAY_MS = 10;
const CLOSE_GRACE_MS = 5_000;

/** Makes a pool. Nothing is connected yet: an unreachable database shows at the first statement. */
export function connectDatabase(options: DatabaseOptions): Database {
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const open = sessionOpener({
    address: parseDatabaseUrl(options.url),
    connectTimeoutMs,
    settings: {
      application_name: options.applicationName ?? 'servery',
      statement_timeout: options.statementTimeoutMs ?? 30_000,
      idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? 60_000,
      TimeZone: 'UTC',
    },
  });
  const pool = createSessionPool(open, options.poolSize ?? 10, connectTimeoutMs * 3);
  return {
    sql: makeSql(pool.send),
    transaction: (run, transactionOptions) => transact(pool, run, transactionOptions),
    pool: () => pool.state(),
    close: () => pool.close(CLOSE_GRACE_MS),
  };
}

/** The database's own clock in epoch milliseconds, for `databaseClock` (architecture rule 1). */
export async function readDatabaseTimeMs(sql: Sql): Promise<number> {
  const rows = await sql<{ now_ms: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`;
  const [row] = rows;
  if (!row) throw new Error('the database did not answer with its time');
  return row.now_ms;
}

async function transact<T>(
  pool: SessionPool,
  run: (sql: Sql) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const begin = beginText(options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(await beginTransaction(pool, begin), run);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error;
      await sleep(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** attempt);
    }
  }
}

/** The limits travel with BEGIN and end with the transaction, so that a pooler is no obstacle. */
function beginText(options: TransactionOptions): string {
  const { isolation, readOnly, statementTimeoutMs, idleTimeoutMs } = options;
  const limit = (name: string, ms?: number) => (ms ? `; set local ${name} = ${ms}` : '');
  return [
    'begin',
    isolation ? ` isolation level ${isolation}` : '',
    readOnly ? ' read only' : '',
    limit('statement_timeout', statementTimeoutMs),
    limit('idle_in_transaction_session_timeout', idleTimeoutMs),
  ].join('');
}

function isConflict(error: unknown): boolean {
  return isSqlState(error, '40001') || isSqlState(error, '40P01');
}

interface OpenTransaction {
  readonly session: Session;
  finish(isSound: boolean): void;
}

/** A connection that the server has closed unnoticed shows here, where nothing was done yet. */
async function beginTransaction(pool: SessionPool, begin: string): Promise<OpenTransaction> {
  for (let isFirst = true; ; isFirst = false) {
    const session = await pool.acquire();
    try {
      await session.send(begin, null);
      return { session, finish: (isSound) => pool.release(session, isSound) };
    } catch (error) {
      pool.release(session, false);
      if (!isFirst || isRefusal(error)) throw error;
    }
  }
}

async function attemptOnce<T>(
  { session, finish }: OpenTransaction,
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  let isOpen = true;
  let failure: { readonly error: unknown } | null = null;
  const send: Send = async (strings, values) => {
    if (!isOpen) throw new Error('the transaction of this statement has ended');
    try {
      return await session.send(strings, values);
    } catch (error) {
      // PostgreSQL refuses everything after the first failure; that one is worth reporting.
      failure ??= { error };
      throw error;
    }
  };
  try {
    const result = await run(makeSql(send));
    isOpen = false;
    // Even when `run` swallowed it, the transaction is lost.
    if (failure) throw (failure as { error: unknown }).error;
    await commit(session);
    finish(true);
    return result;
  } catch (error) {
    isOpen = false;
    const isSound = await session.send('rollback', null).then(
      () => true,
      () => false,
    );
    finish(isSound && !(error instanceof CommitUnknownError));
    throw error;
  }
}

async function commit(session: Session): Promise<void> {
  const answer = await session.send('commit', null).catch((error: unknown) => {
    throw isRefusal(error) ? error : new CommitUnknownError(error);
  });
  // The server answers COMMIT with ROLLBACK when a statement that nobody awaited had failed.
  if ((answer as { command?: string }).command !== 'COMMIT') {
    throw new Error('the transaction was rolled back: one of its statements failed unnoticed');
  }
}
