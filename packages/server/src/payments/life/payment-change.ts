import type { Change } from '../../audit/entry-store.ts';
import type { PaymentChange, PaymentRow } from './store.ts';

/** A move that somebody asked for, as the record of changes holds it. */
export function paymentChange(before: PaymentRow, after: PaymentChange): Change {
  const { merchantGuid, paymentUuid, version } = before;
  return {
    subject: { kind: 'payment', id: paymentUuid },
    restaurantGuid: merchantGuid,
    before: factsOf(before, version),
    after: factsOf(after, version + 1),
  };
}

/** What a person may change about a payment; its money and its card never change. */
function factsOf(payment: PaymentRow | PaymentChange, version: number) {
  const { state, attempt, checkGuid, voidReason, captureAt, dueAt } = payment;
  return { state, version, attempt, checkGuid, voidReason, captureAt, dueAt };
}
