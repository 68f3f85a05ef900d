import { sleep } from '@servery/support/timer.ts';
import type { WatchStatement } from './connector.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { sendInOneTrip } from './one-trip.ts';
import { CommitUnknownError, isRefusal, isSqlState } from './postgres-error.ts';
import { type Session, sessionOpener } from './session.ts';
import { type PoolState, SessionPool } from './session-pool.ts';
import { makeSql, type Send, type Sql } from './sql.ts';
import type { Patience } from './waits.ts';
import { Writing } from './writing.ts';

export { CommitUnknownError };

export interface TransactionOptions {
  /** `read committed` by default. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /**
   * A statement that takes longer fails with 57014; COMMIT has no limit. 0 is no limit; the default
   * is the limit of the session.
   */
  readonly statementTimeoutMs?: number;
  /**
   * `run` returns one statement that it has not awaited. It is sent together with BEGIN and COMMIT,
   * so that everything takes one round trip. Any loss of the connection is a `CommitUnknownError`
   * then, even if the server had closed it before: use it for what can be read back and repeated.
   */
  readonly isOneTrip?: boolean;
  /**
   * Sends BEGIN together with the statements that `run` sends before it waits. Should the server
   * refuse BEGIN alone, these were no part of a transaction, and everything after them fails: they
   * may read and lock, and write only what harms nobody without the rest.
   */
  readonly isBegunAlong?: boolean;
  /**
   * Sends the last statement before it returns; null for none. COMMIT follows at once, so that the
   * rows that the statement locks are free again soon. Not for a transaction in one trip.
   */
  readonly atCommit?: (sql: Sql) => Promise<unknown> | null;
}

