import { formatDatabaseUrl } from '@servery/postgres/database-url.ts';
import { joinServer } from '@servery/postgres/keeper.ts';
import { type Cluster, isRunning, openCluster } from '@servery/postgres/postgres-cluster.ts';
import {
  chooseListening,
  findPostmaster,
  type Listening,
  startServer,
} from '@servery/postgres/postmaster.ts';
import { sleep } from '@servery/support/timer.ts';
import type { Victim } from './kept-process.ts';

/** A PostgreSQL that belongs to this run alone; everything is forced to disk (fsync is on). */
export interface CrashCluster extends Victim {
  /** Of its database, with its password. */
  readonly url: string;
  /** All ways to it, if there are several: the servers take one each, in turn. */
  readonly urls?: readonly string[];
  /** The other nodes of a distributed one. */
  readonly workers: readonly Victim[];
}

const POLL_MS = 20;
const START_LIMIT_MS = 60_000;

/** Makes the files of a cluster in a folder, with the embedded programs; it is not started yet. */
export async function crashCluster(folder: string): Promise<CrashCluster> {
  const cluster = await openCluster('servery', folder, true, {
    onProgress: () => {},
    onBegun: () => {},
  });
  const listening = await chooseListening(cluster);
  let pid = 0;
  process.once('exit', () => killNow(pid));
  return {
    name: 'postgres',
    url: urlOf(cluster, listening, cluster.name),
    workers: [],
    isUp: () => pid !== 0,
    async kill() {
      const killed = pid;
      pid = 0;
      killNow(killed);
      while (killed !== 0 && isRunning(killed)) await sleep(POLL_MS);
    },
    async start() {
      pid = await startAndWait(cluster, listening);
    },
  };
}

function killNow(pid: number): void {
  try {
    if (pid !== 0) process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function urlOf(cluster: Cluster, listening: Listening, database: string): string {
  const { name: user, password } = cluster;
  return formatDatabaseUrl({ ...listening, user, password, database });
}

/** The children of a killed server live a moment longer: until then a new one cannot start. */
async function startAndWait(cluster: Cluster, listening: Listening): Promise<number> {
  const limitAt = performance.now() + START_LIMIT_MS;
  const url = urlOf(cluster, listening, 'postgres');
  for (let server = await startServer(cluster, listening, true); ; await sleep(POLL_MS)) {
    const failure = await server.failure();
    if (performance.now() > limitAt) throw new Error(`PostgreSQL does not start: ${failure}`);
    if (failure !== null) {
      server = await startServer(cluster, listening, true);
      continue;
    }
    const running = await findPostmaster(cluster);
    if (running?.pid !== server.pid || !running.listening) continue;
    const share = await joinServer(url, cluster.name);
    if (share === 'busy' || share === 'silent') continue;
    await share.leave();
    return server.pid;
  }
}
