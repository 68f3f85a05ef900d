import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { changeTip, noSuchPayment, type OrdersDeps } from '../life/orders.ts';
import { findPayment } from '../life/store.ts';
import { readTip } from '../life/tip.ts';
import { answerMove, requireAsItIs } from './answer-move.ts';

export const changePaymentTipHandler =
  (deps: OrdersDeps): HandlerOf<'backOffice.payments.tip'> =>
  (request) =>
    answerMove(deps, request, async (key, origin) => {
      const payment = await findPayment(deps.database.sql, key);
      if (!payment) throw noSuchPayment();
      const tip = readTip(payment, request.body.tipAmount);
      if ('fault' in tip) {
        const faults = [{ where: 'tipAmount', message: tip.fault }];
        throw new ApiError('unprocessable', `tipAmount ${tip.fault}.`, { faults });
      }
      const orderGuid = await deps.ordersHere?.orderOfPayment(key);
      if (!orderGuid) return await changeTip(deps, key, tip.amountMinor, origin);
      await deps.ordersHere?.changeTip(orderGuid, key, tip.amountMinor, origin);
      return await requireAsItIs(deps, key);
    });
