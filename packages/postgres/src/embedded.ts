import path from 'node:path';
import { monotonicMs } from '@servery/support/clock.ts';
import { machineTimer, sleep } from '@servery/support/timer.ts';
import { formatDatabaseUrl } from './database-url.ts';
import { joinServer, type Keeper } from './keeper.ts';
import { removeLeftCopies } from './left-copies.ts';
import { type Cluster, openCluster, type Telling } from './postgres-cluster.ts';
import { EmbeddedDatabaseError, isSqlState } from './postgres-error.ts';
import {
  chooseListening,
  findPostmaster,
  type Listening,
  type StartedServer,
  startServer,
  stopServer,
} from './postmaster.ts';

export interface EmbeddedDatabaseOptions extends Partial<Telling> {
  /** Lower-case letters: the database and its superuser, and what it needs outside of `dataDir`. */
  readonly name: string;
  /** PostgreSQL's files are in `postgres` below it. */
  readonly dataDir: string;
  /** False for tests only: nothing is forced to disk, and a crash of the machine loses it. */
  readonly isDurable?: boolean;
}

export interface EmbeddedDatabase {
  /** With its password; for `connectDatabase`. */
  readonly url: string;
  /**
   * Gives this process's share back; the last process stops the server. Close the pools first: the
   * server ends their transactions. May be called again.
   */
  stop(): Promise<void>;
}

interface Share {
  readonly keeper: Keeper;
  readonly pid: number;
  readonly listening: Listening;
  /** True if this process has started the server. */
  readonly isStarted: boolean;
}

const POLL_MS = 5;
/** How long a server may live without accepting connections before it counts as stuck. */
const SILENCE_LIMIT_MS = 60_000;
const RESTART_PAUSE_MS = 250;
const LONGEST_RESTART_PAUSE_MS = 5_000;

const endings = new Set<() => Promise<void>>();

/**
 * Gives back every share of this process in an embedded PostgreSQL, even one that is just starting.
 * For a process that ends at once, and would leave the server running. The pools may be open; a
 * start that is under way fails.
 */
export async function stopEmbeddedDatabases(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/**
 * Starts the embedded PostgreSQL of a data folder, or joins the one that runs there for another
 * process or was left by one that was killed. If it ends unexpectedly, it is started again. Throws
 * EmbeddedDatabaseError, which says what to do, if this machine or folder cannot have one.
 */
export async function startEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const ending = new AbortController();
  const starting = open(options, ending.signal);
  const end = async () => {
    ending.abort(new EmbeddedDatabaseError('the process ends'));
    // A start that failed has nothing to stop.
    const started = await starting.catch(() => null);
    await started?.stop();
  };
  endings.add(end);
  try {
    const { url, stop } = await starting;
    const stopAndForget = () => stop().finally(() => endings.delete(end));
    return { url, stop: stopAndForget };
  } catch (error) {
    endings.delete(end);
    throw error;
  }
}

