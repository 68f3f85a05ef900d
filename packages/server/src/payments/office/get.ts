import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { noSuchPayment } from '../life/orders.ts';
import { findPayment } from '../life/store.ts';
import { paymentOnWire } from './payment-on-wire.ts';

interface GetPaymentDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
}

export const getPaymentHandler =
  ({ database: { sql }, clock }: GetPaymentDeps): HandlerOf<'backOffice.payments.get'> =>
  async ({ restaurant, params: { paymentUuid } }) => {
    const payment = await findPayment(sql, { merchantGuid: restaurant.guid, paymentUuid });
    if (!payment) throw noSuchPayment();
    return { json: paymentOnWire(payment, clock.nowMs()) };
  };
