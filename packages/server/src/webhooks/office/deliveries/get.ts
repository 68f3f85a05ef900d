import type { WebhookAttempt } from '@servery/contract';
import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { isoTimestamp } from '../../../http/timestamps.ts';
import { type AttemptRow, findDelivery, listAttempts } from '../../delivery/delivery-store.ts';
import { noSuchDelivery } from '../../delivery/refusals.ts';
import { deliveryOnWire } from '../delivery-on-wire.ts';

const ATTEMPTS_SHOWN = 100;

export const getDeliveryHandler =
  ({
    database,
  }: {
    readonly database: Database;
  }): HandlerOf<'backOffice.webhooks.deliveries.get'> =>
  async ({ params, reach }) => {
    // One snapshot: otherwise a delivery could still wait beside its last attempt.
    const { delivery, attempts } = await database.transaction(
      async (snapshot) => {
        const delivery = await findDelivery(snapshot, params.deliveryGuid, reach);
        if (!delivery) throw noSuchDelivery();
        return { delivery, attempts: await listAttempts(snapshot, delivery, ATTEMPTS_SHOWN) };
      },
      { isolation: 'repeatable read', readOnly: true },
    );
    const { body } = delivery;
    return { json: { ...deliveryOnWire(delivery), body, attempts: attempts.map(attemptOnWire) } };
  };

function attemptOnWire({
  at,
  answer,
  nextAt,
  requestHeaders,
  ...attempt
}: AttemptRow): WebhookAttempt {
  return {
    ...attempt,
    at: isoTimestamp(at),
    requestHeaders: { ...requestHeaders },
    answerBody: answer,
    nextAt: nextAt && isoTimestamp(nextAt),
  };
}
