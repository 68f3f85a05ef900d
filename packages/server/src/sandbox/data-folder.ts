import { join } from 'node:path';
import {
  findLastHolder,
  type Holder,
  type Liveness,
  lockFile,
} from '@servery/support/file-lock.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { findEnvironmentMark } from '../database/environment-kind.ts';
import { INSTANCE_HEADER } from '../http/edge/health.ts';

/** The server of this very data folder runs already, at the address that was asked for. */
export class AlreadyRuns extends Error {
  constructor(url: string) {
    super(`Servery already runs here: ${url}`);
    this.name = 'AlreadyRuns';
  }
}

/** The server whose addresses and credentials `demo.json` has, for as long as it lives. */
export interface Occupant extends Holder {
  /** Tells the environment's database from every other. */
  readonly environment: string;
}

type FolderConfig = Pick<Config, 'dataDir' | 'host' | 'port'>;

const ANSWER_LIMIT_MS = 2_000;

const claimFile = (dataDir: string) => join(dataDir, 'server');

/** Throws AlreadyRuns when the living server of the folder has the address of the settings. */
export async function refuseTwice({ dataDir, host, port }: FolderConfig): Promise<void> {
  const other = await findOccupant(dataDir);
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (other?.url === address) throw new AlreadyRuns(other.url);
}

/**
 * Throws an Error that says what to do when a living server works in the folder on another
 * database: its accounts are in `demo.json`, and those of this one would have no place.
 */
export async function refuseOtherDatabase(dataDir: string, database: Database): Promise<void> {
  const other = await findOccupant(dataDir);
  if (!other || other.environment === (await findEnvironmentMark(database))) return;
  throw new Error(
    `The data folder ${dataDir} belongs to the server at ${other.url}, which runs on another ` +
      'database: give this one a folder of its own with --data-dir, or the same database.',
  );
}

/**
 * Makes a server that listens the one that the folder's `demo.json` tells of. Gives null, or the
 * living one that it tells of already.
 */
export async function occupyFolder(
  dataDir: string,
  database: Database,
  own: Pick<Occupant, 'url' | 'instance'>,
): Promise<Occupant | null> {
  const environment = await findEnvironmentMark(database);
  const occupant: Occupant = { ...own, pid: process.pid, environment };
  return lockFile(claimFile(dataDir), occupant, askServer);
}

/** The living server that the folder's `demo.json` tells of; null when there is none. */
export async function findOccupant(dataDir: string): Promise<Occupant | null> {
  const last = await findLastHolder<Occupant>(claimFile(dataDir), askServer);
  return last && last.liveness !== 'gone' ? last : null;
}

/** A server that was killed answers nothing; whoever has its port now has another name. */
async function askServer({ url, instance }: Holder): Promise<Liveness> {
  const stop = new AbortController();
  try {
    const asked = fetch(`${url}/healthz`, { signal: stop.signal, redirect: 'manual' });
    const answer = await within(asked, ANSWER_LIMIT_MS);
    if (answer === LATE) return 'silent';
    return answer.headers.get(INSTANCE_HEADER) === instance ? 'ready' : 'gone';
  } catch {
    return 'gone';
  } finally {
    stop.abort();
  }
}
