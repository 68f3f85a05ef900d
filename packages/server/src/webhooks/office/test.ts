import type { HandlerOf } from '../../http/operation.ts';
import { everywhere } from '../../support/due-work.ts';
import { findManagedDelivery } from '../delivery/drop-delivery.ts';
import { sendTestEvent } from '../endpoints/test-event.ts';
import { authorityOf, type ChangeWebhooksDeps } from './change.ts';
import { deliveryOnWire } from './delivery-on-wire.ts';

export const testEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.test'> =>
  async (request) => {
    const { params, body } = request;
    const sent = await sendTestEvent(deps, params.endpointGuid, body, authorityOf(request, deps));
    const [guid = ''] = sent.deliveryGuids;
    const delivery = await findManagedDelivery(deps.database.sql, guid, everywhere);
    return { json: deliveryOnWire(delivery) };
  };
