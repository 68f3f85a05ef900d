import type { Database } from '../../database/database.ts';
import {
  deleteEarlyAttempts,
  deleteFinishedDeliveries,
  deleteOldEvents,
  deleteOldExtras,
  type ForgottenPlace,
  updateStrayDeliveriesDropped,
} from './forget-store.ts';

const DAY_MS = 86_400_000;
const BATCH = 2_000;
/** More than a schedule of retries can come to: what goes before were probes. */
const ATTEMPTS_OF_WAITING = 50;

/**
 * Removes events that happened `days` days before `nowMs` (the environment's clock) or earlier,
 * with what became of them, a batch after the other; several processes share it. What waits to be
 * delivered stays with its event and its last attempts, and a dead letter as long after it was
 * given up; what waits for an endpoint that ended is dropped.
 */
export async function forgetEvents(
  { sql }: Pick<Database, 'sql'>,
  nowMs: number,
  days: number,
): Promise<void> {
  const cutoff = new Date(nowMs - days * DAY_MS);
  const reason = 'The endpoint had ended when it was queued.';
  await updateStrayDeliveriesDropped(sql, { at: new Date(nowMs), by: 'system:webhooks', reason });
  await deleteEarlyAttempts(sql, ATTEMPTS_OF_WAITING);
  // What refers to others goes first.
  while ((await deleteFinishedDeliveries(sql, cutoff, BATCH)) === BATCH);
  for (const forget of [deleteOldExtras, deleteOldEvents]) {
    let after: ForgottenPlace | null = null;
    do after = await forget(sql, { cutoff, after, limit: BATCH });
    while (after);
  }
}
