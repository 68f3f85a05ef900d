import type { ErrorClass } from '@servery/contract';
import { ApiError, type ApiErrorOptions } from '../http/errors.ts';
import type { PaymentObserver } from '../payments/life/record.ts';

/** Every change of an order, in a word. */
export const orderCauses = [
  'placed',
  'selectionsAdded',
  'discountsAdded',
  'paymentsAdded',
  'tipChanged',
  'delivery',
  'approved',
  'rejected',
  'expired',
  'sent',
  'held',
  'ready',
  'fulfilled',
  'closedOut',
  'paid',
  'paymentVoided',
  'selectionVoided',
  'voided',
] as const;
export type OrderCause = (typeof orderCauses)[number];

/** Why an order was not placed. An order with several faults counts for the first of these. */
export const orderRefusals = [
  'invalid',
  'unknown',
  'outOfStock',
  'payment',
  'repeated',
  'busy',
] as const;
export type OrderRefusal = (typeof orderRefusals)[number];

export interface OrderObserver extends PaymentObserver {
  changed(cause: OrderCause): void;
  refused(reason: OrderRefusal): void;
}

/** The faults of an order. */
export class OrderRefused extends ApiError {
  readonly reason: OrderRefusal;

  constructor(
    reason: OrderRefusal,
    errorClass: ErrorClass,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(errorClass, message, { ...options, notes: { rule: rules[reason] } });
    this.reason = reason;
  }
}

const rules: Readonly<Record<OrderRefusal, string>> = {
  invalid: 'ORD-2',
  unknown: 'ORD-5',
  outOfStock: 'ORD-51',
  payment: 'ORD-44',
  repeated: 'ORD-52',
  busy: 'ORD-45',
};
