import { type CounterPayment, orderLimits } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { Faults } from '../../http/faults.ts';
import { readAmount } from '../../payments/life/money.ts';
import type { OrderPaymentRow } from '../order.ts';
import { findOrderPayment, insertOrderPayments } from '../order-store.ts';
import { listPublished } from '../published-store.ts';
import { businessDateOf } from '../times.ts';
import type { Decide } from './decide.ts';
import { illegal } from './refuse.ts';

/** What a person took at the counter. */
export type ReadCounterPayment = Pick<
  OrderPaymentRow,
  'paymentUuid' | 'amountMinor' | 'tipMinor' | 'tenderedMinor' | 'otherPaymentGuid'
> & { readonly type: 'CASH' | 'OTHER' };

/** Throws ApiError with all faults. */
export function readCounterPayment(
  sent: CounterPayment,
  currencyCode: string,
  faults: Faults,
): ReadCounterPayment {
  const read = (name: 'amount' | 'tipAmount' | 'amountTendered', otherwise: number): number => {
    const amount = sent[name];
    if (amount === undefined || amount === null) return otherwise;
    const reading = readAmount(amount, currencyCode);
    if ('amountMinor' in reading) return reading.amountMinor;
    faults.add([name], reading.fault);
    return 0;
  };
  const amountMinor = read('amount', 0);
  const { type, otherPaymentGuid = null } = sent;
  if (type === 'OTHER' && otherPaymentGuid === null) {
    faults.add(['otherPaymentGuid'], 'is required for OTHER: send an alternate payment type');
  }
  if (type === 'CASH' && otherPaymentGuid !== null) {
    faults.add(['otherPaymentGuid'], 'is for OTHER only: leave it out');
  }
  const payment = {
    paymentUuid: sent.guid?.toLowerCase() ?? newGuid(),
    type,
    amountMinor,
    tipMinor: read('tipAmount', 0),
    tenderedMinor: read('amountTendered', amountMinor),
    otherPaymentGuid: otherPaymentGuid?.toLowerCase() ?? null,
  };
  faults.refuse();
  return payment;
}

/** A payment with the same guid that is the same in all is a repeat. */
export const pay =
  (checkGuid: string, payment: ReadCounterPayment): Decide =>
  async (deciding) => {
    const { sql, order, payments, restaurant, nowMs } = deciding;
    if (!order.content.checks.some(({ guid }) => guid === checkGuid)) {
      throw new ApiError('notFound', 'The order has no such check: check checkGuid in the path.');
    }
    const { guid: restaurantGuid } = restaurant;
    const { paymentUuid, type, otherPaymentGuid } = payment;
    const first = await findOrderPayment(sql, restaurantGuid, paymentUuid);
    if (first) {
      const isSame =
        first.checkGuid === checkGuid &&
        Object.entries(payment).every(([name, value]) => Reflect.get(first, name) === value);
      if (isSame) return null;
      throw new ApiError(
        'conflict',
        `A different payment already has the guid ${paymentUuid}: send another guid.`,
      );
    }
    if (order.voidedAt) throw illegal(deciding, 'pay');
    if (payments.filter((one) => one.checkGuid === checkGuid).length >= orderLimits.payments) {
      throw illegal(deciding, 'pay', `The check has ${orderLimits.payments} payments`);
    }
    if (otherPaymentGuid !== null) await requirePaymentType(sql, restaurantGuid, otherPaymentGuid);
    const row: OrderPaymentRow = {
      ...payment,
      restaurantGuid,
      orderGuid: order.guid,
      checkGuid,
      externalId: null,
      clientId: null,
      entryMode: null,
      paidAt: new Date(nowMs),
      paidBusinessDate: businessDateOf(nowMs, restaurant),
      voidedAt: null,
      voidBusinessDate: null,
      position: payments.length,
    };
    await insertOrderPayments(sql, [row]);
    const { amountMinor, tipMinor } = payment;
    return { cause: 'paid', details: { checkGuid, paymentUuid, type, amountMinor, tipMinor } };
  };

async function requirePaymentType(sql: Sql, restaurantGuid: string, guid: string): Promise<void> {
  const published = await listPublished(sql, restaurantGuid, ['alternatePaymentTypes']);
  if (published.some((one) => one.guid === guid)) return;
  throw new ApiError(
    'notFound',
    'The restaurant has no such published alternate payment type: check otherPaymentGuid.',
  );
}
