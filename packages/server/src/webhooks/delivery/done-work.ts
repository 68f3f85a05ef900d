import type { Sql } from '../../database/database.ts';
import type { DoneWork } from '../../support/due-work.ts';
import { findDeliveryOutlook } from './done-store.ts';
import type { MadeAttempt } from './make-attempt.ts';

/**
 * What is told of an attempt that was made while somebody moved the clock: at the instant when it
 * was made, since what waited for a pause to end was due long before. What became of its delivery
 * is read, for it may have paused the endpoint. Null when the delivery was forgotten meanwhile.
 */
export async function doneWork(
  sql: Sql,
  { claimed, attempt }: MadeAttempt,
): Promise<DoneWork | null> {
  const outlook = await findDeliveryOutlook(sql, claimed);
  if (!outlook) return null;
  const { guid, state, nextAt } = outlook;
  const { partnerGuid, endpointGuid, eventGuid, eventType } = claimed;
  const { outcome, status } = attempt;
  return {
    dueMs: attempt.at.getTime(),
    kind: claimed.isProbe ? 'webhookProbe' : 'webhook',
    ...{ merchantGuid: null, paymentUuid: null, fromState: null, cause: null, toState: null },
    webhook: {
      ...{ partnerGuid, endpointGuid, deliveryGuid: guid, eventGuid, eventType },
      ...{ outcome, status, state, nextMs: nextAt?.getTime() ?? null },
    },
  };
}
