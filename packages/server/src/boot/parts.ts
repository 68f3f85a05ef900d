import { mayComeThrough } from '@servery/postgres/away.ts';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { type Clock, databaseClock } from '@servery/support/clock.ts';
import { runEvery } from '@servery/support/runner.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { openVault } from '../config/secrets.ts';
import { createExaminer, type Examiner } from '../configuration/examination/examiner.ts';
import type { Database } from '../database/database.ts';
import { type OpenDatabase, openDatabase } from '../database/open.ts';
import { joinProcesses, type ProcessRegistry } from '../database/processes.ts';
import { readingAnywhere } from '../database/read-anywhere.ts';
import { openReplica, type Replica } from '../database/replica.ts';
import { databaseBudgets, deletePassedBudgets } from '../http/pipeline/budget-store.ts';
import { LeasedCounter } from '../http/pipeline/leased-counter.ts';
import { MemoryRateCounter, type RateCounter } from '../http/pipeline/rate-limit.ts';
import { forgetVelocityCounts } from '../payments/authorize/velocity.ts';
import { checkTransitions } from '../payments/life/check-transitions.ts';
import { forgetPeoplesPast } from '../people/forget.ts';
import {
  type EnvironmentClock,
  type MovableClock,
  openEnvironmentClock,
} from '../sandbox/clock.ts';
import { forgetStockHistory } from '../stock/forget.ts';
import { createLog, type Log } from '../support/log.ts';
import { createMetrics, type Metrics } from '../support/metrics.ts';
import { forgetEvents } from '../webhooks/delivery/forget.ts';
import { deletePastEventReaders } from '../webhooks/events/event-reader-store.ts';
import { type Caches, openCaches } from './caches.ts';
import { type Looks, startLooks } from './looks.ts';
import { watchWriting } from './readiness.ts';
import type { WorkerTies } from './workers/link.ts';

export const programVersion: string = manifest.version;

const REPLICA_MS = 1_000;
const MIB = 1_048_576;
const QUARTER_HOUR_MS = 900_000;
const QUIET_MS = 60_000;

export interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly databaseUrl: Secret;
  readonly caches: Caches;
  readonly processes: ProcessRegistry;
  readonly vault: Vault;
  /** For decisions; a sandbox can move it. */
  readonly clock: EnvironmentClock;
  /** Null in production. */
  readonly movable: MovableClock | null;
  /** For budgets, leases, heartbeats and certificates. */
  readonly realClock: Clock;
  readonly log: Log;
  readonly looks: Looks;
  /** Of repeated jobs. */
  readonly onError: (error: unknown) => void;
  readonly metrics: Metrics;
  readonly rateCounter: RateCounter;
  readonly examiner: Examiner;
  /** Known once the server listens. */
  readonly address: { url: string };
  readonly stopping: AbortSignal;
}

export interface PartsOptions {
  readonly onProgress: (line: string) => void;
  readonly worker?: WorkerTies | undefined;
  /** Of a sandbox beside the main environment. */
  readonly sandboxName?: string;
  /** If it is opened already. */
  readonly database?: Promise<OpenDatabase> | undefined;
  readonly stopping: AbortController;
}

export async function openParts(
  config: Config,
  {
    onProgress,
    worker,
    sandboxName,
    database: opened,
    stopping: { signal: stopping },
  }: PartsOptions,
  undo: AsyncDisposableStack,
): Promise<Parts> {
  const log = createLog(
    config.logLevel,
    undefined,
    sandboxName === undefined ? null : { sandbox: sandboxName },
  );
  const { url, database, close } = await (opened ?? openDatabase(config, onProgress));
  undo.defer(close);
  await checkTransitions(database);
  const vault = await openVault(config, database);
  const realClock = databaseClock(await readDatabaseTimeMs(database.sql));
  const { clock, movable } = await openEnvironmentClock({ database, realClock }, config.kind);
  const onError = repeatedJobFailed(log, realClock);
  const repeat = (everyMs: number, job: () => Promise<void>) => {
    const runner = runEvery(everyMs, job, onError);
    undo.defer(() => runner.stop());
  };
  const joining = { database, realClock, groupId: worker?.groupId ?? null, onError, stopping };
  const processes = await joinProcesses(joining);
  undo.defer(() => processes.stop());
  repeat(QUARTER_HOUR_MS, async () => {
    await processes.afterBeat();
    await deletePassedBudgets(database.sql, realClock.nowMs());
    await forgetVelocityCounts(database, clock.nowMs());
    await forgetPeoplesPast({ database, realClock });
    await forgetStockHistory(database, clock.nowMs(), config.stockHistoryDays);
    await forgetEvents(database, clock.nowMs(), config.eventDays);
    await deletePastEventReaders(database.sql, realClock.nowMs());
  });
  const looks = await startLooks({ database, realClock, clock, onError });
  undo.defer(() => looks.stop());
  const own = createMetrics(programVersion);
  const metrics = worker?.metrics(own) ?? own;
  const writing = watchWriting({ log, metrics, processes, onError });
  undo.defer(() => writing.stop());
  let replica: Replica | null = null;
  if (config.replicaUrl) {
    const { databasePool: poolSize } = config;
    const url = config.replicaUrl.reveal();
    const opened = openReplica({ url, poolSize, primary: database, processes, log, metrics });
    undo.defer(() => opened.close());
    void opened.check();
    repeat(REPLICA_MS, () => opened.check());
    replica = opened;
  }
  // One process counts in memory, and workers lease from their parent process. When another process
  // joins the database, all lease there (API-7).
  const shared = databaseBudgets(database.sql);
  const together = new LeasedCounter(shared);
  const alone = worker ? new LeasedCounter(worker.budgets(shared)) : new MemoryRateCounter();
  const examiner = createExaminer({ stopping });
  undo.defer(() => examiner.stop());
  return {
    ...{ config, database, vault, clock, movable, realClock, log, onError, metrics, processes },
    ...{ examiner, stopping, looks, databaseUrl: new Secret(url) },
    caches: openCaches(
      database.freshness,
      config.cache * MIB,
      readingAnywhere(database, replica),
      replica !== null,
    ),
    rateCounter: {
      count: (count) => (processes.hasOthers() ? together : alone).count(count),
    },
    address: { url: '' },
  };
}

/** A broken database fails every job every second, so this logs once a minute of real time. */
function repeatedJobFailed(log: Log, realClock: Clock): (error: unknown) => void {
  let quietUntilMs = 0;
  return (error) => {
    if (!mayComeThrough(error)) log.error({ err: error }, 'a repeated job failed');
    else if (realClock.nowMs() >= quietUntilMs) {
      quietUntilMs = realClock.nowMs() + QUIET_MS;
      log.warn({ reason: String(error) }, 'the database is in trouble');
    }
  };
}
