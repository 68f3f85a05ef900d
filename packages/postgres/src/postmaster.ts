import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chown,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { monotonicMs } from '@servery/support/clock.ts';
import { startChild } from '@servery/support/start-child.ts';
import { sleep } from '@servery/support/timer.ts';
import { canEnter } from './postgres-account.ts';
import { type Cluster, identityOf, isRunning } from './postgres-cluster.ts';
import { EmbeddedDatabaseError } from './postgres-error.ts';

export interface Listening {
  /** The folder of its Unix socket; null when it listens on 127.0.0.1. */
  readonly folder: string | null;
  readonly port: number;
}

export interface Postmaster {
  readonly pid: number;
  /** Null while it is starting. */
  readonly listening: Listening | null;
}

export interface StartedServer {
  readonly pid: number;
  /** Its complaints after it has ended; null while it runs. */
  failure(): Promise<string> | null;
}

const run = promisify(execFile);
const PID_FILE = 'postmaster.pid';
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
// It only names the socket; nothing listens on this port.
const SOCKET_PORT = 5432;
const SOCKET_PATH_LIMIT_BYTES = 100;
const COMPLAINT_LINES = 8;
const END_POLL_MS = 5;
const FAST_STOP_LIMIT_MS = 60_000;

const COMMON_SETTINGS = {
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  jit: 'off',
  // Parallel workers need more shared memory than containers commonly have.
  max_parallel_workers_per_gather: '0',
  max_wal_size: '512MB',
  // Each sandbox in use takes up to three.
  max_connections: '700',
};
const DURABLE_SETTINGS = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
const FORGETFUL_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '64MB',
};

/** Null if there is no server, or it is dead. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const file = path.join(cluster.dataFolder, PID_FILE);
  const text = await readFile(file, 'utf8').catch(() => '');
  const [pidText = '', , , portText, socketFolder] = text.split('\n');
  const pid = Math.abs(Number.parseInt(pidText, 10));
  if (!pid || !isRunning(pid)) return null;
  if (!(await serves(pid, cluster))) {
    await removeStale(file, text);
    return null;
  }
  if (!portText || socketFolder === undefined) return { pid, listening: null };
  const folder = socketFolder === '.' ? cluster.dataFolder : socketFolder || null;
  return { pid, listening: { folder, port: Number(portText) } };
}

export async function chooseListening(cluster: Cluster): Promise<Listening> {
  if (process.platform === 'win32') return { folder: null, port: await findFreePort() };
  const isShort = socketLength(cluster.dataFolder) <= SOCKET_PATH_LIMIT_BYTES;
  return {
    folder: isShort ? cluster.dataFolder : await makeShortSocketFolder(cluster),
    port: SOCKET_PORT,
  };
}

/**
 * Starts a server in its own session, so that neither a Ctrl-C in the terminal nor the death of
 * this process ends it.
 */
export async function startServer(
  cluster: Cluster,
  listening: Listening,
  isDurable: boolean,
): Promise<StartedServer> {
  const log = await openLog(cluster.logFile);
  const { size: logStart } = await log.stat();
  const settings = {
    ...COMMON_SETTINGS,
    cluster_name: cluster.name,
    ...(isDurable ? DURABLE_SETTINGS : FORGETFUL_SETTINGS),
    port: String(listening.port),
    listen_addresses: listening.folder === null ? '127.0.0.1' : '',
    // A relative name works even if the account cannot enter the folders above.
    unix_socket_directories: listening.folder === cluster.dataFolder ? '.' : listening.folder || '',
  };
  const child = await startChild(
    cluster.binaries.postgres,
    [
      '-D',
      cluster.dataFolderArgument,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...identityOf(cluster),
      cwd: cluster.dataFolder,
      // This process's environment may hold secrets.
      env: {},
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    },
  )
    .catch((error: Error) => {
      throw new EmbeddedDatabaseError(error.message, error);
    })
    .finally(() => log.close());
  child.unref();
  const { pid } = child;
  // A signal to 0 would go to this process and all its children.
  if (pid === undefined) throw new EmbeddedDatabaseError('PostgreSQL started without a process ID');
  return {
    pid,
    failure: () =>
      child.exitCode === null && child.signalCode === null
        ? null
        : readComplaints(cluster.logFile, logStart, pid),
  };
}

