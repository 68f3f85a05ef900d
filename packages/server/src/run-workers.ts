import { fileURLToPath } from 'node:url';
import { checkBeforeStart } from './before-start.ts';
import type { Config } from './config.ts';
import { findConnectionLimit } from './db/connection-limit.ts';
import { connectDatabase } from './db/database.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './db/embedded.ts';
import { chooseFreePort } from './http/free-port.ts';
import { programVersion } from './observe.ts';
import { machineTimer } from './payments/processors/deadline.ts';
import type { Platform } from './server.ts';
import { newGuid } from './support/ids.ts';
import { createLog } from './support/log.ts';
import { createMetrics } from './support/metrics.ts';
import { startWorkers } from './workers/supervise.ts';

/** What the workers are started with beside the configuration, which each of them reads again. */
export interface WorkersOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: readonly string[];
  /** Gets a short line for each step that takes time. */
  readonly onProgress: (line: string) => void;
}

const WORKER_MAIN = fileURLToPath(new URL('./worker-main.ts', import.meta.url));

/** A share in the embedded database is a connection too: of each worker and of this process. */
const SHARES_OF_STARTER = 1;
/** Each worker looks what others have changed over a connection beside its pool. */
const LOOKING = 1;

/**
 * Starts the platform in several processes that serve one port. This process serves no request: it
 * counts for all of them, replaces one that dies, and has a share in the embedded database, which
 * so outlives them. Throws an Error that says what to do; whatever it had started is stopped.
 */
export async function startWithWorkers(config: Config, options: WorkersOptions): Promise<Platform> {
  await checkBeforeStart(config);
  const { onProgress } = options;
  const workers = startWorkers({
    exec: WORKER_MAIN,
    args: options.flags,
    env: options.env,
    count: config.workers,
    log: createLog(config.logLevel),
    metrics: createMetrics(programVersion),
    pause: (durationMs, signal) => machineTimer.wait(durationMs, signal),
  });
  let embedded: EmbeddedDatabase | null = null;
  const stop = async () => {
    await workers.stop();
    await embedded?.stop();
  };
  try {
    const { dataDir, databaseUrl } = config;
    if (databaseUrl === null) embedded = await startEmbeddedDatabase({ dataDir, onProgress });
    await checkConnections(config, embedded, onProgress);
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
  const needed = embedded
    ? workers * (databasePool + LOOKING + 1) + SHARES_OF_STARTER
    : workers * (databasePool + LOOKING);
  const url = embedded?.url ?? databaseUrl?.reveal() ?? '';
  const database = connectDatabase({ url, poolSize: 1 });
  // What is the matter with a database that cannot be asked, the first worker tells.
  const limit = await findConnectionLimit(database.sql)
    .catch(() => Number.POSITIVE_INFINITY)
    .finally(() => database.close());
  if (needed <= limit) return;
  const most = Math.max(2, Math.floor((limit - SHARES_OF_STARTER) / workers) - LOOKING - 1);
  const text =
    `${workers} workers with ${databasePool} database connections each need ${needed} in all, ` +
    `and PostgreSQL gives ${limit}: set SERVERY_DATABASE_POOL to ${most} or less, or start fewer`;
  // Another database may stand behind a pooler, which shares its connections out.
  if (embedded) throw new Error(`${text}.`);
  onProgress(`${text} (a pooler in between may make that good)`);
}
