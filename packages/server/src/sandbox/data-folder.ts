import { join } from 'node:path';
import {
  findLastHolder,
  type Holder,
  type LastHolder,
  type Liveness,
  lockFile,
} from '@servery/support/file-lock.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { Database } from '../database/database.ts';
import { findEnvironmentMark } from '../database/environment.ts';
import type { ListenAddress } from '../http/edge/free-port.ts';
import { INSTANCE_HEADER } from '../http/edge/health.ts';

export class AlreadyRuns extends Error {
  constructor(url: string) {
    super(`Servery already runs here: ${url}`);
    this.name = 'AlreadyRuns';
  }
}

export interface Occupant extends Holder {
  /** Distinguishes the environment's database from every other. */
  readonly environment: string;
}

const ANSWER_LIMIT_MS = 2_000;

const claimFile = (dataDir: string) => join(dataDir, 'server');

export async function refuseTwice(dataDir: string, { host, port }: ListenAddress): Promise<void> {
  const other = await findOccupant(dataDir);
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (other?.url === address) throw new AlreadyRuns(other.url);
}

/**
 * Throws an Error that says what to do: `demo.json` holds the other server's accounts, so this
 * one's would have no place.
 */
export async function refuseOtherDatabase(dataDir: string, database: Database): Promise<void> {
  const other = await findOccupant(dataDir);
  if (!other || other.environment === (await findEnvironmentMark(database))) return;
  throw new Error(
    `The data folder ${dataDir} belongs to the server at ${other.url}, which runs on another ` +
      'database: give this one a folder of its own with --data-dir, or the same database.',
  );
}

/** Returns the living server that already has the folder, or null. */
export async function occupyFolder(
  dataDir: string,
  database: Database,
  own: Pick<Occupant, 'url' | 'instance'>,
): Promise<Occupant | null> {
  const environment = await findEnvironmentMark(database);
  const occupant: Occupant = { ...own, pid: process.pid, environment };
  return lockFile(claimFile(dataDir), occupant, askServer);
}

/** The server that took the folder last, whether it still runs or not. */
export async function findLastServer(dataDir: string): Promise<LastHolder<Occupant> | null> {
  return await findLastHolder<Occupant>(claimFile(dataDir), askServer);
}

export async function findOccupant(dataDir: string): Promise<Occupant | null> {
  const last = await findLastServer(dataDir);
  return last && last.liveness !== 'gone' ? last : null;
}

/** A killed server doesn't answer, and a process that now has its port has another name. */
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
