import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import { deleteRequestsBefore, deleteRequestsBeyond, findLoggedBeyond } from './log-store.ts';

/** How much of the log of requests is kept. */
export interface LogLimits {
  /** 0 where no log is kept. */
  readonly days: number;
  /** The newest of each client. */
  readonly requestsPerClient: number;
  readonly mebibytes: number;
}

/** What removing from the log of requests leans on. */
export interface TrimDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly realClock: Clock;
  readonly limits: LogLimits;
  /** Once it is aborted nothing more is removed. */
  readonly stopping?: AbortSignal;
}

const DAY_MS = 86_400_000;
const MEBIBYTE = 1_048_576;
/** Rows in one statement: short transactions hold nobody up. */
const BATCH = 1_000;

/** Removes what is too old, too much of one client, or beyond the size of all; gives how many. */
export async function trimLog(deps: TrimDeps): Promise<number> {
  const { sql } = deps.database;
  const { days, requestsPerClient, mebibytes } = deps.limits;
  const tooOld = new Date(deps.realClock.nowMs() - days * DAY_MS);
  let removed = await inBatches(deps, () => deleteRequestsBefore(sql, tooOld, BATCH));
  removed += await inBatches(deps, () => deleteRequestsBeyond(sql, requestsPerClient, BATCH));
  const beyond = await findLoggedBeyond(sql, mebibytes * MEBIBYTE);
  if (!beyond) return removed;
  // Rows of one instant go together, so that this comes to an end.
  const before = new Date(beyond.getTime() + 1);
  return removed + (await inBatches(deps, () => deleteRequestsBefore(sql, before, BATCH)));
}

async function inBatches(
  { stopping }: TrimDeps,
  removeBatch: () => Promise<number>,
): Promise<number> {
  for (let removed = 0; ; ) {
    const count = await removeBatch();
    removed += count;
    if (count < BATCH || stopping?.aborted) return removed;
  }
}
