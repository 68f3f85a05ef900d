import { createHash } from 'node:crypto';
import { findConnectionLimit } from '@servery/postgres/connection-limit.ts';
import { connectCopies } from '@servery/postgres/copies.ts';
import { monotonicMs } from '@servery/support/clock.ts';
import { runEvery } from '@servery/support/runner.ts';
import type { Config } from '../config/config.ts';
import { findMasterKey } from '../config/secrets.ts';
import type { Database } from '../database/database.ts';
import { findDatabaseMark, findDatabaseName } from '../database/environment.ts';
import { Cache } from '../freshness/cache.ts';
import { ApiError } from '../http/errors.ts';
import type { Ledgers } from '../payments/processors/ledgers.ts';
import type { ReplayEnvironment, ReplayTargets } from '../requests/replay/ports.ts';
import { AwakeSandboxes } from '../sandboxes/awake.ts';
import { compareEnvironments } from '../sandboxes/diff/compare-environments.ts';
import { MAIN, sandboxLifecycle } from '../sandboxes/lifecycle.ts';
import type { SandboxesHere } from '../sandboxes/office/deps.ts';
import {
  claimWakes,
  deleteEverySandbox,
  findExpiry,
  findSandbox,
  listExpired,
  type SandboxRow,
  updateUse,
} from '../sandboxes/registry-store.ts';
import type { Parts } from './parts.ts';
import { replayTargets } from './replay-targets.ts';
import {
  CONNECTIONS_EACH,
  type OpenedSandbox,
  sandboxEnvironments,
} from './sandbox-environments.ts';

export interface SandboxesDeps {
  readonly parts: Parts;
  readonly ledgers: Ledgers;
  readonly instance: string;
  /** The main environment's. */
  readonly replaying: ReplayEnvironment;
  /** Where this machine reaches the platform. Known once it listens. */
  readonly local: { readonly url: string };
}

export interface Sandboxes extends SandboxesHere {
  readonly replayTargets: ReplayTargets;
  stop(): Promise<void>;
}

const SECOND_MS = 1_000;
const EXPIRY_MS = 5_000;
const RENEW_MS = 20_000;
const CLEAR_UP_MS = 30_000;
/** After that, another process wakes what this one was to wake. */
const WAKE_LEASE_MS = 60_000;
/** A process looks for changes, copies and removes; a sandbox is made; and somebody runs psql. */
const BESIDE_POOL = 6;
const ROWS_BYTES = 1_000_000;
const ROW_BYTES = 500;

/** Serves, makes and ends the sandboxes beside the main environment. */
export async function openSandboxes(deps: SandboxesDeps): Promise<Sandboxes> {
  const { parts, ledgers, replaying, local } = deps;
  const { config, database, databaseUrl, looks, processes, realClock, onError } = parts;
  const { sql } = database;
  const copies = connectCopies(databaseUrl.reveal(), 'servery');
  const removals = connectCopies(databaseUrl.reveal(), 'servery');
  const masterKey = await findMasterKey(config);
  if (!masterKey) throw new Error('the master key of this environment is gone');
  const environments = sandboxEnvironments({
    ...{ ...deps, copies, masterKey: masterKey.key },
    replayTargetsOf: (name) => replayTargetsOf(name),
  });
  const rows = new Cache<SandboxRow>({
    freshness: database.freshness,
    maxBytes: ROWS_BYTES,
    bytesOf: () => ROW_BYTES,
  });
  const awake = new AwakeSandboxes<OpenedSandbox>({
    realClock,
    onError,
    find: async (name) => {
      const read = () => findSandbox(sql, name);
      return (await rows.get(name, [`sandbox:${name}`], read))?.value ?? null;
    },
    findExpiry: (name) => findExpiry(sql, name),
    open: environments.open,
    recordUse: (name, use) => updateUse(sql, name, use),
    openAtMost: openAtMost(config, await findConnectionLimit(sql)),
  });
  const lifecycle = sandboxLifecycle({
    ...{ database, realClock, copies, removals, ledgers, awake, onError, environments },
    main: {
      databaseName: await findDatabaseName(sql),
      profile: config.profile,
      mark: markOf(await findDatabaseMark(database)),
    },
    most: config.sandboxes,
  });
  const replayTargetsOf = (name: string) =>
    replayTargets({ ...{ parts, awake, lifecycle, main: replaying, local }, from: name });
  async function usingDatabase<T>(name: string, use: (used: Database) => Promise<T>): Promise<T> {
    if (name === MAIN) return await use(database);
    const { databaseName } = await lifecycle.requireSandbox(name, [MAIN]);
    return await environments.connected(databaseName, use);
  }

  const wake = async () => {
    const now = realClock.nowMs();
    const { sandbox: wakeAt } = looks.waiting();
    if (wakeAt === null || wakeAt.getTime() > now) return;
    const names = await claimWakes(sql, new Date(now), new Date(now + WAKE_LEASE_MS));
    const woken = names.map(async (name) => (await awake.enter(name, false)).leave());
    for (const { reason } of (await Promise.allSettled(woken)) as PromiseRejectedResult[]) {
      // Another process may have dropped it meanwhile.
      if (reason && !isNotFound(reason)) onError(reason);
    }
  };
  const endExpired = async () => {
    const now = new Date(realClock.nowMs());
    for (const name of await listExpired(sql, now)) {
      await lifecycle.drop(name, now).catch(onError);
    }
  };
  let clearedUpAtMs = monotonicMs();
  const tidyUp = async () => {
    // One after another, so that an idle process needs no second connection.
    await processes.afterBeat();
    await endExpired().catch(onError);
    if (monotonicMs() - clearedUpAtMs < CLEAR_UP_MS) return;
    clearedUpAtMs = monotonicMs();
    await lifecycle.clearUp().catch(onError);
    await lifecycle.rest();
  };
  // Their ledgers have ended with the last process.
  if (config.processor.kind === 'in-process') await deleteEverySandbox(sql);
  // What a crash has left.
  lifecycle.clearUp().catch(onError);
  const runners = [
    runEvery(SECOND_MS, wake, onError),
    runEvery(SECOND_MS, () => awake.rest(), onError),
    runEvery(RENEW_MS, () => awake.renew(), onError),
    runEvery(EXPIRY_MS, tidyUp, onError),
  ];
  return {
    ...{ awake, lifecycle, copies, replayTargets: replayTargetsOf(MAIN) },
    compare: (name, other) =>
      usingDatabase(name, (one) => usingDatabase(other, (two) => compareEnvironments(one, two))),
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      await awake.stop();
      await lifecycle.stop();
      await Promise.all([copies.end(), removals.end()]);
    },
  };
}

/** What the main environment, copies, and others that use the server leave. */
function openAtMost({ workers, databasePool }: Config, connections: number): number {
  const left = connections / workers - databasePool - BESIDE_POOL;
  return Math.max(Math.floor(left / CONNECTIONS_EACH), 1);
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.errorClass === 'notFound';
}

function markOf(databaseMark: string): string {
  return createHash('sha256').update(databaseMark).digest('hex').slice(0, 8);
}
