import type { BackOfficeOrder } from '@servery/contract';
import { call } from '../../platform/session.ts';
import type { Step } from './state.ts';

/** Names the order, and returns it as the decision left it. A repeated decision changes nothing. */
export async function takeStep(
  step: Step,
  restaurantGuid: string,
  orderGuid: string,
  selectionGuids?: readonly string[],
): Promise<BackOfficeOrder> {
  const params = { restaurantGuid, orderGuid };
  const body = selectionGuids ? { selectionGuids: [...selectionGuids] } : {};
  switch (step) {
    case 'approve':
      return await call('backOffice.orders.approve', { params });
    case 'fire':
      return await call('backOffice.orders.fire', { params, body });
    case 'hold':
      return await call('backOffice.orders.hold', { params, body });
    case 'ready':
      return await call('backOffice.orders.ready', { params, body });
    case 'fulfil':
      return await call('backOffice.orders.fulfil', { params });
  }
}
