import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import { deleteRequestsBefore, deleteRequestsBeyond, findLoggedBeyond } from './log-store.ts';

export interface LogLimits {
  /** 0 keeps no log. */
  readonly days: number;
  readonly requestsPerClient: number;
  readonly mebibytes: number;
}

export interface TrimDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly realClock: Clock;
  readonly limits: LogLimits;
  readonly stopping?: AbortSignal;
}

const DAY_MS = 86_400_000;
const MEBIBYTE = 1_048_576;
/** Short transactions block no other. */
const BATCH = 1_000;

export async function trimLog(deps: TrimDeps): Promise<number> {
  const { sql } = deps.database;
  const { days, requestsPerClient, mebibytes } = deps.limits;
  const tooOld = new Date(deps.realClock.nowMs() - days * DAY_MS);
  let removed = await inBatches(deps, () => deleteRequestsBefore(sql, tooOld, BATCH));
  removed += await inBatches(deps, () => deleteRequestsBeyond(sql, requestsPerClient, BATCH));
  const beyond = await findLoggedBeyond(sql, mebibytes * MEBIBYTE);
  if (!beyond) return removed;
  // Rows of the same instant go together; otherwise the loop could repeat forever.
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
