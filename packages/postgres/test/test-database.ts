import { randomBytes } from 'node:crypto';
import { type Connection, Connector } from '../src/connector.ts';
import { connectDatabase, type Database } from '../src/database.ts';
import { parseDatabaseUrl, withDatabase } from '../src/database-url.ts';
import { startTestServer, TEST_SERVER_VARIABLE } from './global-setup.ts';

/** A database that one test file has to itself. */
export interface TestDatabase<Connected = Database> {
  readonly url: string;
  readonly database: Connected;
  /** Ends its connections and removes it. */
  drop(): Promise<void>;
}

let server: Promise<string> | undefined;
let administration: Promise<Connection> | undefined;
let running = 0;

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
  await runOnServer(`create database ${name} ${options}`);
  const url = withDatabase(serverUrl, name);
  const database = connect(url);
  return {
    url,
    database,
    drop: async () => {
      await database.close();
      await runOnServer(`drop database ${name} with (force)`);
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

/**
 * Runs a statement on the server, outside of any test's database. All of this process share the
 * connection, because to connect costs as much as to make a database.
 */
export async function runOnServer(statement: string): Promise<readonly unknown[]> {
  administration ??= connectToServer();
  const { driver, socket } = await administration;
  running += 1;
  socket.ref();
  try {
    return await driver.unsafe(statement);
  } finally {
    running -= 1;
    // The process must not live for it.
    if (running === 0) socket.unref();
  }
}

async function connectToServer(): Promise<Connection> {
  const address = parseDatabaseUrl(await useServer());
  const connector = new Connector({ address, settings: {}, connectTimeoutMs: 10_000 });
  return await connector.connect(() => {
    administration = undefined;
  });
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
