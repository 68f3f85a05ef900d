import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { type DatabaseAddress, parseDatabaseUrl } from './database-url.ts';

/**
 * What stores speak SQL through: a pool or one transaction. `` sql<Row[]>`select …` `` sends its
 * values as parameters. Types: `uuid`, `numeric`, `date` → string; `bigint` → number (an error
 * beyond 2⁵³); `timestamptz` → Date; `json` → parsed, unless the column is read as `::text`.
 */
export interface Sql extends postgres.ISql<{ bigint: bigint }> {
  /** A value for a `json` column, key order kept. Text that is JSON already: `${text}::text::json`. */
  json(value: unknown): postgres.Parameter;
}

/** How a transaction sees the work of others; `read committed` when nothing is said. */
export interface TransactionOptions {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
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

type Pool = postgres.Sql;
type DriverOptions = NonNullable<Parameters<typeof postgres>[1]>;

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_DELAY_MS = 10;
const CLOSE_TIMEOUT_SECONDS = 5;
const JSON_TYPE = 114;
const BIGINT_TYPE = 20;
const DATE_TYPE = 1082;

/** Makes a pool. Nothing is connected yet: an unreachable database shows at the first statement. */
export function connectDatabase(options: DatabaseOptions): Database {
  const pool: Pool = postgres(driverOptions(parseDatabaseUrl(options.url), options));
  const sql = asSql(pool);
  return {
    sql,
    transaction: (run, transactionOptions) => transact(pool, run, transactionOptions),
    close: () => pool.end({ timeout: CLOSE_TIMEOUT_SECONDS }),
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

/** True for an error of PostgreSQL with this SQLSTATE, such as `23505` for a duplicate key. */
export function isSqlState(error: unknown, sqlState: string): boolean {
  return error instanceof postgres.PostgresError && error.code === sqlState;
}

function driverOptions(address: DatabaseAddress, options: DatabaseOptions): DriverOptions {
  const [firstHost = ''] = address.hosts;
  const isSocket = firstHost.startsWith('/');
  return {
    ...(isSocket
      ? { path: `${firstHost}/.s.PGSQL.${address.ports[0]}` }
      : { host: [...address.hosts], port: [...address.ports] }),
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: isSocket ? false : address.tls,
    ...(address.targetSession ? { target_session_attrs: address.targetSession } : {}),
    max: options.poolSize ?? 10,
    connect_timeout: (options.connectTimeoutMs ?? 10_000) / 1000,
    // A pooler in transaction mode gives every transaction another session: statements prepared
    // and settings made on one are not there on the next.
    prepare: !address.pooler,
    connection: address.pooler ? {} : sessionSettings(options),
    // Notices say "already exists, skipping" and the like; the driver would print them.
    onnotice: () => {},
    types: {
      bigint: { to: BIGINT_TYPE, from: [BIGINT_TYPE], serialize: String, parse: parseBigint },
      calendarDate: { to: DATE_TYPE, from: [DATE_TYPE], serialize: String, parse: String },
    },
    // The driver takes lists of hosts, which its types do not know.
  } as DriverOptions;
}

function sessionSettings(options: DatabaseOptions) {
  return {
    application_name: options.applicationName ?? 'servery',
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? 60_000,
    TimeZone: 'UTC',
  };
}

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `the bigint ${text} is beyond what a number holds exactly; read it ::text`,
    );
  }
  return value;
}

/**
 * The driver's own `json()` declares its value as `jsonb`, which sorts keys; a `json` column must
 * keep the order in which the contract writes them.
 */
function asSql(driver: postgres.ISql): Sql {
  const sql = driver as unknown as Sql;
  sql.json = (value) => driver.typed(value, JSON_TYPE) as postgres.Parameter;
  return sql;
}

async function transact<T>(
  pool: Pool,
  run: (sql: Sql) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const modes = [
    options.isolation ? `isolation level ${options.isolation}` : '',
    options.readOnly ? 'read only' : '',
  ];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(pool, modes.join(' ').trim(), run);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error;
      await sleep(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** attempt);
    }
  }
}

async function attemptOnce<T>(pool: Pool, mode: string, run: (sql: Sql) => Promise<T>): Promise<T> {
  let committing = false;
  // The result travels beside the driver's begin(), which would await the elements of an array.
  let result: T | undefined;
  try {
    await pool.begin(mode, async (transaction) => {
      result = await run(asSql(transaction));
      committing = true;
    });
  } catch (error) {
    // A refusal by the server is an answer: it rolled back. Everything else leaves it open.
    throw committing && !isRefusal(error) ? new CommitUnknownError(error) : error;
  }
  return result as T;
}

function isConflict(error: unknown): boolean {
  return isSqlState(error, '40001') || isSqlState(error, '40P01');
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return false;
  // 40003 and 08007 say "unknown" themselves; a FATAL error ends the session, perhaps after COMMIT.
  return error.severity === 'ERROR' && error.code !== '40003' && error.code !== '08007';
}
