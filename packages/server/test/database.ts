import { createHash, randomBytes } from 'node:crypto';
import { withDatabase } from '@servery/postgres/database-url.ts';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { startTestServer, TEST_SERVER_VARIABLE } from '../../postgres/test/global-setup.ts';
import { connectDatabase, type Database, type Sql } from '../src/database/database.ts';
import { migratePlatform, readPlatformMigrations } from '../src/database/migrations.ts';

/** A database of its own for one test file: fresh, migrated, empty. */
export interface TestDatabase {
  /** For what connects by itself, such as a server under test. */
  readonly url: string;
  readonly database: Database;
  /** Ends its connections and removes it. */
  drop(): Promise<void>;
}

let server: Promise<string> | undefined;
let template: Promise<string> | undefined;

/**
 * Clones the migrated template, which takes about 20 ms. Call it in `before` and `drop` in `after`.
 * The server is the one of this test run; a file that is run alone starts its own.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = await useServer();
  template ??= createTemplate(serverUrl);
  // File by file is a fraction of the work of page by page through the log, the default.
  return await createDatabase(serverUrl, `template ${await template} strategy file_copy`);
}

/** A database without any table, for tests of what makes tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await createDatabase(await useServer(), '');
}

/** Gives this file a server of its own in any case: for tests of what others leave on theirs. */
export async function useOwnServer(): Promise<void> {
  server ??= startOwnServer();
  await server;
}

/** How many sessions of a database wait for what another transaction holds. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
}

async function useServer(): Promise<string> {
  server ??= findServer();
  return await server;
}

async function createDatabase(serverUrl: string, options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `create database ${name} ${options}`);
  const url = withDatabase(serverUrl, name);
  const database = connectDatabase({ url });
  return {
    url,
    database,
    drop: async () => {
      await database.close();
      await administer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function findServer(): Promise<string> {
  const given = process.env[TEST_SERVER_VARIABLE];
  return given ? given : await startOwnServer();
}

async function startOwnServer(): Promise<string> {
  const own = await startTestServer();
  process.once('beforeExit', () => own.stop());
  return own.url;
}

/** Made once per server and state of the migrations, whoever comes first. */
async function createTemplate(serverUrl: string): Promise<string> {
  const migrations = await readPlatformMigrations();
  const checksum = createHash('sha256');
  for (const migration of migrations)
    checksum.update(`${migration.fileName} ${migration.checksum}`);
  const name = `template_${checksum.digest('hex').slice(0, 24)}`;
  if (await exists(serverUrl, name)) return name;
  const draft = `draft_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `create database ${draft}`);
  const database = connectDatabase({ url: withDatabase(serverUrl, draft), poolSize: 1 });
  try {
    await migratePlatform(database);
  } finally {
    await database.close();
  }
  try {
    await administer(serverUrl, `alter database ${draft} rename to ${name}`);
  } catch (error) {
    // Another test file was faster.
    if (!isSqlState(error, '42P04')) throw error;
    await administer(serverUrl, `drop database ${draft}`);
  }
  return name;
}

async function exists(serverUrl: string, name: string): Promise<boolean> {
  const database = connectDatabase({ url: serverUrl, poolSize: 1 });
  try {
    const rows = await database.sql`select 1 as found from pg_database where datname = ${name}`;
    return rows.length > 0;
  } finally {
    await database.close();
  }
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const database = connectDatabase({ url: serverUrl, poolSize: 1 });
  try {
    await database.sql.unsafe(statement);
  } finally {
    await database.close();
  }
}
