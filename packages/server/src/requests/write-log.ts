import { mayComeThrough } from '@servery/postgres/away.ts';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import { insertRequests, type NewLogRow } from './log-store.ts';
import { type QueueLimits, RequestQueue } from './queue.ts';
import { type QueuedRequest, redactRequest } from './redact.ts';
import type { WorkBudget } from './work-budget.ts';

/** What became of requests that were to be written. */
export const logOutcomes = ['written', 'dropped', 'failed'] as const;

/** What writing the log of requests leans on. */
export interface LogWriterDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly brand: string;
  readonly realClock: Clock;
  readonly budget: WorkBudget;
  /** Is told how many requests were written, dropped for want of room, or not taken. */
  readonly count: (outcome: (typeof logOutcomes)[number], requests: number) => void;
  readonly onError: (error: unknown) => void;
  readonly limits?: QueueLimits;
}

/** The log of requests of a process, its writing side. */
export interface LogWriter extends RequestObserver {
  /** Writes what waits, as far as the budget goes; the rest waits for the next time. */
  flush(): Promise<void>;
  /** Writes all that waits, whatever it takes: for the end of a process. */
  flushAll(): Promise<void>;
  /** What is not written yet. */
  waiting(): WaitingRequests;
}

/** How many requests wait, and how long, in milliseconds of real time, the oldest of them has. */
export interface WaitingRequests {
  readonly count: number;
  readonly ageMs: number;
}

/** Rows in one statement: between two of them requests have their turn. */
const BATCH = 50;
/** No request waits for longer until others have been redacted, in milliseconds. */
const TURN_MS = 4;
/** A database that stood still for long must not keep the log off for much longer. */
const OWED_AT_MOST_MS = 1_000;

/** Makes the writing side of a process's log of requests. What is not taken twice is given up. */
export function createLogWriter(deps: LogWriterDeps): LogWriter {
  const queue = new RequestQueue(deps.limits);
  let flushing = Promise.resolve();
  /** One after the other, so that the last of a process waits for the one before. */
  const flushWithin = (limitMs: number) => {
    flushing = flushing.then(() => write(limitMs)).catch(deps.onError);
    return flushing;
  };
  /** What the last batch took beyond the budget, which the next times have to make up for. */
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
      deps.count('dropped', queue.add(request));
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

/** A request that cannot be redacted is kept without what was sent. */
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

/**
 * The log is not worth holding anything up: what is refused or lost is told and given up. Of rows
 * that were refused together each is tried by itself, so that one takes no others with it.
 */
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
