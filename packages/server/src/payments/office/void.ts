import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type OrdersDeps, voidPayment } from '../life/orders.ts';
import { paymentOnWire } from './payment-on-wire.ts';

/** What the handler needs. */
export type VoidPaymentDeps = OrdersDeps;

/** Voids a payment whose order was not fulfilled. */
export const voidPaymentHandler =
  (deps: VoidPaymentDeps): HandlerOf<'backOffice.payments.void'> =>
  async (request) => {
    const { restaurant, params, body } = request;
    const key = { merchantGuid: restaurant.guid, paymentUuid: params.paymentUuid };
    const payment = await voidPayment(deps, key, body.reason, originOf(request, deps.realClock));
    return { json: paymentOnWire(payment, deps.clock.nowMs()) };
  };
