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
/** More than a retry schedule allows; earlier attempts were probes. */
const ATTEMPTS_OF_WAITING = 50;

/**
 * Uses the environment's clock; several processes can share the work. Keeps what waits for
 * delivery, with its event and last attempts. Dead letters live equally long after they were given
 * up.
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
  // Rows that refer to others go first.
  while ((await deleteFinishedDeliveries(sql, cutoff, BATCH)) === BATCH);
  for (const forget of [deleteOldExtras, deleteOldEvents]) {
    let after: ForgottenPlace | null = null;
    do after = await forget(sql, { cutoff, after, limit: BATCH });
    while (after);
  }
}
