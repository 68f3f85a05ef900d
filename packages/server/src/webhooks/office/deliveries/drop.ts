import type { HandlerOf } from '../../../http/operation.ts';
import { dropDelivery } from '../../delivery/drop-delivery.ts';
import { authorityOf, type ChangeWebhooksDeps } from '../change.ts';
import { deliveryOnWire } from '../delivery-on-wire.ts';

export const dropDeliveryHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.deliveries.drop'> =>
  async (request) => {
    const { params, body } = request;
    const authority = authorityOf(request, deps);
    const dropped = await dropDelivery(deps, params.deliveryGuid, body.reason, authority);
    return { json: deliveryOnWire(dropped) };
  };
