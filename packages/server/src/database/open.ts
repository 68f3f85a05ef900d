import { connectCopies } from '@servery/postgres/copies.ts';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';
import {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  startEmbeddedDatabase,
} from '@servery/postgres/embedded.ts';
import { EmbeddedDatabaseError, isClosedForCopy } from '@servery/postgres/postgres-error.ts';
import { checkDatabaseSafety } from '@servery/postgres/safety.ts';
import type { Secret } from '@servery/support/secret.ts';
import { connectDatabase, type Database, type DatabaseOptions } from './database.ts';
import { claimKind, type EnvironmentKind } from './environment.ts';
import { migratePlatform } from './migrations.ts';
import { placeOf, unreachedBecause } from './unreached.ts';

export interface DatabaseConfig {
  /** Null for the embedded server. */
  readonly databaseUrl: Secret | null;
  readonly databasePool: number;
  readonly dataDir: string;
  readonly kind: EnvironmentKind;
}

export type TimeLimits = Pick<DatabaseOptions, 'statementTimeoutMs' | 'idleTransactionTimeoutMs'>;

export interface OpenOptions extends TimeLimits {
  /** May be called more than once, when an embedded database works and this process is free. */
  readonly onBegun?: () => void;
}

/** `close` also gives up this process's share in an embedded database. */
export interface OpenDatabase {
  /** Contains the password. */
  readonly url: string;
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Applies pending migrations. Throws an Error that says what to do if there is no database, this
 * program cannot use it, or production could lose acknowledged data.
 */
export async function openDatabase(
  config: DatabaseConfig,
  onProgress: (line: string) => void,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  const { url, database, close } = await reachDatabase(config, onProgress, options);
  try {
    if (config.kind === 'production') await refuseUnsafe(database);
    await migratePlatform(database, { onApply: (file) => onProgress(`migrating: ${file}`) });
    await claimKind(database, config.kind);
    return { url, database, close };
  } catch (error) {
    await close();
    throw explained(error, config);
  }
}

/** Changes nothing. Throws an Error that says what to do if the database cannot be reached. */
export async function reachDatabase(
  config: DatabaseConfig,
  onProgress: (line: string) => void,
  { onBegun = () => {}, ...timeLimits }: OpenOptions = {},
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl
    ? null
    : await startOwnPostgres({ dataDir: config.dataDir, onProgress, onBegun });
  const url = embedded?.url ?? config.databaseUrl?.reveal() ?? '';
  const database = connectDatabase({ url, poolSize: config.databasePool, ...timeLimits });
  const close = async () => {
    await database.close();
    await embedded?.stop();
  };
  try {
    await requireAnswer(database, url);
    return { database, url, close };
  } catch (error) {
    await close();
    throw explained(error, config);
  }
}

async function requireAnswer({ sql }: Database, url: string): Promise<void> {
  try {
    await sql`select 1 as answer`;
  } catch (error) {
    if (!isClosedForCopy(error)) throw error;
    // A process that copied it into a sandbox may have died. One that still copies it waits.
    const copies = connectCopies(url, 'servery');
    await copies.open(parseDatabaseUrl(url).database).finally(() => copies.end());
    await sql`select 1 as answer`;
  }
}

/** Throws an Error that says what to do. */
export async function startOwnPostgres(
  options: Omit<EmbeddedDatabaseOptions, 'name'>,
): Promise<EmbeddedDatabase> {
  try {
    return await startEmbeddedDatabase({ ...options, name: 'servery' });
  } catch (error) {
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    const settings =
      'SERVERY_DATA_DIR names the data folder, and DATABASE_URL a PostgreSQL 15 or newer to use ' +
      'instead of the embedded one.';
    throw new Error(`${error.message}\n${settings}`, { cause: error });
  }
}

function explained(error: unknown, { databaseUrl }: DatabaseConfig): unknown {
  if (databaseUrl === null) return error;
  const url = databaseUrl.reveal();
  const reasons: Record<string, string> = {
    '25006':
      'it is read-only: name the primary, or all hosts with ?target_session_attrs=read-write',
    '42501': 'this user may not create tables: give it the database',
  };
  const advice: Record<string, string> = {
    '3D000': ': create it',
    ECONNREFUSED: ': start PostgreSQL, or correct the address',
  };
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = reasons[code] ?? unreachedBecause(error, url);
  if (reason === undefined) return error;
  const told = `${reason}${advice[code] ?? ''}`;
  return new Error(`DATABASE_URL (${placeOf(url)}) cannot be used: ${told}.`, { cause: error });
}

async function refuseUnsafe(database: Database): Promise<void> {
  const facts = await checkDatabaseSafety(database.sql);
  if (facts.length > 0) {
    throw new Error(`This database is not safe for production:\n- ${facts.join('\n- ')}`);
  }
}