/** Waits for its end. Open transactions are rolled back. */
export async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  if (process.platform === 'win32') {
    await run(cluster.binaries.pgCtl, ['stop', '-D', cluster.dataFolder, '-m', 'fast', '-w']);
    return;
  }
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  const startedAt = monotonicMs();
  while ((await findPostmaster(cluster))?.pid === pid) {
    if (monotonicMs() - startedAt > FAST_STOP_LIMIT_MS) {
      throw new EmbeddedDatabaseError(`PostgreSQL (process ${pid}) does not end; see its log`);
    }
    await sleep(END_POLL_MS);
  }
}

/** Tells a live server of this data folder from a stranger that got the same process id. */
async function serves(pid: number, cluster: Cluster): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const uid = cluster.account?.uid ?? process.getuid?.();
  if (process.platform === 'linux') {
    try {
      if ((await stat(`/proc/${pid}`)).uid !== uid) return false;
      // A process that has ended, but whose parent has not waited for it, has no working folder.
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster.dataFolder));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  }
  const asked = run('ps', ['-o', 'uid=,stat=,command=', '-p', String(pid)]);
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  const [owner, state, ...command] = stdout.trim().split(/\s+/);
  const isServer = command.join(' ').includes('postgres') && !state?.startsWith('Z');
  return isServer && Number(owner) >>> 0 === uid;
}

/** PostgreSQL believes a file that names any living process, so one that names a stranger must go. */
async function removeStale(file: string, expected: string): Promise<void> {
  const aside = `${file}.stale-${process.pid}`;
  try {
    await rename(file, aside);
    // If a new server has just written its own, put that back.
    if ((await readFile(aside, 'utf8')) !== expected) await link(aside, file);
    await rm(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function socketLength(folder: string): number {
  return Buffer.byteLength(path.join(folder, `.s.PGSQL.${SOCKET_PORT}`));
}

async function makeShortSocketFolder(cluster: Cluster): Promise<string> {
  const hash = createHash('sha256').update(cluster.dataFolder).digest('hex');
  const name = `${cluster.name}-${hash.slice(0, 16)}`;
  const own = path.join(tmpdir(), name);
  const isUsable =
    socketLength(own) <= SOCKET_PATH_LIMIT_BYTES &&
    (cluster.account === null || (await canEnter(cluster.account, tmpdir())));
  const folder = isUsable ? own : `/tmp/${name}`;
  const uid = cluster.account?.uid ?? process.getuid?.();
  try {
    await mkdir(folder, { mode: 0o700 });
    if (cluster.account) await chown(folder, cluster.account.uid, cluster.account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new EmbeddedDatabaseError(
      `${folder}, where the database's socket belongs, is open to others; remove it, or choose a` +
        ' data folder with a shorter path',
    );
  }
  return folder;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function openLog(file: string) {
  const log = await open(file, 'a', 0o600);
  if ((await log.stat()).size < LOG_LIMIT_BYTES) return log;
  await log.close();
  await rename(file, `${file}.old`);
  return await open(file, 'a', 0o600);
}

async function readComplaints(logFile: string, start: number, pid: number): Promise<string> {
  const text = (await readFile(logFile)).subarray(start).toString('utf8');
  // Several servers may write here if several processes start at once.
  const lines = text.split('\n').filter((line) => {
    const writer = /^\S+ \S+ \S+ \[(\d+)\] /.exec(line)?.[1];
    return line !== '' && (writer === undefined || Number(writer) === pid);
  });
  return lines.slice(-COMPLAINT_LINES).join('\n') || `see ${logFile}`;
}
