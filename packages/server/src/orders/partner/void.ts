import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { recordStock } from '../../stock/record.ts';
import { type Changing, changeOrder, type OrderChange } from '../change-order.ts';
import type { OrderCheck, OrderModifier } from '../order.ts';
import { type OrderDeps, ownerOf } from '../order-deps.ts';
import { listOrderPayments, voidOrderPayments } from '../order-store.ts';
import { givenBack } from '../stock-need.ts';
import { listStockToGiveBack } from '../stock-store.ts';
import { businessDateOf } from '../times.ts';

/** ORD-59. */
export function voidOrderHandler(deps: OrderDeps): HandlerOf<'orders.void'> {
  return async (request) => {
    const { principal, body, params, faults } = request;
    for (const name of ['selections', 'payments'] as const) {
      if (!body[name].voidAll)
        faults.add([name, 'voidAll'], 'must be true: only all can be voided');
    }
    faults.refuse();
    const named = { orderGuid: params.orderGuid, ownerGuid: ownerOf(principal) };
    return { json: await changeOrder(deps, request, named, voidWithin) };
  };
}

async function voidWithin(changing: Changing): Promise<OrderChange> {
  const { sql, order, restaurant, origin, nowMs } = changing;
  const payments = await listOrderPayments(sql, restaurant.guid, [order.guid]);
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
  const untouched = content.checks
    .flatMap(({ selections }) => selections)
    .filter(({ fulfillmentStatus: status }) => status === 'NEW' || status === 'HOLD');
  const taken = givenBack(untouched);
  const stock = await listStockToGiveBack(sql, restaurant.guid, [...taken.keys()]);
  const reason = { cause: 'ORDER_VOID', orderGuid: order.guid } as const;
  const levels = stock.map(({ itemGuid, quantity }) => ({
    itemGuid,
    status: 'QUANTITY' as const,
    quantity: taken.get(itemGuid)?.plus(quantity) ?? quantity,
    until: null,
  }));
  await recordStock(sql, origin, restaurant.guid, levels, reason);
  const at = { voidedAtMs: nowMs, voidBusinessDate };
  const checks = content.checks.map((check) => voidedCheck(check, at));
  return {
    cause: 'voided',
    content: { ...content, checks, voidBusinessDate },
    row: { guestStatus: 'VOIDED', voidedAt: new Date(nowMs) },
  };
}

type Voiding = Pick<OrderCheck, 'voidedAtMs' | 'voidBusinessDate'>;

function voidedCheck(check: OrderCheck, at: Voiding): OrderCheck {
  const voided = <Discount extends object>(discount: Discount) => ({ ...discount, isVoided: true });
  return {
    ...check,
    ...at,
    selections: check.selections.map((selection) => ({
      ...selection,
      ...voidedModifier(selection, at),
      resolved: { ...selection.resolved, isVoided: true },
      appliedDiscounts: selection.appliedDiscounts.map(voided),
    })),
    appliedDiscounts: check.appliedDiscounts.map(voided),
    amountMinor: 0,
    taxMinor: 0,
    totalMinor: 0,
    gratuityMinor: 0,
    paidAtMs: null,
    closedAtMs: null,
    paymentStatus: 'OPEN',
  };
}

function voidedModifier(modifier: OrderModifier, at: Voiding): OrderModifier {
  const modifiers = modifier.modifiers.map((each) => voidedModifier(each, at));
  return { ...modifier, ...at, modifiers };
}
