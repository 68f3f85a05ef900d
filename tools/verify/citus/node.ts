import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseAccount } from '@servery/postgres/postgres-account.ts';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase, type Database } from '../../../packages/server/src/database/database.ts';
import type { Victim } from '../crash/kept-process.ts';
import { listPostgres, signalOne } from '../crash/postgres-processes.ts';
import { findAnswer } from './cluster-store.ts';

export interface CitusNode extends Victim {
  readonly port: number;
  readonly logFile: string;
}

/** The name of the platform's database, the same on each node. */
export const DATABASE = 'servery';

const START_LIMIT_MS = 60_000;
const POLL_MS = 50;

/** Everything is forced to disk. Half-finished transactions are looked for every second. */
const SETTINGS = `
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 400
citus.node_conninfo = 'sslmode=disable'
citus.recover_2pc_interval = '1s'
citus.shard_count = 8
citus.max_adaptive_executor_pool_size = 1
citus.enable_statistics_collection = off
`;

/** Makes the files of a PostgreSQL of the cluster; it is not started yet. */
export async function citusNode(
  name: string,
  parent: string,
  programs: string,
  port: number,
): Promise<CitusNode> {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  const account = await chooseAccount(folder);
  const who = account ? { uid: account.uid, gid: account.gid } : {};
  if (account) chownSync(folder, account.uid, account.gid);
  const env = { ...process.env, HOME: folder };
  const login = ['-U', 'servery', '--auth', 'trust', '--locale', 'C', '--encoding', 'UTF8'];
  const options = { ...who, env, cwd: folder };
  await promisify(execFile)(join(programs, 'initdb'), ['-D', folder, ...login], options);
  appendFileSync(join(folder, 'postgresql.conf'), `${SETTINGS}port = ${port}\n`);
  const logFile = join(parent, `${name}.log`);
  let child: ChildProcess | null = null;
  process.once('exit', () => child?.kill('SIGKILL'));
  const launch = () => {
    const log = openSync(logFile, 'a');
    const stdio: ['ignore', number, number] = ['ignore', log, log];
    return spawn(join(programs, 'postgres'), ['-D', folder], { ...options, stdio });
  };
  return {
    ...{ name, port, logFile },
    isUp: () => child !== null,
    async kill() {
      const killed = child;
      child = null;
      if (!killed || killed.exitCode !== null || killed.signalCode !== null) return;
      const gone = once(killed, 'exit');
      const pids = listPostgres(folder);
      // All stop first, so that none notices the end of another and finishes its work.
      for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
        for (const pid of pids) signalOne(pid, signal);
      }
      killed.kill('SIGKILL');
      await gone;
    },
    async start() {
      const limitAt = performance.now() + START_LIMIT_MS;
      // The children of a killed server live a moment longer: until then a new one ends at once.
      for (let started = launch(); performance.now() < limitAt; await sleep(POLL_MS)) {
        if (started.exitCode !== null) started = launch();
        if (!(await answers(port))) continue;
        child = started;
        return;
      }
      throw new Error(`${name} does not start: see ${name}.log`);
    },
  };
}

export function urlOf(port: number, database: string): string {
  return `postgres://servery@127.0.0.1:${port}/${database}`;
}

/** Opens a connection for `work`, and closes it afterwards. */
export async function onNode<Result>(
  { port }: Pick<CitusNode, 'port'>,
  work: (database: Database) => Promise<Result>,
  name = DATABASE,
): Promise<Result> {
  const url = urlOf(port, name);
  const database = connectDatabase({ url, poolSize: 2, connectTimeoutMs: 2_000 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await onNode({ port }, ({ sql }) => findAnswer(sql), 'postgres');
    return true;
  } catch {
    return false;
  }
}
