import { execFile } from 'node:child_process';
import { appendFile, chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { monotonicMs } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase, type Database } from '../src/database.ts';
import { formatDatabaseUrl } from '../src/database-url.ts';
import { type Cluster, openCluster } from '../src/postgres-cluster.ts';
import { findPostmaster, type Listening, startServer, stopServer } from '../src/postmaster.ts';

const NAME = 'servery';
const TELLING = { onProgress: () => {}, onBegun: () => {} };
const POLL_MS = 100;
const START_LIMIT_MS = 60_000;
const run = promisify(execFile);

/** One of two servers: the other follows it, or it follows the other. */
interface TestedServer {
  readonly url: string;
  /** For looking at it, and for pausing it. */
  readonly database: Database;
  /** Resolves once it accepts connections. */
  start(): Promise<void>;
  /** Sends a signal to the server and all its processes. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
}

export interface TestedReplica extends TestedServer {
  /** Lets it lag: it repeats nothing more that the primary does, once this has resolved. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface ReplicatedServer {
  readonly primary: TestedServer;
  readonly replica: TestedReplica;
  /** The data folders of both. */
  readonly dataFolders: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a primary below `folder`, and makes its replica, which does not run yet. They listen at two
 * ports of 127.0.0.1: their account may not be able to enter the folder of a socket.
 */
export async function startReplicatedServer(
  folder: string,
  [port, portOfReplica]: readonly [number, number],
): Promise<ReplicatedServer> {
  const [ofPrimary, ofReplica] = [path.join(folder, 'primary'), path.join(folder, 'replica')];
  const cluster = await openCluster(NAME, ofPrimary, false, TELLING);
  // From the files of a server that has never run, a replica repeats everything.
  await run('cp', ['-a', ofPrimary, ofReplica]);
  const copy = await openCluster(NAME, ofReplica, false, TELLING);
  await follow(copy, port);
  const primary = testedServer(cluster, port, 'postgres');
  const replica = testedReplica(copy, portOfReplica);
  await primary.start();
  await primary.database.sql.unsafe(`create database ${NAME}`);
  await primary.database.close();
  const main = testedServer(cluster, port, NAME);
  return {
    primary: main,
    replica,
    dataFolders: [cluster.dataFolder, copy.dataFolder],
    stop: async () => {
      await Promise.all([main.database.close(), replica.database.close()]);
      for (const each of [copy, cluster]) {
        const running = await findPostmaster(each);
        if (running) await stopServer(each, running.pid);
      }
    },
  };
}

async function follow({ dataFolder, account, password }: Cluster, port: number): Promise<void> {
  const settings = path.join(dataFolder, 'postgresql.auto.conf');
  const address = `host=127.0.0.1 port=${port} user=${NAME} password=${password}`;
  await appendFile(
    settings,
    `primary_conninfo = '${address}'\nwal_retrieve_retry_interval = 100\n`,
  );
  const mark = path.join(dataFolder, 'standby.signal');
  await writeFile(mark, '');
  if (account) await chown(mark, account.uid, account.gid);
}

function testedServer(cluster: Cluster, port: number, name: string): TestedServer {
  const listening: Listening = { folder: null, port };
  const { name: user, password } = cluster;
  const url = formatDatabaseUrl({ ...listening, user, password, database: name });
  const database = connectDatabase({ url, poolSize: 1 });
  return {
    url,
    database,
    async start() {
      const { failure } = await startServer(cluster, listening, true);
      for (const endMs = monotonicMs() + START_LIMIT_MS; !(await answers(database)); ) {
        const complaints = (await failure()) ?? (monotonicMs() > endMs ? 'no answer' : null);
        if (complaints !== null) throw new Error(complaints);
        await sleep(POLL_MS);
      }
    },
    async signal(signal) {
      const pid = (await findPostmaster(cluster))?.pid;
      if (pid === undefined) throw new Error('the server does not run');
      // What a killed server leaves must end before another can start.
      const { stdout } = await run('ps', ['-A', '-o', 'ppid=,pid=']);
      const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
      const children = rows.flatMap(([parent, child]) => (parent === pid && child ? [child] : []));
      for (const each of [pid, ...children]) process.kill(each, signal);
    },
  };
}

function testedReplica(cluster: Cluster, port: number): TestedReplica {
  const server = testedServer(cluster, port, NAME);
  const { sql } = server.database;
  return {
    ...server,
    async pause() {
      await sql`select pg_wal_replay_pause()`;
      for (;;) {
        const [row] = await sql`select pg_get_wal_replay_pause_state() = 'paused' as stands`;
        if (row?.stands) return;
        await sleep(POLL_MS);
      }
    },
    async resume() {
      await sql`select pg_wal_replay_resume()`;
    },
  };
}

const answers = ({ sql }: Database) =>
  sql`select`.then(
    () => true,
    () => false,
  );
