import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf, urlOf } from './database.ts';
import {
  DATA_FOLDER,
  type MeasuredPlatform,
  makeFolder,
  productEnvironment,
  startCommand,
} from './platform.ts';
import { MEASURED_CORE, type StartedProcess, startProcess } from './processes.ts';

/** Servers on one database; the first one is the platform that has it. */
export interface Fleet extends AsyncDisposable {
  readonly servers: readonly FleetServer[];
}

/** A server, and headers of a request that all servers of its fleet accept. */
export type FleetServer = StartedProcess & Pick<MeasuredPlatform, 'headers'>;

/** Starts servers beside that of a platform, as on other machines. Disposing it leaves the platform. */
export async function startFleet(platform: MeasuredPlatform, size: number): Promise<Fleet> {
  const beside: FleetServer[] = [];
  const stop = async () => {
    for (const server of beside) await server[Symbol.asyncDispose]();
  };
  try {
    while (beside.length < size - 1) beside.push(await startBeside(platform));
  } catch (error) {
    await stop();
    throw error;
  }
  return { servers: [platform, ...beside], [Symbol.asyncDispose]: stop };
}

async function startBeside(platform: MeasuredPlatform): Promise<FleetServer> {
  const folder = await makeFolder();
  const start = await startCommand();
  const env = productEnvironment({
    ...start.env,
    DATABASE_URL: urlOf(await addressOf(platform)),
    SERVERY_MASTER_KEY: (await readFile(join(platform.dataDir, 'master.key'), 'utf8')).trim(),
    // Tokens of the one are good at the other.
    SERVERY_PUBLIC_URL: platform.url,
  });
  const started = await startProcess(
    [...start.args, '--port', '0', '--data-dir', join(folder, DATA_FOLDER)],
    { cores: MEASURED_CORE, logFile: join(folder, 'log'), env },
  );
  return {
    ...started,
    headers: platform.headers,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
