import type { ChangeOrigin } from '../../audit/entry-store.ts';
import { originOf } from '../../audit/origin.ts';
import type { RequestFor } from '../../http/operation.ts';
import { noSuchPayment, type OrdersDeps } from '../life/orders.ts';
import { findPayment, type PaymentKey, type PaymentRow } from '../life/store.ts';
import { paymentOnWire } from './payment-on-wire.ts';

/** After its order was changed. Throws ApiError `notFound`. */
export async function requireAsItIs(
  { database: { sql } }: Pick<OrdersDeps, 'database'>,
  key: PaymentKey,
): Promise<PaymentRow> {
  const payment = await findPayment(sql, key);
  if (!payment) throw noSuchPayment();
  return payment;
}

export async function answerMove(
  { clock, realClock }: OrdersDeps,
  request: Omit<RequestFor<'backOffice.payments.fulfil'>, 'body'>,
  move: (key: PaymentKey, origin: ChangeOrigin) => Promise<PaymentRow>,
) {
  const { restaurant, params } = request;
  const key = { merchantGuid: restaurant.guid, paymentUuid: params.paymentUuid };
  const payment = await move(key, originOf(request, realClock));
  return { json: paymentOnWire(payment, clock.nowMs()) };
}
