import { orderLimits } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import { Faults } from '../../http/faults.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { Cause } from '../../payments/life/lifecycle.ts';
import { changeOrder } from '../change-order.ts';
import { requireCheck } from '../grow-check.ts';
import type { Decision } from '../kitchen/decide.ts';
import { scheduleLate } from '../kitchen/fulfil.ts';
import type { OrderDeps } from '../order-deps.ts';
import { refuseOrder } from '../order-faults.ts';
import { findAuthorizations, judgePayments } from '../place/judge-payments.ts';
import { applyPayments, Outdated, paymentRowOf } from '../place/place-order.ts';
import { changeableOwner } from '../reach-orders.ts';
import { Part } from '../read-order/part.ts';
import { type ReadPayment, readPayments } from '../read-order/read-payments.ts';
import { readingContext } from '../read-order/reading-context.ts';
import type { Changing } from '../write-change.ts';

const TRIES = 5;

/** ORD-44 to ORD-46. */
export function addPaymentsHandler(deps: OrderDeps): HandlerOf<'orders.payments.add'> {
  return async (request) => {
    const { restaurant, principal, body, params, faults, nowMs } = request;
    const rest = { nowMs, isPlaced: true, faults, path: [] };
    const context = await readingContext(deps, restaurant.guid, rest);
    const parts = body.map((one, index) => new Part(one, [index], faults));
    for (const part of parts) {
      if (part.get('type') === 'OTHER') {
        part.fault('must be CREDIT: only card payments can be added', 'type');
      }
    }
    const payments = readPayments(parts, context);
    refuseOrder(faults);
    const named = { orderGuid: params.orderGuid, ownerGuid: changeableOwner(principal) };
    for (let tried = 1; tried <= TRIES; tried += 1) {
      let moved: readonly Cause[] = [];
      try {
        const json = await changeOrder(deps, request, named, async (changing) => {
          const made = await pay(changing, params.checkGuid, payments, principal.clientId);
          moved = made.moved ?? [];
          return made;
        });
        for (const cause of moved) deps.observer?.moved(cause);
        return { json };
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
    throw new ApiError('conflict', 'Somebody else is changing these payments: try again.');
  };
}

async function pay(
  changing: Changing,
  checkGuid: string,
  payments: readonly ReadPayment[],
  clientId: string,
): Promise<Decision> {
  const { sql, order, payments: before, restaurant, nowMs, news } = changing;
  const check = requireCheck(order.content.checks, checkGuid);
  const onCheck = before.filter((one) => one.checkGuid === check.guid).length;
  const faults = new Faults({ statuses: [] });
  if (onCheck + payments.length > orderLimits.payments) {
    faults.add([], `would give the check more than ${orderLimits.payments} payments: send fewer`);
  }
  const fulfilledMs = Math.max(order.openedAt.getTime(), order.promisedAt?.getTime() ?? 0);
  const authorizations = await findAuthorizations(sql, payments, restaurant.guid, clientId);
  judgePayments(payments, authorizations, { restaurant, nowMs, fulfilledMs, faults });
  refuseOrder(faults);
  const isFuture = order.approvalStatus === 'FUTURE';
  const rows = payments.map((payment, index) =>
    paymentRowOf(payment, authorizations.get(payment.paymentUuid ?? '') ?? null, {
      ...{ guid: order.guid, checkGuid: check.guid, position: before.length + index },
      ...{ clientId, nowMs, isFuture, restaurant },
    }),
  );
  await applyPayments(sql, rows, authorizations, { nowMs, by: clientId, news });
  const checks = order.content.checks.map((one) =>
    one === check ? { ...check, modifiedAtMs: nowMs } : one,
  );
  return {
    cause: 'paymentsAdded',
    details: { checkGuid: check.guid, payments: rows.map(({ paymentUuid }) => paymentUuid) },
    content: { ...order.content, checks },
    moved: [...rows.map(() => 'appliedToCheck' as const), ...(await scheduleLate(changing, rows))],
  };
}
