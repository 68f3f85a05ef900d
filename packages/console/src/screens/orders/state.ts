import type { BackOfficeOrder, Check, MenuItemSelection, Order } from '@servery/contract';
import { dayOf, instantAt } from '../../platform/format.ts';

/** Where an order is on its way to the guest. */
export const orderStates = [
  'waiting',
  'accepted',
  'kitchen',
  'ready',
  'fulfilled',
  'canceled',
] as const;

export type OrderState = (typeof orderStates)[number];

export const isOrderState = (text: string | undefined): text is OrderState =>
  orderStates.some((state) => state === text);

export function stateOf({ fulfilledAt, order }: BackOfficeOrder): OrderState {
  if (order.voided) return 'canceled';
  if (fulfilledAt !== null) return 'fulfilled';
  if (order.approvalStatus === 'NEEDS_APPROVAL') return 'waiting';
  if (order.guestOrderStatus === 'READY_FOR_PICKUP') return 'ready';
  return order.guestOrderStatus === 'IN_PREPARATION' ? 'kitchen' : 'accepted';
}

export type Step = 'approve' | 'fire' | 'hold' | 'ready' | 'fulfil';

/** What usually comes next; null if nothing does. */
export function nextStep(order: BackOfficeOrder): Step | null {
  // What the kitchen has nothing of goes there first.
  const steps: readonly Step[] =
    stateOf(order) === 'accepted'
      ? ['fire', 'ready', 'fulfil']
      : ['approve', 'ready', 'fire', 'fulfil'];
  return steps.find((step) => order.legalMoves.includes(step)) ?? null;
}

/** How the state lets an order end without a guest. */
export function cancelMove({ legalMoves }: BackOfficeOrder): 'reject' | 'void' | null {
  if (legalMoves.includes('reject')) return 'reject';
  return legalMoves.includes('void') ? 'void' : null;
}

/** Orders write `+0000`, which not every browser reads. */
export function instantOf(time: string): string {
  return time.replace(/\+0000$/, 'Z');
}

/** The kitchen begins with what was due there first. */
export function urgencyOf({ fireAt, order }: BackOfficeOrder): string {
  return `${fireAt} ${order.createdDate}`;
}

/** When the guest expects the order; null for those who wait at a table. */
export function promisedAt({ promisedDate, estimatedFulfillmentDate }: Order): string | null {
  const time = promisedDate ?? estimatedFulfillmentDate;
  return time === null ? null : instantOf(time);
}

export function selectionsOf({ checks }: Order): readonly MenuItemSelection[] {
  return checks.flatMap(({ selections }) => selections);
}

const HALF_DAY_MS = 13 * 3_600_000;

/** When the business day began: it ends at the closeout hour and not at midnight. */
export function businessDayStart(
  atMs: number,
  { timeZone, closeoutHour }: { readonly timeZone: string; readonly closeoutHour: number },
): number {
  const time = `${String(closeoutHour).padStart(2, '0')}:00`;
  const start = instantAt(dayOf(atMs, timeZone), time, timeZone);
  // The closeout hour is noon at the latest.
  return start <= atMs ? start : instantAt(dayOf(atMs - HALF_DAY_MS, timeZone), time, timeZone);
}

const rounded = (amount: number) => Math.round(amount * 10_000) / 10_000;

const sum = <Each>(all: readonly Each[], amountOf: (each: Each) => number) =>
  rounded(all.reduce((total, each) => total + amountOf(each), 0));

export interface Money {
  readonly total: number;
  readonly paid: number;
  readonly tips: number;
  readonly due: number;
}

/** ORD-57: a gratuity is owed as a tip. */
export function moneyOf({ totalAmount, payments, appliedServiceCharges, voided }: Check): Money {
  const counted = payments.filter(({ paymentStatus }) => !isReleased(paymentStatus));
  const paid = sum(counted, ({ amount }) => amount);
  const tips = sum(counted, ({ tipAmount }) => tipAmount);
  const gratuity = sum(
    appliedServiceCharges.filter((charge) => charge.gratuity),
    ({ chargeAmount }) => chargeAmount,
  );
  const due = voided ? 0 : Math.max(0, totalAmount - paid) + Math.max(0, gratuity - tips);
  return { total: totalAmount, paid, tips, due: rounded(due) };
}

export function moneyOfOrder({ checks }: Order): Money {
  const all = checks.map(moneyOf);
  return {
    total: sum(all, ({ total }) => total),
    paid: sum(all, ({ paid }) => paid),
    tips: sum(all, ({ tips }) => tips),
    due: sum(all, ({ due }) => due),
  };
}

/** What fulfillment will take from cards. */
export function heldOf({ checks }: Order): number {
  const held = checks
    .flatMap(({ payments }) => payments)
    .filter(({ type, paymentStatus }) => type === 'CREDIT' && paymentStatus === 'AUTHORIZED');
  return sum(held, ({ amount, tipAmount }) => amount + tipAmount);
}

export function isReleased(status: string): boolean {
  return status === 'VOIDED' || status === 'PROCESSING_VOID';
}

/** A price by name and what it adds up to over a check. */
export interface Line {
  readonly name: string;
  readonly amount: number;
}

/** The taxes of a check by rate, those of its service charges too. */
export function taxesOf({ selections, appliedServiceCharges }: Check): readonly Line[] {
  const taxes = [...selections, ...appliedServiceCharges].flatMap(
    ({ appliedTaxes }) => appliedTaxes,
  );
  const byRate = Map.groupBy(taxes, ({ taxRate, name }) => taxRate.guid ?? name);
  return [...byRate.values()].map((same) => ({
    name: same[0]?.name ?? '',
    amount: sum(same, ({ taxAmount }) => taxAmount),
  }));
}

/** Before discounts on the check; those on a selection are in its price. */
export function subtotalOf({ selections }: Check): number {
  return sum(
    selections.filter(({ voided }) => !voided),
    ({ preDiscountPrice }) => preDiscountPrice,
  );
}
