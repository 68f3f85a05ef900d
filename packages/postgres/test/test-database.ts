import { randomBytes } from 'node:crypto';
import { connectDatabase, type Database } from '../src/database.ts';
import { withDatabase } from '../src/database-url.ts';
import type { Sql } from '../src/sql.ts';
import { startTestServer, TEST_SERVER_VARIABLE } from './global-setup.ts';

/** A database that one test file has to itself. */
export interface TestDatabase<Connected = Database> {
  readonly url: string;
  readonly database: Connected;
  /** Ends its connections and removes it. */
  drop(): Promise<void>;
}

let server: Promise<string> | undefined;

/** Makes a database without any table. Call it in `before`, and `drop` in `after`. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await createDatabase('', (url) => connectDatabase({ url }));
}

/** Makes a database with these options of CREATE DATABASE. */
export async function createDatabase<Connected extends Pick<Database, 'close'>>(
  options: string,
  connect: (url: string) => Connected,
): Promise<TestDatabase<Connected>> {
  const serverUrl = await useServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, (sql) => sql.unsafe(`create database ${name} ${options}`));
  const url = withDatabase(serverUrl, name);
  const database = connect(url);
  return {
    url,
    database,
    drop: async () => {
      await database.close();
      await administer(serverUrl, (sql) => sql.unsafe(`drop database ${name} with (force)`));
    },
  };
}

/** The server of this test run; a file that is run alone starts its own. */
export async function useServer(): Promise<string> {
  server ??= findServer();
  return await server;
}

/** Gives this file a server of its own: for tests of what others leave on theirs, or that crash it. */
export async function useOwnServer(): Promise<void> {
  if (server) throw new Error('this process has a server already: see APART in test-group.ts');
  server = startOwnServer();
  await server;
}

/** Runs `work` on a connection of its own. */
export async function administer<Result>(
  url: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const database = connectDatabase({ url, poolSize: 1 });
  try {
    return await work(database.sql);
  } finally {
    await database.close();
  }
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
