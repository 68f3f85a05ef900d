import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { captureNow, type OrdersDeps } from '../life/orders.ts';
import { paymentOnWire } from './payment-on-wire.ts';

export type CapturePaymentDeps = OrdersDeps;

export const capturePaymentHandler =
  (deps: CapturePaymentDeps): HandlerOf<'backOffice.payments.capture'> =>
  async (request) => {
    const { restaurant, params } = request;
    const key = { merchantGuid: restaurant.guid, paymentUuid: params.paymentUuid };
    const payment = await captureNow(deps, key, originOf(request, deps.realClock));
    return { json: paymentOnWire(payment, deps.clock.nowMs()) };
  };
