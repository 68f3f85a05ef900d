import { runEvery } from '@servery/support/runner.ts';
import { createSealer } from '../audit/seal.ts';
import { countLogged, watchLogQueue } from '../requests/log-metrics.ts';
import { RequestStreams } from '../requests/streams.ts';
import { trimLog } from '../requests/trim-log.ts';
import { workBudget } from '../requests/work-budget.ts';
import { createLogWriter } from '../requests/write-log.ts';
import { EventStreams } from '../webhooks/events/streams.ts';
import type { Parts } from './parts.ts';

export type Logs = ReturnType<typeof startLogs>;

const SECOND_MS = 1_000;
/** With what a look finds, entries are sealed within a second. */
const SEAL_MS = 500;
/** Shortly before streams look. */
const FLUSH_MS = 500;
const EVENTS_MS = 250;
const TRIM_MS = 300_000;

export function startLogs(parts: Parts) {
  const { config, database, looks, metrics, processes, realClock, onError, stopping } = parts;
  const seal = createSealer(parts);
  const writer = createLogWriter({
    database,
    brand: config.brand,
    realClock,
    budget: workBudget(),
    count: countLogged(metrics),
    onError,
  });
  watchLogQueue(metrics, writer.waiting);
  const requestStreams = new RequestStreams(parts);
  const eventStreams = new EventStreams(parts);
  stopping.addEventListener('abort', () => {
    requestStreams.stop();
    eventStreams.stop();
  });
  const trim = async () => {
    await processes.afterBeat();
    await trimLog({ database, realClock, limits: config.requestLog, stopping });
  };
  const sealWaiting = async () => {
    if (looks.waiting().isUnsealed) await seal();
  };
  const runners = [
    runEvery(SEAL_MS, sealWaiting, onError),
    runEvery(FLUSH_MS, writer.flush, onError),
    runEvery(SECOND_MS, () => requestStreams.look(), onError),
    runEvery(EVENTS_MS, () => eventStreams.look(), onError),
    runEvery(TRIM_MS, trim, onError),
  ];
  return {
    observers: config.requestLog.days > 0 ? [writer] : [],
    requestStreams,
    eventStreams,
    flushLog: writer.flushAll,
    /** Call it when no request is under way anymore. */
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await writer.flushAll();
      await seal().catch(onError);
    },
  };
}
