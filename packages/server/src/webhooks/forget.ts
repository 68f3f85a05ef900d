import type { Database } from '../db/database.ts';
import { deleteFinishedDeliveries, deleteOldEvents, deleteOldExtras } from './forget-store.ts';

const DAY_MS = 86_400_000;
const BATCH = 2_000;

/**
 * Removes events that happened `days` days before `nowMs` (the environment's clock) or earlier,
 * with what became of them, a batch after the other; several processes share it. What waits to be
 * delivered stays with its event, and a dead letter as long after it was given up.
 */
export async function forgetEvents(
  { sql }: Pick<Database, 'sql'>,
  nowMs: number,
  days: number,
): Promise<void> {
  const cutoff = new Date(nowMs - days * DAY_MS);
  // What refers to others goes first.
  for (const forget of [deleteFinishedDeliveries, deleteOldExtras, deleteOldEvents]) {
    while ((await forget(sql, cutoff, BATCH)) === BATCH);
  }
}