export interface Database {
  /** For single statements, each a transaction of its own. */
  readonly sql: Sql;
  /**
   * Runs `run` in one transaction and commits. After a serialization failure or a deadlock (40001,
   * 40P01) all of `run` is repeated, at most 6 times in all, so it must have no other effect than
   * its SQL. Throws what `run` throws, after a rollback, and `CommitUnknownError`.
   */
  transaction<T>(run: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Makes a connection beside the pool. The caller ends it; it connects when first used. */
  openSession(): Session;
  pool(): PoolState;
  readonly writing: Writing;
  /** Lets running work end, at most for 5 s, and closes all connections; new work waits. */
  hold(): Promise<void>;
  /** After `hold`. */
  resume(): void;
  /** Waits up to 5 s for running statements, then ends all connections. */
  close(): Promise<void>;
}

/** Durations are in milliseconds, 0 for no limit. */
export interface DatabaseOptions {
  /** `postgres://…`, over TCP or a Unix socket; see `parseDatabaseUrl`. */
  readonly url: string;
  /** The most connections, 10 by default. They are opened when first needed. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
  /** The server cancels a statement that runs longer; 30,000 by default. */
  readonly statementTimeoutMs?: number;
  /** The server ends a transaction after so long without a statement; 60,000 by default. */
  readonly idleTransactionTimeoutMs?: number;
  /**
   * How long to wait for the server, 10,000 by default, shared by all hosts; three times that for a
   * free connection.
   */
  readonly connectTimeoutMs?: number;
  readonly patience?: Patience;
  readonly watch?: WatchStatement;
}

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_DELAY_MS = 10;
const CLOSE_GRACE_MS = 5_000;

/** Nothing is connected yet: an unreachable database shows at the first statement. */
export function connectDatabase(options: DatabaseOptions): Database {
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const writing = new Writing();
  const open = sessionOpener({
    address: parseDatabaseUrl(options.url),
    connectTimeoutMs,
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
    ...(options.patience && { patience: options.patience }),
    ...(options.watch && { watch: options.watch }),
    onFailure: (error) => writing.failed(error),
    settings: {
      ...(options.applicationName && { application_name: options.applicationName }),
      idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? 60_000,
      TimeZone: 'UTC',
    },
  });
  const pool = new SessionPool(open, options.poolSize ?? 10, connectTimeoutMs * 3);
  return {
    sql: makeSql(pool.send),
    transaction: (run, transactionOptions) => transact(pool, run, transactionOptions),
    openSession: open,
    pool: () => pool.state(),
    writing,
    hold: () => pool.hold(CLOSE_GRACE_MS),
    resume: () => pool.resume(),
    close: () => pool.close(CLOSE_GRACE_MS),
  };
}

/** Reads the database's own clock in epoch milliseconds, for `databaseClock`. */
export async function readDatabaseTimeMs(sql: Sql): Promise<number> {
  const [row] = await sql<[{ nowMs: number }]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`;
  return row.nowMs;
}

async function transact<T>(
  pool: SessionPool,
  run: (sql: Sql) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const begin = beginText(options);
  for (let attempts = 1; ; attempts += 1) {
    try {
      if (options.isOneTrip) return await attemptInOneTrip(pool, begin, run, options);
      return await attempt(pool, begin, run, options);
    } catch (error) {
      if (error instanceof NotBegunError) {
        if (attempts > 1 || !isWorthAnother(error.cause)) throw error.cause;
        continue;
      }
      if (attempts === MAX_ATTEMPTS || !isConflict(error)) throw error;
      await sleep(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** attempts);
    }
  }
}

/** A statement needs no BEGIN of this kind: it is a transaction by itself. */
const PLAIN_BEGIN = 'begin';

/** The limit is sent with BEGIN and ends with the transaction, so that it works with a pooler. */
function beginText(options: TransactionOptions): string {
  const { isolation, readOnly, statementTimeoutMs: limit } = options;
  return [
    PLAIN_BEGIN,
    isolation ? ` isolation level ${isolation}` : '',
    readOnly ? ' read only' : '',
    limit === undefined ? '' : `; set local statement_timeout = ${limit}`,
  ].join('');
}

function isConflict(error: unknown): boolean {
  return isSqlState(error, '40001') || isSqlState(error, '40P01');
}

async function attemptInOneTrip<T>(
  pool: SessionPool,
  begin: string,
  run: (sql: Sql) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const session = await acquire(pool, options, (acquired) => acquired.connect());
  let isSound = true;
  try {
    return await sendInOneTrip(session, begin === PLAIN_BEGIN ? null : begin, run);
  } catch (error) {
    isSound = isRefusal(error);
    throw error;
  } finally {
    pool.release(session, isSound);
  }
}

/** A connection that the server has closed unnoticed fails in `use`, before anything was done. */
async function acquire(
  pool: SessionPool,
  { statementTimeoutMs }: TransactionOptions,
  use: (session: Session) => Promise<unknown>,
): Promise<Session> {
  for (let isFirst = true; ; isFirst = false) {
    const session = await pool.acquire();
    session.limitStatements(statementTimeoutMs);
    try {
      await use(session);
      return session;
    } catch (error) {
      pool.release(session, false);
      if (!isFirst || !isWorthAnother(error)) throw error;
    }
  }
}

/** Whether another connection may succeed. A server that did not answer in time gets no second. */
function isWorthAnother(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return !isRefusal(error) && code !== 'CONNECTION_SILENT' && code !== 'CONNECT_TIMEOUT';
}

/** BEGIN failed. */
class NotBegunError extends Error {
  constructor(cause: unknown) {
    super('the transaction did not begin', { cause });
  }
}

async function attempt<T>(
  pool: SessionPool,
  begin: string,
  run: (sql: Sql) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const session = await acquire(pool, options, (acquired) =>
    options.isBegunAlong ? acquired.connect() : acquired.send(begin, null),
  );
  let isOpen = true;
  let failure: Error | null = null;
  const notBegun = options.isBegunAlong
    ? session.send(begin, null).then(
        () => null,
        (error: unknown) => (failure = new NotBegunError(error)),
      )
    : null;
  const send: Send = async (strings, values) => {
    if (!isOpen) throw new Error('the transaction of this statement has ended');
    if (failure) throw failure;
    try {
      return await session.send(strings, values);
    } catch (error) {
      // PostgreSQL refuses everything after the first failure, so report the first.
      failure ??= error as Error;
      throw error;
    }
  };
  try {
    const result = await run(makeSql(send));
    isOpen = false;
    // Even if `run` caught it, the transaction is lost.
    if (failure) throw failure as Error;
    await commitBehind(session, options.atCommit?.(makeSql(session.send)) ?? null);
    pool.release(session, true);
    return result;
  } catch (error) {
    isOpen = false;
    const unbegun = await notBegun;
    if (unbegun) {
      pool.release(session, false);
      throw unbegun;
    }
    const isSound = await session.send('rollback', null).then(
      () => true,
      () => false,
    );
    pool.release(session, isSound && !(error instanceof CommitUnknownError));
    throw error;
  }
}

/** Commits after a last statement that was sent already. */
async function commitBehind(session: Session, last: Promise<unknown> | null): Promise<void> {
  if (last === null) return await commit(session);
  const [answered, committed] = await Promise.allSettled([last, commit(session)]);
  // The server answers a COMMIT after a failed statement with ROLLBACK.
  if (answered.status === 'rejected' && isRefusal(answered.reason)) throw answered.reason;
  if (committed.status === 'rejected') throw committed.reason;
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
