import { startEmbeddedDatabase } from '../src/embedded.ts';
import { makeTestFolder, removeTestFolder } from './test-folder.ts';

/** Hands the URL of the run's PostgreSQL on to its test files; set it to use another server. */
export const TEST_SERVER_VARIABLE = 'SERVERY_TEST_DATABASE_URL';

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

/** Starts a server that ends with this process. */
export async function startTestServer(): Promise<TestServer> {
  const folder = await makeTestFolder();
  const remove = () => removeTestFolder(folder);
  process.once('exit', remove);
  const server = await startEmbeddedDatabase({
    name: 'servery',
    dataDir: folder,
    isDurable: false,
  });
  return {
    url: server.url,
    stop: async () => {
      process.off('exit', remove);
      await server.stop();
      remove();
    },
  };
}
