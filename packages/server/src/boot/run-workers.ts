import { fileURLToPath } from 'node:url';
import { findConnectionLimit } from '@servery/postgres/connection-limit.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '@servery/postgres/embedded.ts';
import { newGuid } from '@servery/support/ids.ts';
import { sleep } from '@servery/support/timer.ts';
import type { Config } from '../config/config.ts';
import { connectDatabase } from '../database/database.ts';
import { chooseFreePort } from '../http/edge/free-port.ts';
import { createLog } from '../support/log.ts';
import { createMetrics } from '../support/metrics.ts';
import { checkBeforeStart } from './before-start.ts';
import { programVersion } from './observe.ts';
import type { Platform } from './server.ts';
import { tooManyConnections } from './workers/connections.ts';
import { startWorkers, type Workers } from './workers/supervise.ts';

/** What the workers are started with beside the configuration, which each of them reads again. */
export interface WorkersOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: readonly string[];
  /** Gets a short line for each step that takes time. */
  readonly onProgress: (line: string) => void;
}

const WORKER_MAIN = fileURLToPath(new URL('./worker-main.ts', import.meta.url));

/**
 * Starts the platform in several processes that serve one port. This process serves no request: it
 * counts for all of them, replaces one that dies, and has a share in the embedded database, which
 * so outlives them. Throws an Error that says what to do; whatever it had started is stopped.
 */
export async function startWithWorkers(config: Config, options: WorkersOptions): Promise<Platform> {
  await checkBeforeStart(config);
  const { onProgress } = options;
  const { dataDir, databaseUrl } = config;
  let embedded: EmbeddedDatabase | null = null;
  let workers: Workers | null = null;
  const stop = async () => {
    await workers?.stop();
    await embedded?.stop();
  };
  try {
    if (databaseUrl === null) embedded = await startEmbeddedDatabase({ dataDir, onProgress });
    // Before any is started: sixty of them take minutes to load, and as long to end again.
    await checkConnections(config, embedded, onProgress);
    workers = startWorkers({
      exec: WORKER_MAIN,
      args: options.flags,
      env: options.env,
      count: config.workers,
      log: createLog(config.logLevel),
      metrics: createMetrics(programVersion),
      pause: sleep,
    });
    const port = await portOf(config);
    const tlsPort = config.tls ? await portOf(config.tls) : 0;
    const { url, tlsUrl, greeting } = await workers.begin({ groupId: newGuid(), port, tlsPort });
    return { url, tlsUrl, greeting, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All workers listen on the same port: one of them cannot choose it for the others. */
async function portOf({ host, port }: { host: string; port: number }): Promise<number> {
  return port === 0 ? await chooseFreePort(host) : port;
}

/** Workers that find no connection left would fail one by one, under load, and not at once. */
async function checkConnections(
  { workers, databasePool, databaseUrl }: Config,
  embedded: EmbeddedDatabase | null,
  onProgress: (line: string) => void,
): Promise<void> {
  const url = embedded?.url ?? databaseUrl?.reveal() ?? '';
  const database = connectDatabase({ url, poolSize: 1 });
  // What is the matter with a database that cannot be asked, the first worker tells.
  const limit = await findConnectionLimit(database.sql)
    .catch(() => Number.POSITIVE_INFINITY)
    .finally(() => database.close());
  const text = tooManyConnections({ workers, databasePool, isEmbedded: embedded !== null, limit });
  if (text === null) return;
  // Another database may stand behind a pooler, which shares its connections out.
  if (embedded) throw new Error(`${text}.`);
  onProgress(`${text} (a pooler in between may make that good)`);
}
