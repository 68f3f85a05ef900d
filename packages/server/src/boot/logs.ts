import type { Clock } from '@servery/support/clock.ts';
import { runEvery } from '@servery/support/runner.ts';
import type { Vault } from '@servery/support/secret.ts';
import { createSealer } from '../audit/seal.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import { countLogged, watchLogQueue } from '../requests/log-metrics.ts';
import { createStreams, type RequestStreams } from '../requests/streams.ts';
import { trimLog } from '../requests/trim-log.ts';
import { workBudget } from '../requests/work-budget.ts';
import { createLogWriter } from '../requests/write-log.ts';
import type { Log } from '../support/log.ts';
import type { Metrics } from '../support/metrics.ts';
import { createEventStreams, type EventStreams } from '../webhooks/events/streams.ts';

/** What the logs of a process lean on. */
export interface LogsDeps {
  readonly config: Pick<Config, 'brand' | 'requestLog'>;
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
  /** Is aborted when the process stops: streams end then. */
  readonly stopping: AbortSignal;
}

/** The record of changes, the log of requests and the streams of a process, at work. */
export interface Logs {
  /** What is to be told of finished requests: nothing where no log is kept. */
  readonly observers: readonly RequestObserver[];
  readonly requestStreams: RequestStreams;
  readonly eventStreams: EventStreams;
  /** Writes and seals what is left, once no request is under way any more. */
  stop(): Promise<void>;
}

/** How often entries are sealed and requests are looked for, for streams. */
const SECOND_MS = 1_000;
/** How often requests are written: shortly before streams look. */
const FLUSH_MS = 500;
/** How often events are looked for, for streams: somebody waits at the other end. */
const EVENTS_MS = 250;
const TRIM_MS = 300_000;

/** Puts the sealer of the record of changes and the log of requests to work. */
export function startLogs(deps: LogsDeps): Logs {
  const { config, database, realClock, onError, stopping } = deps;
  const seal = createSealer(deps);
  const writer = createLogWriter({
    database,
    brand: config.brand,
    realClock,
    budget: workBudget(),
    count: countLogged(deps.metrics),
    onError,
  });
  watchLogQueue(deps.metrics, writer.waiting);
  const requestStreams = createStreams(deps);
  const eventStreams = createEventStreams(deps);
  stopping.addEventListener('abort', () => {
    requestStreams.stop();
    eventStreams.stop();
  });
  const trim = async () => {
    await trimLog({ database, realClock, limits: config.requestLog, stopping });
  };
  const runners = [
    runEvery(SECOND_MS, async () => void (await seal()), onError),
    runEvery(FLUSH_MS, writer.flush, onError),
    runEvery(SECOND_MS, requestStreams.look, onError),
    runEvery(EVENTS_MS, eventStreams.look, onError),
    runEvery(TRIM_MS, trim, onError),
  ];
  return {
    observers: config.requestLog.days > 0 ? [writer] : [],
    requestStreams,
    eventStreams,
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await writer.flushAll();
      await seal().catch(onError);
    },
  };
}
