import { recordStock } from '../stock/record.ts';
import type { OrderCheck, OrderModifier, OrderSelection } from './order.ts';
import { givenBack } from './stock-need.ts';
import { listStockToGiveBack } from './stock-store.ts';
import type { Changing } from './write-change.ts';

/** ORD-51: what no kitchen has begun goes back to stock. */
export async function giveBackStock(
  { sql, order, origin, news }: Changing,
  selections: readonly OrderSelection[],
): Promise<void> {
  const untouched = selections.filter(
    ({ fulfillmentStatus: status, voidedAtMs }) =>
      voidedAtMs === null && (status === 'NEW' || status === 'HOLD'),
  );
  const taken = givenBack(untouched);
  const stock = await listStockToGiveBack(sql, order.restaurantGuid, [...taken.keys()]);
  const reason = { cause: 'ORDER_VOID', orderGuid: order.guid } as const;
  const levels = stock.map(({ itemGuid, quantity }) => ({
    itemGuid,
    status: 'QUANTITY' as const,
    quantity: taken.get(itemGuid)?.plus(quantity) ?? quantity,
    until: null,
  }));
  await recordStock(sql, origin, order.restaurantGuid, levels, reason, news);
}

export type Voiding = Pick<OrderCheck, 'voidedAtMs' | 'voidBusinessDate'>;

export function voidedCheck(
  check: OrderCheck,
  at: Voiding,
  voidReasonGuid: string | null = null,
): OrderCheck {
  return {
    ...check,
    ...at,
    selections: check.selections.map((selection) => voidedSelection(selection, at, voidReasonGuid)),
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

const voided = <Discount extends object>(discount: Discount) => ({ ...discount, isVoided: true });

/** What was voided before stays as it was. */
export function voidedSelection(
  selection: OrderSelection,
  at: Voiding,
  voidReasonGuid: string | null,
): OrderSelection {
  if (selection.voidedAtMs !== null) return selection;
  return {
    ...selection,
    ...voidedModifier(selection, at),
    voidReasonGuid,
    resolved: { ...selection.resolved, isVoided: true },
    appliedDiscounts: selection.appliedDiscounts.map(voided),
  };
}

function voidedModifier(modifier: OrderModifier, at: Voiding): OrderModifier {
  const modifiers = modifier.modifiers.map((each) => voidedModifier(each, at));
  return { ...modifier, ...at, modifiers };
}
