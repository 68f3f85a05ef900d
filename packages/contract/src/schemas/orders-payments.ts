import type { Static } from 'typebox';
import { answer, choice, money, orNull, text, uuid } from './field.ts';
import { businessDate, entityType, nothing, OrderReference, time } from './orders-parts.ts';

export const PaymentVoidInfo = answer('When and why a payment was voided.', {
  voidUser: nothing,
  voidApprover: nothing,
  voidDate: time('When it was voided.'),
  voidBusinessDate: businessDate('Business date of the void.'),
  voidReason: orNull(OrderReference, 'Why it was voided.'),
});
export type PaymentVoidInfo = Static<typeof PaymentVoidInfo>;

export const OrderPayment = answer('A payment of a check.', {
  guid: uuid(
    'For CREDIT: the paymentUuid of the authorization. Otherwise, the platform generates it.',
  ),
  entityType: entityType('OrderPayment'),
  externalId: orNull(text('Your identifier of the payment. Null if there is none.')),
  type: choice('How it was paid.', ['CREDIT', 'OTHER', 'CASH']),
  amount: money('What was paid, without the tip'),
  tipAmount: money('The tip'),
  amountTendered: money('What the guest handed over'),
  otherPayment: orNull(OrderReference, 'For OTHER: the alternate payment type.'),
  paidDate: time('When it was paid.'),
  paidBusinessDate: businessDate('The business date of paidDate.'),
  paymentStatus: choice('The status of the payment. More values may be added.', [
    'AUTHORIZED',
    'CAPTURE_IN_PROGRESS',
    'CAPTURED',
    'PROCESSING_VOID',
    'VOIDED',
    'ERROR',
  ]),
  cardType: orNull(text('For CREDIT: the brand of the card in capital letters, or UNKNOWN.')),
  last4Digits: orNull(text('For CREDIT: the last four digits of the card number.')),
  cardEntryMode: orNull(
    choice('For CREDIT: how the card was entered.', ['ONLINE', 'PARTNER_ECOM_COF', 'FUTURE_ORDER']),
  ),
  voidInfo: orNull(PaymentVoidInfo, 'Null unless the payment was voided.'),
  refundStatus: choice('Always NONE.', ['NONE']),
  orderGuid: uuid('The order.'),
  checkGuid: uuid('The check.'),
  server: nothing,
  cashDrawer: nothing,
  refund: nothing,
  houseAccount: nothing,
  originalProcessingFee: nothing,
  mcaRepaymentAmount: nothing,
  cardPaymentId: nothing,
  first6Digits: nothing,
  createdDevice: nothing,
  lastModifiedDevice: nothing,
});
export type OrderPayment = Static<typeof OrderPayment>;
