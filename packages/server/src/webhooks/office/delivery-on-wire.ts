import type { WebhookDelivery } from '@servery/contract';
import { withInstantTexts } from '../../text/instant.ts';
import type { DeliveryView } from '../delivery/delivery-store.ts';

export function deliveryOnWire(row: DeliveryView & { readonly body?: string }): WebhookDelivery {
  const { place, extra, body, ...delivery } = row;
  return withInstantTexts(delivery);
}
