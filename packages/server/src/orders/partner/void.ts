import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { changeOrder } from '../change-order.ts';
import { type OrderDeps, ownerOf } from '../order-deps.ts';
import { voidOrderPayments } from '../order-store.ts';
import { businessDateOf } from '../times.ts';
import { giveBackStock, voidedCheck } from '../void-parts.ts';
import type { Changing, OrderChange } from '../write-change.ts';

/** ORD-59. */
export function voidOrderHandler(deps: OrderDeps): HandlerOf<'orders.void'> {
  return async (request) => {
    const { principal, body, params, faults } = request;
    for (const name of ['selections', 'payments'] as const) {
      if (!body[name].voidAll)
        faults.add([name, 'voidAll'], 'must be true: only the whole order can be voided');
    }
    faults.refuse();
    const named = { orderGuid: params.orderGuid, ownerGuid: ownerOf(principal) };
    return { json: await changeOrder(deps, request, named, voidWithin) };
  };
}

async function voidWithin(changing: Changing): Promise<OrderChange> {
  const { sql, order, payments, restaurant, nowMs } = changing;
  const other = payments.find(({ type, voidedAt }) => type !== 'OTHER' && voidedAt === null);
  if (other) {
    throw new ApiError(
      'badRequest',
      `The order has a ${other.type} payment, ${other.paymentUuid}: ask the restaurant to void it.`,
    );
  }
  if (order.fulfilledAt) {
    throw new ApiError('badRequest', 'The order was fulfilled: ask the restaurant for a refund.');
  }
  const voidBusinessDate = businessDateOf(nowMs, restaurant);
  await voidOrderPayments(sql, order, { voidedAt: new Date(nowMs), voidBusinessDate });
  const { content } = order;
  const selections = content.checks.flatMap((check) => check.selections);
  await giveBackStock(changing, selections);
  const at = { voidedAtMs: nowMs, voidBusinessDate };
  const checks = content.checks.map((check) => voidedCheck(check, at));
  return {
    cause: 'voided',
    content: { ...content, checks, voidBusinessDate },
    row: { voidedAt: new Date(nowMs) },
  };
}
