import { mayComeThrough } from '@servery/postgres/away.ts';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import type { CountLogged, WaitingRequests } from './log-metrics.ts';
import { insertRequests, type NewLogRow } from './log-store.ts';
import { type QueueLimits, RequestQueue } from './queue.ts';
import { type QueuedRequest, redactRequest } from './redact.ts';
import type { WorkBudget } from './work-budget.ts';

export interface LogWriterDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly brand: string;
  readonly realClock: Clock;
  readonly budget: WorkBudget;
  readonly count: CountLogged;
  readonly onError: (error: unknown) => void;
  readonly limits?: QueueLimits;
}

export interface LogWriter extends RequestObserver {
  /** Writes within the budget and leaves the rest for the next call. */
  flush(): Promise<void>;
  flushAll(): Promise<void>;
  waiting(): WaitingRequests;
}

/** Requests get their turn between two statements. */
const BATCH = 50;
/** Redaction yields to requests after this long. */
const TURN_MS = 4;
/** Bounds how long a stalled database can hold back the log afterward. */
const OWED_AT_MOST_MS = 1_000;

/** A row is tried at most twice. */
export function createLogWriter(deps: LogWriterDeps): LogWriter {
  const queue = new RequestQueue(deps.limits);
  let flushing = Promise.resolve();
  /** One at a time, so that the last flush of a process waits for the one before. */
  const flushWithin = (limitMs: number) => {
    flushing = flushing.then(() => write(limitMs)).catch(deps.onError);
    return flushing;
  };
  /** Later flushes make up for it. */
  let owedMs = 0;
  const write = async (limitMs: number) => {
    let spentMs = owedMs;
    while (queue.size > 0 && spentMs < limitMs) {
      const startedMs = deps.budget.nowMs();
      const rows = redactBatch(deps, queue, Math.min(limitMs - spentMs, TURN_MS));
      await insert(deps, rows);
      spentMs += deps.budget.nowMs() - startedMs;
    }
    owedMs = Math.min(Math.max(spentMs - limitMs, 0), OWED_AT_MOST_MS);
  };
  return {
    finished: (request) => {
      deps.budget.served(request.durationMs);
      const dropped = queue.add(request);
      if (dropped > 0) deps.count('dropped', dropped);
    },
    flush: () => flushWithin(deps.budget.allowedMs()),
    flushAll: () => flushWithin(Number.POSITIVE_INFINITY),
    waiting: () => {
      const nowMs = deps.realClock.nowMs();
      return { count: queue.size, ageMs: Math.max(nowMs - (queue.oldestMs() ?? nowMs), 0) };
    },
  };
}

function redactBatch(deps: LogWriterDeps, queue: RequestQueue, limitMs: number): NewLogRow[] {
  const { brand, realClock, budget } = deps;
  const startedMs = budget.nowMs();
  const loggedAt = new Date(realClock.nowMs()).toISOString();
  const rows: NewLogRow[] = [];
  while (rows.length < BATCH) {
    const request = queue.next();
    if (!request) break;
    rows.push({ ...redacted(brand, request), loggedAt });
    if (budget.nowMs() - startedMs >= limitMs) break;
  }
  return rows;
}

/** Keeps a request that cannot be redacted, without its contents. */
function redacted(brand: string, request: QueuedRequest): Omit<NewLogRow, 'loggedAt'> {
  try {
    return redactRequest(brand, request);
  } catch {
    const { requestBody, answerBody } = request;
    return redactRequest(brand, {
      ...request,
      ...{ url: '/', params: {}, requestHeaders: {}, answerHeaders: {} },
      requestBody: requestBody && { length: requestBody.length },
      answerBody: answerBody && { length: answerBody.length },
    });
  }
}

/** Never rejects: reports and drops failed rows. One bad row of a batch loses no others. */
async function insert(deps: LogWriterDeps, rows: readonly NewLogRow[]): Promise<void> {
  try {
    await insertRequests(deps.database.sql, rows);
    deps.count('written', rows.length);
  } catch (error) {
    if (rows.length > 1 && !mayComeThrough(error)) {
      for (const row of rows) await insert(deps, [row]);
      return;
    }
    deps.onError(error);
    deps.count('failed', rows.length);
  }
}
