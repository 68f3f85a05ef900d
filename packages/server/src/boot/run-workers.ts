import { fileURLToPath } from 'node:url';
import type { EmbeddedDatabase } from '@servery/postgres/embedded.ts';
import { newGuid } from '@servery/support/ids.ts';
import { sleep } from '@servery/support/timer.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { connectDatabase } from '../database/database.ts';
import { startOwnPostgres } from '../database/open.ts';
import { chooseFreePort } from '../http/edge/free-port.ts';
import { createLog } from '../support/log.ts';
import { createMetrics } from '../support/metrics.ts';
import { checkBeforeStart } from './before-start.ts';
import type { Platform } from './server.ts';
import { examineConnections } from './workers/connections.ts';
import { startWorkers, type Workers } from './workers/supervise.ts';

export interface WorkersOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: readonly string[];
  readonly onProgress: (line: string) => void;
}

const WORKER_MAIN = fileURLToPath(new URL('./worker-main.ts', import.meta.url));

/**
 * Starts several processes that serve one port. This process serves no request: it counts for all,
 * replaces dead workers, and shares the embedded database so that it outlives them. Throws an Error
 * that says what to do, and stops what it started.
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
    if (databaseUrl === null) embedded = await startOwnPostgres({ dataDir, onProgress });
    // Check first: sixty workers take minutes to load and to end.
    await checkConnections(config, embedded, onProgress);
    workers = startWorkers({
      exec: WORKER_MAIN,
      args: options.flags,
      env: options.env,
      count: config.workers,
      log: createLog(config.logLevel),
      metrics: createMetrics(manifest.version),
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

/** Port 0 must be resolved here, because all workers listen on the same port. */
async function portOf({ host, port }: { host: string; port: number }): Promise<number> {
  return port === 0 ? await chooseFreePort(host) : port;
}

/** Without this check, workers would fail one by one under load. */
async function checkConnections(
  config: Config,
  embedded: EmbeddedDatabase | null,
  onProgress: (line: string) => void,
): Promise<void> {
  const url = embedded?.url ?? config.databaseUrl?.reveal() ?? '';
  const database = connectDatabase({ url, poolSize: 1 });
  // The first worker explains why the database does not answer.
  const trouble = await examineConnections(config, database.sql)
    .catch(() => null)
    .finally(() => database.close());
  if (trouble === null) return;
  const text = `${trouble.found}: ${trouble.fix}`;
  // Another database may stand behind a pooler.
  if (embedded) throw new Error(`${text}.`);
  onProgress(`${text} (a connection pooler may make up for it)`);
}
