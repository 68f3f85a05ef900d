import type { HandlerOf } from '../../../http/operation.ts';
import { withInstantTexts } from '../../../text/instant.ts';
import { listAttempts } from '../../delivery/delivery-store.ts';
import { findManagedDelivery } from '../../delivery/drop-delivery.ts';
import type { ChangeWebhooksDeps } from '../change.ts';
import { deliveryOnWire } from '../delivery-on-wire.ts';

const ATTEMPTS_SHOWN = 100;

export const getDeliveryHandler =
  ({
    database,
  }: Pick<ChangeWebhooksDeps, 'database'>): HandlerOf<'backOffice.webhooks.deliveries.get'> =>
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
    return {
      json: { ...deliveryOnWire(delivery), body, attempts: attempts.map(withInstantTexts) },
    };
  };
