import type { WebhookAttempt } from '@servery/contract';
import type { HandlerOf } from '../../../http/operation.ts';
import { withInstantTexts } from '../../../text/instant.ts';
import { type AttemptRow, type DeliveryView, listAttempts } from '../../delivery/delivery-store.ts';
import { findManagedDelivery } from '../../delivery/drop-delivery.ts';
import { maskedHeaders } from '../../delivery/request-headers.ts';
import type { ChangeWebhooksDeps } from '../change.ts';
import { deliveryOnWire } from '../delivery-on-wire.ts';

const ATTEMPTS_SHOWN = 100;

export interface GetDeliveryDeps extends Pick<ChangeWebhooksDeps, 'database'> {
  readonly brand: string;
}

export const getDeliveryHandler =
  ({ database, brand }: GetDeliveryDeps): HandlerOf<'backOffice.webhooks.deliveries.get'> =>
  async ({ params, reach }) => {
    // One snapshot: otherwise a delivery could still wait beside its last attempt.
    const { delivery, attempts } = await database.transaction(
      async (snapshot) => {
        const delivery = await findManagedDelivery(snapshot, params.deliveryGuid, reach);
        return { delivery, attempts: await listAttempts(snapshot, delivery, ATTEMPTS_SHOWN) };
      },
      { isolation: 'repeatable read', readOnly: true },
    );
    const { body } = delivery;
    const shown = attempts.map((attempt) => attemptOnWire(brand, delivery, attempt));
    return { json: { ...deliveryOnWire(delivery), body, attempts: shown } };
  };

function attemptOnWire(
  brand: string,
  { eventGuid, eventType, isReplay, isTest }: DeliveryView,
  { sentAt, ...attempt }: AttemptRow,
): WebhookAttempt {
  const { number } = attempt;
  const event = { eventGuid, eventType, isReplay, isTest };
  return {
    ...withInstantTexts(attempt),
    requestHeaders: maskedHeaders(brand, { ...event, number, sentAt }),
  };
}
