import type { Database } from '../database/database.ts';
import { deleteOldChanges } from './change-store.ts';

const DAY_MS = 86_400_000;
const BATCH = 5_000;

/** `nowMs` is the environment's clock. Works in batches that several processes can share. */
export async function forgetStockHistory(
  { sql }: Pick<Database, 'sql'>,
  nowMs: number,
  days: number,
): Promise<void> {
  const cutoff = new Date(nowMs - days * DAY_MS);
  while ((await deleteOldChanges(sql, cutoff, BATCH)) === BATCH);
}
