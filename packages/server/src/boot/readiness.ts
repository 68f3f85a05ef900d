import { type Runner, runEvery } from '@servery/support/runner.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { Database } from '../database/database.ts';
import type { ProcessRegistry } from '../database/processes.ts';
import type { Log } from '../support/log.ts';
import type { Metrics } from '../support/metrics.ts';

export interface ReadinessDeps {
  readonly database: Pick<Database, 'look'>;
  readonly processes: Pick<ProcessRegistry, 'writeTrouble'>;
  readonly stopping: AbortSignal;
}

/** The caller needs an answer within two seconds. */
const ANSWER_LIMIT_MS = 1_500;

const SILENT = 'The database does not answer.';

/**
 * Null if this process can serve. Simultaneous questions share one read. The heartbeat already
 * writes every second, so this writes nothing.
 */
export function readiness({ database, processes, stopping }: ReadinessDeps) {
  let asking: Promise<string | null> | null = null;
  const ask = async () => {
    const looked = database.look().then(
      () => true,
      () => false,
    );
    if ((await within(looked, ANSWER_LIMIT_MS)) === LATE) return SILENT;
    return processes.writeTrouble();
  };
  return async (): Promise<string | null> => {
    if (stopping.aborted) return 'The process is stopping.';
    asking ??= ask().finally(() => {
      asking = null;
    });
    return await asking;
  };
}

const WATCH_MS = 1_000;

export interface WatchWritingDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly processes: Pick<ProcessRegistry, 'writeTrouble'>;
  readonly onError: (error: unknown) => void;
}

/** Tells operators by a metric and the log, because neither needs a write. */
export function watchWriting({ log, metrics, processes, onError }: WatchWritingDeps): Runner {
  metrics.gauge({
    name: 'database_writes',
    help: 'Whether the database accepts the writes of this process; one of the two is 1.',
    label: 'state',
    values: ['taken', 'refused'],
    isOfProcess: true,
    read: async () => [[processes.writeTrouble() === null ? 'taken' : 'refused', 1]],
  });
  let told: string | null = null;
  const look = async () => {
    const reason = processes.writeTrouble();
    if (reason === told) return;
    if (reason === null) log.warn({}, 'the database accepts writes again');
    else log.error({ reason }, 'the database accepts no writes');
    told = reason;
  };
  return runEvery(WATCH_MS, look, onError);
}
