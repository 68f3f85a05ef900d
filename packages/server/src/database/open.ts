import { mayComeThrough } from '@servery/postgres/away.ts';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import { startEmbeddedDatabase } from '@servery/postgres/embedded.ts';
import { checkDatabaseSafety } from '@servery/postgres/safety.ts';
import type { Config } from '../config/config.ts';
import { connectDatabase, type Database, type DatabaseOptions } from './database.ts';
import { claimKind } from './environment-kind.ts';
import { migratePlatform } from './migrations.ts';

/** The settings that choose the database. */
export type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir' | 'kind'>;

/** Time limits that differ from the defaults of `connectDatabase`. */
export type TimeLimits = Pick<DatabaseOptions, 'statementTimeoutMs' | 'idleTransactionTimeoutMs'>;

/** How to open a database. */
export interface OpenOptions extends TimeLimits {
  /** Called, maybe again, when an embedded one works by itself and this process is free. */
  readonly onBegun?: () => void;
}

/** An open database. `close` also gives this process's share in an embedded one back. */
export interface OpenDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens the database of the settings, or the embedded one, and applies the pending migrations.
 * Calls `onProgress` with a short line for each step that takes time. Throws an Error that says
 * what to do if there is no database, if this program cannot use it, or if in production it could
 * lose what it acknowledged.
 */
export async function openDatabase(
  config: DatabaseConfig,
  onProgress: (line: string) => void,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  const { database, close } = await reachDatabase(config, onProgress, options);
  try {
    if (config.kind === 'production') await refuseUnsafe(database);
    await migratePlatform(database, { onApply: (file) => onProgress(`migrating: ${file}`) });
    await claimKind(database, config.kind);
    return { database, close };
  } catch (error) {
    await close();
    throw explained(error, config);
  }
}

/** A database that nothing was changed in. */
export interface ReachedDatabase extends OpenDatabase {
  /** With its password, for other sessions on the same database. */
  readonly url: string;
}

/**
 * Connects to the same database without changing anything, to examine it or to fill an empty one.
 * Throws an Error that says what to do if it cannot be reached.
 */
export async function reachDatabase(
  config: DatabaseConfig,
  onProgress: (line: string) => void,
  { onBegun = () => {}, ...timeLimits }: OpenOptions = {},
): Promise<ReachedDatabase> {
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedDatabase({ dataDir: config.dataDir, onProgress, onBegun });
  const url = embedded?.url ?? config.databaseUrl?.reveal() ?? '';
  const database = connectDatabase({ url, poolSize: config.databasePool, ...timeLimits });
  const close = async () => {
    await database.close();
    await embedded?.stop();
  };
  try {
    await database.sql`select 1 as answer`;
    return { database, url, close };
  } catch (error) {
    await close();
    throw explained(error, config);
  }
}

/** Adds what to do about DATABASE_URL, if the error is about the connection. */
function explained(error: unknown, { databaseUrl }: DatabaseConfig): unknown {
  if (databaseUrl === null) return error;
  const { hosts, ports, database } = parseDatabaseUrl(databaseUrl.reveal());
  const servers = hosts.map((host, at) => `${host}:${ports[at]}`).join(', ');
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    '28P01': 'the password is wrong',
    '28000': 'this user may not log in from here',
    '3D000': `there is no database "${database}": create it`,
    '25006':
      'it is read-only: name the primary, or all hosts with ?target_session_attrs=read-write',
    '42501': 'this user may not create tables: give it the database',
    ENOTFOUND: 'no machine has this name',
    ECONNREFUSED: 'nothing listens there: start PostgreSQL, or correct the address',
  };
  const reason = reasons[code] ?? (mayComeThrough(error) ? message : undefined);
  if (reason === undefined) return error;
  return new Error(`DATABASE_URL (${servers}) cannot be used: ${reason}.`, { cause: error });
}

async function refuseUnsafe(database: Database): Promise<void> {
  const facts = await checkDatabaseSafety(database.sql);
  if (facts.length > 0) {
    throw new Error(`This database is not safe for production:\n- ${facts.join('\n- ')}`);
  }
}