async function open(
  options: EmbeddedDatabaseOptions,
  signal: AbortSignal,
): Promise<EmbeddedDatabase> {
  const { onProgress = () => {}, onBegun = () => {}, isDurable = true } = options;
  const telling = { onProgress, onBegun };
  const dataDir = path.resolve(options.dataDir);
  const cluster = await openCluster(options.name, dataDir, isDurable, telling);
  // From here on a start is not interrupted: a server can be stopped only once it runs.
  signal.throwIfAborted();
  const first = await takeShare(cluster, isDurable, telling);
  const url = urlOf(cluster, first.listening, cluster.name);
  if (first.isStarted) await tidy(cluster, first, telling);

  let stopped: Promise<void> | null = null;
  let current: Promise<Share | null> = Promise.resolve(first);
  const watch = (share: Share | null) => {
    void share?.keeper.ended.then(() => {
      if (stopped) return;
      onProgress('the embedded PostgreSQL has ended unexpectedly: starting it again');
      current = restart(cluster, isDurable, telling, () => stopped !== null);
      void current.then(watch);
    });
  };
  watch(first);
  const stop = async () => {
    const share = await current;
    if (share && (await share.keeper.leave())) await stopServer(cluster, share.pid);
  };
  return {
    url,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function urlOf(cluster: Cluster, listening: Listening, database: string): string {
  const { name: user, password } = cluster;
  return formatDatabaseUrl({ ...listening, user, password, database });
}

async function restart(
  cluster: Cluster,
  isDurable: boolean,
  telling: Telling,
  isStopping: () => boolean,
): Promise<Share | null> {
  // A full disk may prevent a start for hours, so this does not give up.
  for (let attempt = 1; !isStopping(); attempt += 1) {
    try {
      const share = await takeShare(cluster, isDurable, telling);
      await tidy(cluster, share, telling);
      return share;
    } catch (error) {
      telling.onProgress(`the embedded PostgreSQL cannot be started: ${String(error)}`);
      const pauseMs = Math.min(RESTART_PAUSE_MS * attempt, LONGEST_RESTART_PAUSE_MS);
      await new Promise<void>((resolve) => machineTimer.after(pauseMs, resolve, false));
    }
  }
  return null;
}

/** What is left takes space but harms nothing, so a failure does not prevent the start. */
async function tidy(
  cluster: Cluster,
  { listening }: Share,
  { onProgress }: Telling,
): Promise<void> {
  try {
    const count = await removeLeftCopies(urlOf(cluster, listening, 'postgres'), cluster.dataFolder);
    if (count > 0) onProgress(`removed ${count} unfinished copies of databases`);
  } catch (error) {
    onProgress(`cannot remove unfinished copies of databases: ${String(error)}`);
  }
}

async function takeShare(
  cluster: Cluster,
  isDurable: boolean,
  { onProgress, onBegun }: Telling,
): Promise<Share> {
  let started: StartedServer | null = null;
  let lastSignAt = monotonicMs();
  for (;;) {
    const running = await findPostmaster(cluster);
    if (running?.listening) {
      const answer = await join(cluster, running.listening);
      if (answer === 'busy') lastSignAt = monotonicMs();
      else if (answer !== 'silent') {
        const isStarted = started?.pid === running.pid;
        return { keeper: answer, pid: running.pid, listening: running.listening, isStarted };
      }
    } else if (!running && started === null) {
      onProgress('starting the embedded PostgreSQL');
      started = await startServer(cluster, await chooseListening(cluster), isDurable);
      lastSignAt = monotonicMs();
    }
    onBegun();
    const failure = await started?.failure();
    if (started && failure) {
      refuseUnlessTransient(cluster, failure);
      started = null;
    }
    if (monotonicMs() - lastSignAt > SILENCE_LIMIT_MS) {
      throw new EmbeddedDatabaseError(
        `PostgreSQL (process ${running?.pid ?? started?.pid}) accepts no connection; see` +
          ` ${cluster.logFile}`,
      );
    }
    await sleep(POLL_MS);
  }
}

async function join(cluster: Cluster, listening: Listening) {
  try {
    return await joinServer(urlOf(cluster, listening, 'postgres'), cluster.name);
  } catch (error) {
    if (!isSqlState(error, '28P01')) throw error;
    throw new EmbeddedDatabaseError(
      `${path.join(cluster.folder, 'password')} is not the password of the database beside it;` +
        ' restore the file that belongs to it',
      error,
    );
  }
}

/**
 * Two failures pass by themselves: another process started the server at the same moment, and
 * children of a killed server have not ended yet.
 */
function refuseUnlessTransient(cluster: Cluster, failure: string): void {
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(failure)) return;
  throw new EmbeddedDatabaseError(
    `the embedded PostgreSQL in ${cluster.folder} does not start:\n${failure}\n` +
      'Choose another data folder.',
  );
}
