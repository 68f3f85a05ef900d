import { monotonicMs } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import { mayComeThrough } from './away.ts';
import { connectDatabase } from './database.ts';
import { withDatabase } from './database-url.ts';
import { isSqlState } from './postgres-error.ts';
import { quoted, type Sql } from './sql.ts';

/** The databases of one server as wholes, administered over one connection. */
export interface Copies {
  /** Copies a database that nobody uses. Its own settings and grants are not copied. */
  copy(names: CopyNames): Promise<void>;
  /**
   * Copies a database in use: closes it to new connections, ends its sessions, copies it, and opens
   * it again in any case. Idle sessions end at once; one in a transaction has `graceMs` to finish.
   * After a `kill -9` of this process it stays closed until somebody calls `open`.
   */
  copyInUse(names: CopyNames, graceMs: number): Promise<void>;
  open(name: string): Promise<void>;
  /** Ends its sessions. Does nothing if there is no such database. */
  drop(name: string): Promise<void>;
  /** Null if there is no such database. */
  sizeBytes(name: string): Promise<number | null>;
  /** Says what keeps this user from making copies, and how to allow it; null if nothing does. */
  findMissingRight(): Promise<string | null>;
  /** For `connectDatabase`. */
  urlOf(name: string): string;
  /** Ends the connection. */
  end(): Promise<void>;
}

export interface CopyNames {
  readonly from: string;
  readonly to: string;
}

export interface ListedDatabase {
  readonly name: string;
  readonly isClosed: boolean;
  /** A drop was interrupted: nobody can connect, and it can only be dropped again. */
  readonly isInvalid: boolean;
}

/** A database can't be closed from within, so the connection goes to this one. */
const MAINTENANCE_DATABASE = 'postgres';
const NAME = /^[a-z][a-z0-9_]{0,62}$/;
/** A copy may take minutes. */
const LIMITS = { statementTimeoutMs: 0, idleTransactionTimeoutMs: 0 };
/** Somebody is connected to the database. */
const IN_USE = '55006';
/** Before PostgreSQL 17, when two processes open or close one database at once. */
const TUPLE_CONCURRENTLY_UPDATED = 'XX000';
/** No such database, no right to connect to it, or no line in pg_hba.conf. */
const NOT_LET_IN = ['3D000', '42501', '28000'];
const PATIENCE_MS = 60_000;
const RETRY_PAUSE_MS = 50;
const END_POLL_MS = 2;
const END_LIMIT_MS = 5_000;

/** Connects when first used. `url` names the server and the user; its database does not matter. */
export function connectCopies(url: string, applicationName: string): Copies {
  const server = connectDatabase({
    url: withDatabase(url, MAINTENANCE_DATABASE),
    poolSize: 1,
    applicationName,
    ...LIMITS,
  });
  const { sql } = server;
  return {
    copy: (names) => untilUnused(() => copy(sql, names)),
    copyInUse: (names, graceMs) => copyInUse(sql, names, graceMs),
    open: (name) => allowConnections(sql, name, true),
    drop: async (name) => {
      await sql.unsafe(`drop database if exists ${quoted(checked(name))} with (force)`);
    },
    sizeBytes: (name) => readSizeBytes(sql, name),
    findMissingRight: () => findMissingRight(sql),
    urlOf: (name) => withDatabase(url, name),
    end: () => server.close(),
  };
}

async function copy(sql: Sql, { from, to }: CopyNames): Promise<void> {
  // The other strategy forces two checkpoints, which every database of the server feels.
  await sql.unsafe(
    `create database ${quoted(checked(to))} template ${quoted(from)} strategy wal_log`,
  );
}

async function copyInUse(sql: Sql, names: CopyNames, graceMs: number): Promise<void> {
  const { from } = names;
  checked(names.to);
  try {
    await untilUnused(async () => {
      await allowConnections(sql, from, false);
      await endSessions(sql, from, graceMs);
      await copy(sql, names);
    });
  } finally {
    // Even if the server has to start again first.
    await patiently(() => allowConnections(sql, from, true), mayComeThrough);
  }
}

async function allowConnections(sql: Sql, name: string, isAllowed: boolean): Promise<void> {
  await patiently(
    async () => {
      await sql.unsafe(`alter database ${quoted(name)} allow_connections ${isAllowed}`);
    },
    (error) => isSqlState(error, TUPLE_CONCURRENTLY_UPDATED),
  );
}

/** Returns when none is left. One that does not end in time is for CREATE DATABASE to refuse. */
async function endSessions(sql: Sql, database: string, graceMs: number): Promise<void> {
  const startedAt = monotonicMs();
  for (;;) {
    const waitedMs = monotonicMs() - startedAt;
    const isOver = waitedMs >= graceMs;
    // Autovacuum has no user, and gives way to CREATE DATABASE by itself.
    const left = await sql`
      select case when state = 'idle' or ${isOver} then pg_terminate_backend(pid) end
      from pg_stat_activity where datname = ${database} and usesysid is not null`;
    if (left.count === 0 || waitedMs > graceMs + END_LIMIT_MS) return;
    await sleep(END_POLL_MS);
  }
}

/** Over any connection to the server, so that a process that only looks needs none of its own. */
export async function listCopies(sql: Sql, prefix: string): Promise<ListedDatabase[]> {
  return await sql<ListedDatabase[]>`
    select datname as name, not datallowconn as "isClosed", datconnlimit = -2 as "isInvalid"
    from pg_database where starts_with(datname, ${prefix}) order by datname`;
}

async function readSizeBytes(sql: Sql, name: string): Promise<number | null> {
  const [row] = await sql<{ sizeBytes: number | null }[]>`
    select pg_database_size(oid) as "sizeBytes" from pg_database where datname = ${name}`;
  return row?.sizeBytes ?? null;
}

async function findMissingRight(sql: Sql): Promise<string | null> {
  try {
    const [role] = await sql<[{ name: string; mayCreate: boolean }]>`
      select rolname as name, rolcreatedb or rolsuper as "mayCreate"
      from pg_roles where rolname = current_user`;
    if (role.mayCreate) return null;
    return (
      `the database user ${role.name} can't create databases. To allow it:` +
      ` ALTER ROLE ${quoted(role.name)} CREATEDB`
    );
  } catch (error) {
    if (!NOT_LET_IN.some((state) => isSqlState(error, state))) throw error;
    return (
      `the database user can't connect to the database ${MAINTENANCE_DATABASE} of its server:` +
      ` let it, with GRANT CONNECT ON DATABASE ${MAINTENANCE_DATABASE} and in pg_hba.conf`
    );
  }
}

function checked(name: string): string {
  if (!NAME.test(name)) throw new Error(`"${name}" is no name for a database that this one makes`);
  return name;
}

async function untilUnused(work: () => Promise<void>): Promise<void> {
  await patiently(work, (error) => isSqlState(error, IN_USE));
}

/** Repeats `work` while it fails for a reason that passes. */
async function patiently(
  work: () => Promise<void>,
  isRepeated: (error: unknown) => boolean,
): Promise<void> {
  const startedAt = monotonicMs();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRepeated(error) || monotonicMs() - startedAt > PATIENCE_MS) throw error;
      await sleep(RETRY_PAUSE_MS);
    }
  }
}
