import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { applyToCheck, type OrdersDeps } from '../life/orders.ts';
import { paymentOnWire } from './payment-on-wire.ts';

export type ApplyPaymentDeps = OrdersDeps;

export const applyPaymentHandler =
  (deps: ApplyPaymentDeps): HandlerOf<'backOffice.payments.apply'> =>
  async (request) => {
    const { restaurant, params, body } = request;
    const key = { merchantGuid: restaurant.guid, paymentUuid: params.paymentUuid };
    const payment = await applyToCheck(
      deps,
      key,
      body.checkGuid,
      originOf(request, deps.realClock),
    );
    return { json: paymentOnWire(payment, deps.clock.nowMs()) };
  };
