import type { PaymentsEventDetails } from '@servery/contract';
import type { Sql } from '../../database/database.ts';
import {
  type RestaurantNews,
  wantedEvents,
} from '../../webhooks/delivery/queue-restaurant-events.ts';
import type { WantedEvents } from '../../webhooks/delivery/restaurant-event-store.ts';
import type { Cause, PaymentState } from './lifecycle.ts';
import { listEvents } from './list-store.ts';
import { amountOnWire } from './money.ts';
import type { PaymentRow } from './store.ts';
import { currentTipMinor } from './tip.ts';

type PaymentStatus = PaymentsEventDetails['paymentStatus'];
type Reason = NonNullable<PaymentsEventDetails['reason']>;

const statuses: { readonly [State in PaymentState]?: PaymentStatus } = {
  AUTHORIZED: 'AUTHORIZED',
  APPLIED: 'AUTHORIZED',
  CAPTURE_SCHEDULED: 'AUTHORIZED',
  CAPTURE_PENDING: 'CAPTURE_IN_PROGRESS',
  CAPTURED: 'CAPTURED',
  VOID_PENDING: 'PROCESSING_VOID',
  VOIDED: 'VOIDED',
  REVIEW: 'ERROR',
};

const reasons: { readonly [Each in Cause]?: Reason } = {
  applyDeadlinePassed: 'UNAPPLIED',
  inquiryApprovedLate: 'UNAPPLIED',
  captureDeadlinePassed: 'UNCAPTURED',
  voidedOnPointOfSale: 'POINT_OF_SALE',
};

/**
 * HOOK-5: who is told of the move; null for nobody. The answers to the authorization tell its own
 * outcome.
 */
export function moveWanted(before: PaymentRow, after: PaymentRow): WantedEvents | null {
  return isSeen(before, after) ? wantedEvents(aboutPayment(after)) : null;
}

/** Whether a move changes what orders and events show of an authorized payment (ORD-48). */
export function isSeen(before: PaymentRow, after: PaymentRow): boolean {
  const [status, newStatus] = [statuses[before.state], statuses[after.state]];
  const isTipChanged = currentTipMinor(before) !== currentTipMinor(after);
  return Boolean(status && newStatus) && (status !== newStatus || isTipChanged);
}

/** `sql` is the transaction of a move that `moveWanted` names somebody for. */
export function paymentNews(
  sql: Sql,
  { state }: PaymentRow,
  after: PaymentRow,
  move: Why,
): RestaurantNews {
  const events = async () => {
    const paymentStatus = statuses[after.state];
    if (!paymentStatus) throw new Error(`no event tells of a payment that is ${after.state}`);
    const amount = (minor: number) => amountOnWire(minor, after.currencyCode);
    const details = {
      restaurantGuid: after.merchantGuid,
      paymentUuid: after.paymentUuid,
      orderGuid: after.orderGuid,
      checkGuid: after.checkGuid,
      type: 'CREDIT',
      paymentStatus,
      amount: amount(after.amountMinor),
      tipAmount: amount(currentTipMinor(after)),
      reason: reasonOf(state === 'VOID_PENDING' ? await beginOfVoid(sql, after) : move),
    } as const;
    return [{ type: 'payment_updated', details } as const];
  };
  return { ...aboutPayment(after), at: after.modifiedAt, events };
}

function aboutPayment({ merchantGuid, clientId }: PaymentRow) {
  const types = ['payment_updated'] as const;
  return { restaurantGuid: merchantGuid, types, ofClient: clientId };
}

interface Why {
  readonly cause: Cause;
  readonly details?: object | null;
}

function reasonOf({ cause, details }: Why): Reason | null {
  const reason = reasons[cause] ?? null;
  return reason === 'POINT_OF_SALE' && isOfVoidedOrder(details) ? 'ORDER_VOIDED' : reason;
}

/** Details of the move that voids the hold of a payment because its order is voided. */
export const ofVoidedOrder = { isOrderVoided: true } as const;

const isOfVoidedOrder = (details: Why['details']) =>
  (({ ...details }) as Partial<typeof ofVoidedOrder>).isOrderVoided === true;

async function beginOfVoid(sql: Sql, payment: PaymentRow): Promise<Why> {
  const events = await listEvents(sql, payment);
  const begun = events.findLast(({ toState }) => toState === 'VOID_PENDING');
  if (!begun) throw new Error(`nothing began the void of payment ${payment.paymentUuid}`);
  return begun;
}
