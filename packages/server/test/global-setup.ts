import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedDatabase } from '../src/db/embedded.ts';
import { isRunning } from '../src/db/postgres-cluster.ts';

/** Hands the URL of the run's PostgreSQL on to its test files; set it to use another server. */
export const TEST_SERVER_VARIABLE = 'SERVERY_TEST_DATABASE_URL';

const FOLDER_PREFIX = 'servery-test-';

/** A PostgreSQL for tests: empty, in a temporary folder, nothing forced to disk. */
export interface TestServer {
  readonly url: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

let runServer: TestServer | undefined;

/** Called by `node --test --test-global-setup` before the first test file. */
export async function globalSetup(): Promise<void> {
  if (process.env[TEST_SERVER_VARIABLE]) return;
  runServer = await startTestServer();
  process.env[TEST_SERVER_VARIABLE] = runServer.url;
}

/** Called after the last test file. */
export async function globalTeardown(): Promise<void> {
  await runServer?.stop();
}

/** Starts a server that ends with this process, and removes what killed runs left behind. */
export async function startTestServer(): Promise<TestServer> {
  await removeAbandoned();
  const folder = await mkdtemp(path.join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  const endAbruptly = () => {
    kill(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  };
  process.once('exit', endAbruptly);
  const server = await startEmbeddedDatabase({ dataDir: folder, isDurable: false });
  return {
    url: server.url,
    stop: async () => {
      process.off('exit', endAbruptly);
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function kill(folder: string): void {
  try {
    const pidFile = readFileSync(path.join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8');
    // Immediate shutdown: nothing here is worth keeping.
    process.kill(Number.parseInt(pidFile, 10), 'SIGQUIT');
  } catch {
    // It has ended already.
  }
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = path.join(tmpdir(), name);
    // Other users' folders are theirs to remove.
    if ((await readFile(path.join(folder, 'postgres', 'password')).catch(() => null)) === null) {
      continue;
    }
    kill(folder);
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
