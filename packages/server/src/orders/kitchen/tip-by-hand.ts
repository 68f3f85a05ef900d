import { changeTipWithin } from '../../payments/life/orders.ts';
import { findPayment } from '../../payments/life/store.ts';
import { currentTipMinor } from '../../payments/life/tip.ts';
import { type ShownPayment, updatePaymentTip } from '../order-store.ts';
import { type Decide, type Deciding, PaymentMoved } from './decide.ts';

/** ORD-50: the tip was read by what was authorized. */
export const tipByHand =
  (paymentUuid: string, tipMinor: number): Decide =>
  async (deciding) => {
    const { order, payments, nowMs } = deciding;
    const payment = payments.find((one) => one.paymentUuid === paymentUuid);
    if (!payment) throw new Error(`payment ${paymentUuid} left its order`);
    const isChanged = await tipWithin(deciding, payment, tipMinor);
    if (!isChanged) return null;
    const checks = order.content.checks.map((check) =>
      check.guid === payment.checkGuid ? { ...check, modifiedAtMs: nowMs } : check,
    );
    return {
      cause: 'tipChanged',
      details: { paymentUuid, tipMinor },
      content: { ...order.content, checks },
      moved: ['tipChanged'],
    };
  };

/** Of a payment by card, and what its order shows of it. False if the tip was so before. */
export async function tipWithin(
  { sql, restaurant, origin, nowMs, news }: Deciding,
  payment: ShownPayment,
  tipMinor: number,
): Promise<boolean> {
  const key = { merchantGuid: restaurant.guid, paymentUuid: payment.paymentUuid };
  const authorization = await findPayment(sql, key);
  if (!authorization) throw new Error(`payment ${payment.paymentUuid} of an order has no row`);
  const after = await changeTipWithin(sql, authorization, tipMinor, origin, nowMs, news);
  if (!after) throw new PaymentMoved();
  await updatePaymentTip(sql, payment, tipMinor);
  return currentTipMinor(authorization) !== tipMinor || payment.tipMinor !== tipMinor;
}
