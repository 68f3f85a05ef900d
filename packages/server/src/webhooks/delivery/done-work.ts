import type { Sql } from '../../database/database.ts';
import type { DoneWork } from '../../support/due-work.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { findDeliveryOutlook } from './outcome-store.ts';

/**
 * Reports the instant of the attempt, not the due time, which may lie long before the end of a
 * pause. Reads the delivery because the attempt may have paused its endpoint.
 */
export async function doneWork(sql: Sql, { claimed, attempt }: MadeAttempt): Promise<DoneWork> {
  const { guid: deliveryGuid, state, nextAt } = await findDeliveryOutlook(sql, claimed);
  const { partnerGuid, endpointGuid, eventGuid, eventType } = claimed;
  const { outcome, status } = attempt;
  return {
    dueMs: attempt.at.getTime(),
    kind: claimed.isProbe ? 'webhookProbe' : 'webhook',
    ...{ merchantGuid: null, paymentUuid: null, fromState: null, cause: null, toState: null },
    webhook: {
      ...{ partnerGuid, endpointGuid, deliveryGuid, eventGuid, eventType },
      ...{ outcome, status, state, nextMs: nextAt?.getTime() ?? null },
    },
  };
}
