import { createHash, randomBytes } from 'node:crypto';
import { withDatabase } from '@servery/postgres/database-url.ts';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import {
  createDatabase,
  runOnServer,
  type TestDatabase as TestDatabaseOf,
  useServer,
} from '../../postgres/test/test-database.ts';
import { connectDatabase, type Database, type Sql } from '../src/database/database.ts';
import { migratePlatform, readPlatformMigrations } from '../src/database/migrations.ts';

export { useOwnServer } from '../../postgres/test/test-database.ts';

/** A database that one test file has to itself. */
export type TestDatabase = TestDatabaseOf<Database>;

let template: Promise<string> | undefined;

/**
 * Makes a database with all tables, and no data. Call it in `before`, and `drop` in `after`. It is a
 * clone of a migrated template, which takes about 20 ms.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  template ??= createTemplate();
  return await connected(clonedFrom(await template));
}

/** The same with the data of another test database, which nobody is connected to. */
export async function cloneTestDatabase(url: string): Promise<TestDatabase> {
  return await connected(clonedFrom(new URL(url).pathname.slice(1)));
}

/** File by file is a fraction of the work of page by page through the log, the default. */
const clonedFrom = (name: string) => `template ${name} strategy file_copy`;

/** Makes a database without any table, for tests of what makes tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await connected('');
}

/** How many sessions of a database wait for what another transaction holds. */
export async function countWaiting(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
}

async function connected(options: string): Promise<TestDatabase> {
  return await createDatabase(options, (url) => connectDatabase({ url }));
}

/** Makes the template once for each server and state of the migrations. */
async function createTemplate(): Promise<string> {
  const serverUrl = await useServer();
  const checksum = createHash('sha256');
  for (const migration of await readPlatformMigrations()) checksum.update(migration.checksum);
  const name = `template_${checksum.digest('hex').slice(0, 24)}`;
  const draft = `draft_${randomBytes(8).toString('hex')}`;
  const found = await runOnServer(`select from pg_database where datname = '${name}'`);
  if (found.length > 0) return name;
  await runOnServer(`create database ${draft}`);
  const database = connectDatabase({ url: withDatabase(serverUrl, draft), poolSize: 1 });
  try {
    await migratePlatform(database);
  } finally {
    await database.close();
  }
  try {
    await runOnServer(`alter database ${draft} rename to ${name}`);
  } catch (error) {
    // Another test file was faster: long before, or at the same moment.
    if (!isSqlState(error, '42P04') && !isSqlState(error, '23505')) throw error;
    await runOnServer(`drop database ${draft}`);
  }
  return name;
}
