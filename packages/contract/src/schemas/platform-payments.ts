import type { Static } from 'typebox';
import { paymentStates } from './back-office-terms.ts';
import { PaymentStatus } from './credit-cards.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  flag,
  list,
  money,
  orNull,
  text,
  uuid,
  whole,
} from './field.ts';

export const PaymentAnswer = answer(
  'The last response to the PUT, or the response that a repeated PUT would get.',
  {
    status: whole(
      '200, or 500 if the payment was not processed and you may repeat the PUT for a new attempt.',
    ),
    body: orNull(PaymentStatus, 'The body of a 200; null for a 500.'),
  },
);
export type PaymentAnswer = Static<typeof PaymentAnswer>;

export const PaymentChange = answer("One change of a payment's state or tip.", {
  state: choice('The state after.', paymentStates),
  cause: text('Why the payment changed.'),
  attempt: whole('The attempt that it belongs to.', { minimum: 1 }),
  at: dateTime('When it happened, by the clock of the environment.'),
});
export type PaymentChange = Static<typeof PaymentChange>;

export const PartnerPayment = answer('A card payment as the partner that requested it sees it.', {
  merchantGuid: uuid('The restaurant that receives the payment.'),
  paymentUuid: uuid('Identifier that you created for the payment.'),
  state: choice(
    'The state of the payment. More values may be added. Treat a value that you do not know as ' +
      'not authorized.',
    paymentStates,
  ),
  attempt: whole('Number of the authorization attempt, from 1.', { minimum: 1 }),
  answer: PaymentAnswer,
  currencyCode: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
  amount: money('Price without tip'),
  tipAmount: decimal(
    'The current tip in currency units. The restaurant can lower the authorized tip.',
    {
      minimum: 0,
    },
  ),
  authorizedAmount: orNull(money('Authorized amount with its tip (null without an approval)')),
  capturedAmount: orNull(money('Captured amount (null before the capture)')),
  createdAt: dateTime('When you first requested the payment.'),
  modifiedAt: dateTime('When its state or tip last changed.'),
  authorizedAt: orNull(dateTime('When the payment was authorized; null if it was not.')),
  applyDeadline: orNull(
    dateTime(
      'The payment is voided at this time if it was not applied to a check; null without an ' +
        'approval.',
    ),
  ),
  captureDeadline: orNull(
    dateTime(
      'The payment is voided at this time if it was not captured; null without an approval.',
    ),
  ),
  captureAt: orNull(dateTime('Time of the scheduled capture; null until the order is fulfilled.')),
  isVoidable: flag('Whether you can void the payment now.'),
  changes: list(
    PaymentChange,
    'Its changes, oldest first, without those to PENDING, which begin an attempt.',
  ),
});
export type PartnerPayment = Static<typeof PartnerPayment>;
