import { OrderPaymentRequest } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import { Faults } from '../../http/faults.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findPayment } from '../../payments/life/store.ts';
import { readTip } from '../../payments/life/tip.ts';
import { changeOrder } from '../change-order.ts';
import { requireCheck } from '../grow-check.ts';
import { PaymentMoved } from '../kitchen/decide.ts';
import { tipWithin } from '../kitchen/tip-by-hand.ts';
import type { OrderDeps } from '../order-deps.ts';
import { refuseOrder } from '../order-faults.ts';
import { type ShownPayment, updatePaymentTip } from '../order-store.ts';
import { changeableOwner } from '../reach-orders.ts';
import { Part } from '../read-order/part.ts';
import { readMoney } from '../read-order/read-money.ts';
import type { Changing, OrderChange } from '../write-change.ts';

const TRIES = 5;

/** ORD-47. */
export function updatePaymentHandler(deps: OrderDeps): HandlerOf<'orders.payments.update'> {
  return async (request) => {
    const { principal, body, params, faults } = request;
    for (const name of Object.keys(OrderPaymentRequest.properties)) {
      if (name !== 'tipAmount' && Object.hasOwn(body, name)) {
        faults.add([name], 'cannot be changed: send only tipAmount');
      }
    }
    faults.refuse();
    const named = { orderGuid: params.orderGuid, ownerGuid: changeableOwner(principal) };
    for (let tried = 1; tried <= TRIES; tried += 1) {
      try {
        const json = await changeOrder(deps, request, named, (changing) =>
          tip(changing, params, body.tipAmount),
        );
        deps.observer?.moved('tipChanged');
        return { json };
      } catch (error) {
        if (!(error instanceof PaymentMoved)) throw error;
      }
    }
    throw new ApiError('conflict', 'Somebody else is changing this payment: try again.');
  };
}

async function tip(
  changing: Changing,
  params: { readonly checkGuid: string; readonly paymentGuid: string },
  tipAmount: number,
): Promise<OrderChange> {
  const { order, payments, nowMs } = changing;
  const check = requireCheck(order.content.checks, params.checkGuid);
  const guid = params.paymentGuid.toLowerCase();
  const payment = payments.find((one) => one.paymentUuid === guid && one.checkGuid === check.guid);
  if (!payment) {
    throw new ApiError('notFound', 'The check has no such payment: check paymentGuid in the path.');
  }
  const tipMinor = await changeTip(changing, payment, tipAmount);
  const checks = order.content.checks.map((one) =>
    one === check ? { ...check, modifiedAtMs: nowMs } : one,
  );
  return {
    cause: 'tipChanged',
    details: { paymentUuid: guid, tipMinor },
    content: { ...order.content, checks },
  };
}

/** Minor units. Throws ApiError. */
async function changeTip(
  changing: Changing,
  payment: ShownPayment,
  tipAmount: number,
): Promise<number> {
  const { sql, restaurant } = changing;
  const { paymentUuid, type, voidedAt } = payment;
  if (voidedAt)
    throw new ApiError('conflict', 'The payment was voided, so its tip can no longer change.');
  if (type !== 'CREDIT') {
    const faults = new Faults({ statuses: [] });
    const part = new Part({ tipAmount }, [], faults);
    const tipMinor = readMoney(part, 'tipAmount', restaurant.currencyCode);
    refuseOrder(faults);
    if (tipMinor === null) throw new Error('a tip without a fault was not read');
    await updatePaymentTip(sql, payment, tipMinor);
    return tipMinor;
  }
  const authorization = await findPayment(sql, { merchantGuid: restaurant.guid, paymentUuid });
  if (!authorization) throw new Error(`payment ${paymentUuid} of an order has no row`);
  const read = readTip(authorization, tipAmount);
  if ('fault' in read) throw new ApiError('badRequest', `tipAmount ${read.fault}.`);
  await tipWithin(changing, payment, read.amountMinor);
  return read.amountMinor;
}
