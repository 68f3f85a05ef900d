import { orderLimits } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import { makeMove } from '../../payments/life/outcome.ts';
import { recordMoveWithin } from '../../payments/life/record.ts';
import { findOwnPayment } from '../../payments/life/store.ts';
import type { OrderPaymentRow } from '../order.ts';
import { insertOrderPayments } from '../order-store.ts';
import { endsBeforeCapture } from '../place/judge-payments.ts';
import { entryModeOf } from '../place/place-order.ts';
import { businessDateOf } from '../times.ts';
import { type Decide, PaymentMoved } from './decide.ts';
import { scheduleLate } from './fulfil.ts';
import { illegal } from './refuse.ts';

/** ORD-50: the amounts are those that were authorized. */
export const applyByHand =
  (paymentUuid: string, checkGuid: string): Decide =>
  async (deciding) => {
    const { sql, order, payments, restaurant, origin, nowMs, news } = deciding;
    const first = payments.find((one) => one.paymentUuid === paymentUuid);
    if (first?.checkGuid === checkGuid && !first.voidedAt) return null;
    if (order.voidedAt || order.fulfilledAt) throw illegal(deciding, 'pay');
    if (payments.filter((one) => one.checkGuid === checkGuid).length >= orderLimits.payments) {
      throw illegal(deciding, 'pay', `The check has ${orderLimits.payments} payments`);
    }
    const key = { merchantGuid: restaurant.guid, paymentUuid };
    const authorization = await findOwnPayment(sql, key, order.clientId);
    if (!authorization) {
      throw new ApiError(
        'notFound',
        'The payment does not belong to the partner or group that placed the order: apply one that does.',
      );
    }
    const { state, applyDeadline, amountMinor, tipMinor } = authorization;
    const isLate = applyDeadline !== null && nowMs >= applyDeadline.getTime();
    if (state !== 'AUTHORIZED' || isLate) {
      const why = isLate ? 'its five minutes are over' : `it is ${state}`;
      throw new ApiError(
        'conflict',
        `The payment can't be applied because ${why}: authorize a new one.`,
      );
    }
    const fulfilledMs = Math.max(order.openedAt.getTime(), order.promisedAt?.getTime() ?? 0);
    if (endsBeforeCapture(authorization, fulfilledMs, restaurant)) {
      throw new ApiError(
        'conflict',
        "The payment can't be applied because its hold would end before the order is fulfilled: " +
          'authorize it closer to that time.',
      );
    }
    const row: OrderPaymentRow = {
      restaurantGuid: restaurant.guid,
      paymentUuid,
      orderGuid: order.guid,
      checkGuid,
      externalId: null,
      clientId: authorization.clientId,
      type: 'CREDIT',
      amountMinor,
      tipMinor,
      tenderedMinor: 0,
      otherPaymentGuid: null,
      entryMode: entryModeOf(authorization, order.approvalStatus === 'FUTURE'),
      paidAt: new Date(nowMs),
      paidBusinessDate: businessDateOf(nowMs, restaurant),
      voidedAt: null,
      voidBusinessDate: null,
      position: payments.length,
    };
    await insertOrderPayments(sql, [row]);
    const move = makeMove('appliedToCheck', nowMs, {
      change: { checkGuid, orderGuid: order.guid },
      details: { by: origin.by },
    });
    if (!(await recordMoveWithin(sql, authorization, move, news))) throw new PaymentMoved();
    return {
      cause: 'paid',
      details: { checkGuid, paymentUuid, type: 'CREDIT', amountMinor, tipMinor },
      moved: ['appliedToCheck', ...(await scheduleLate(deciding, [row]))],
    };
  };
