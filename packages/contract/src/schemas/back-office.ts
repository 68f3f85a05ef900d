import type { Static } from 'typebox';
import {
  alarmKinds,
  cardKeyAlgorithms,
  partnerEventTypes,
  paymentStates,
  webhookDeliveryStates,
  webhookOutcomes,
} from './back-office-terms.ts';
import { JsonWebKey } from './credit-cards.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  flag,
  list,
  orNull,
  request,
  text,
  uuid,
  whole,
  withDefault,
  words,
} from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const money = (description: string) =>
  decimal(`${description}, in currency units.`, { minimum: 0 });

export const PaymentDeadline = answer('What the platform does with a payment next, and when.', {
  at: dateTime('When it is due, by the clock of the environment.'),
  action: choice(
    'SETTLE: find out or undo what is open at the processor. VOID: give the hold back. CAPTURE: ' +
      'take the money.',
    ['SETTLE', 'VOID', 'CAPTURE'],
  ),
});
export type PaymentDeadline = Static<typeof PaymentDeadline>;

export const BackOfficePayment = answer('A card payment as the back office sees it.', {
  merchantGuid: uuid('The restaurant that receives the payment.'),
  paymentUuid: uuid('Identifier that the partner made for the payment.'),
  paymentState: choice('The state of the payment.', paymentStates),
  version: whole('How many events the payment has had.', { minimum: 1 }),
  attempt: whole('How many times authorization was tried; 0 when nothing was sent.'),
  clientId: text('The client that asked for the payment.'),
  currencyCode: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
  amount: money('Price without tip'),
  tipAmount: money('Tip'),
  capturedAmount: orNull(money('What was captured; null before that')),
  cardBrand: orNull(text('Brand of the card; null when it is not known.')),
  cardFirst6: text('First six digits of the card number.', { pattern: '^[0-9]{6}$' }),
  cardLast4: text('Last four digits of the card number.', { pattern: '^[0-9]{4}$' }),
  authorizationCode: orNull(text('Code that the card network issued; null without approval.')),
  responseCode: orNull(text('Response code of the card network (ISO 8583), when it declined.')),
  denialReason: orNull(text('Why the payment was denied; what the guest is told.')),
  error: orNull(text('What failed, when the payment ended by a failure.')),
  checkGuid: orNull(uuid('The check that the payment was applied to.')),
  voidReason: orNull(text('Why the payment was voided, in words of whoever asked for it.')),
  createdAt: dateTime('When the payment was first asked for.'),
  modifiedAt: dateTime('When its newest event happened.'),
  authorizedAt: orNull(dateTime('When the money was held.')),
  applyDeadline: orNull(dateTime('Voided at that time if no check took it.')),
  captureDeadline: orNull(dateTime('Voided at that time if it was not captured.')),
  captureAt: orNull(dateTime('When the capture is planned, once the order is fulfilled.')),
  nextDeadline: orNull(PaymentDeadline, 'Null when nothing is to happen by itself.'),
  legalMoves: list(
    choice('A move that the payment allows now.', ['apply', 'fulfil', 'void', 'capture']),
    'What may be asked for now; everything else is a conflict.',
  ),
});
export type BackOfficePayment = Static<typeof BackOfficePayment>;

export const BackOfficePaymentPage = answer(
  'One page of payments.',
  pageOf(BackOfficePayment, 'The payments, the newest first.'),
);
export type BackOfficePaymentPage = Static<typeof BackOfficePaymentPage>;

export const PaymentEvent = answer("One change of a payment's state.", {
  version: whole('Number of the event, from 1 without gaps.', { minimum: 1 }),
  fromState: orNull(choice('The state before; null for the first event.', paymentStates)),
  cause: text('Why the state changed.'),
  toState: choice('The state after.', paymentStates),
  attempt: whole('The attempt that it belongs to; 0 when nothing was sent to the processor.'),
  details: orNull(
    Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    'What an operator may want to know beside it, such as the response of the processor.',
  ),
  occurredAt: dateTime('When it happened, by the clock of the environment.'),
});
export type PaymentEvent = Static<typeof PaymentEvent>;

export const ApplyPayment = request('Which check takes the payment.', {
  checkGuid: uuid('The check.'),
});
export type ApplyPayment = Static<typeof ApplyPayment>;

export const VoidPayment = request('Why the payment is voided.', {
  reason: words('In words for whoever reads the payment later.', { minLength: 1, maxLength: 200 }),
});
export type VoidPayment = Static<typeof VoidPayment>;

export const ClockDeadline = answer(
  'The earliest deadline at restaurants and of partners that you reach; housekeeping of the ' +
    'platform is none, and neither is the probe of a paused webhook endpoint.',
  {
    at: dateTime('When it is due.'),
    kind: text('What is due.'),
  },
);
export type ClockDeadline = Static<typeof ClockDeadline>;

export const ClockStatus = answer('How the clock of the environment stands.', {
  now: dateTime('What time it is in the environment.'),
  mode: choice('Whether its time goes by.', ['RUNNING', 'FROZEN']),
  realNow: dateTime('What time it really is.'),
  isMovable: flag('Whether it may be moved: in a sandbox, and never in production.'),
  nextDeadline: orNull(ClockDeadline, 'Null when nothing waits at restaurants that you reach.'),
});
export type ClockStatus = Static<typeof ClockStatus>;

export const DoneAttempt = answer('An attempt to deliver an event while the clock moved.', {
  endpointGuid: uuid('The endpoint that it went to.'),
  deliveryGuid: uuid('The delivery that it belongs to.'),
  eventGuid: uuid('The event.'),
  eventType: choice('What the event tells.', partnerEventTypes),
  outcome: choice('How it ended.', webhookOutcomes),
  status: orNull(whole('The status of HTTP; null when there was no answer.')),
  state: choice('The state of the delivery after it.', webhookDeliveryStates),
  nextAt: orNull(
    dateTime('When it is tried again, or probed while the endpoint is paused; null for never.'),
  ),
});
export type DoneAttempt = Static<typeof DoneAttempt>;

export const DoneWork = answer('A piece of work that fell due while the clock moved.', {
  at: dateTime(
    'When it was due; it was done at that instant of the clock. Of an attempt to deliver an ' +
      'event: when it was made.',
  ),
  kind: text('What was done.'),
  merchantGuid: orNull(uuid('The restaurant that it was about.')),
  paymentUuid: orNull(uuid('The payment that it was about.')),
  fromState: orNull(choice('The state of the payment before.', paymentStates)),
  cause: orNull(text('Why the state of the payment changed.')),
  toState: orNull(choice('The state of the payment after.', paymentStates)),
  webhook: orNull(DoneAttempt, 'The attempt to deliver an event; null for other work.'),
});
export type DoneWork = Static<typeof DoneWork>;

export const ClockMove = answer('How the clock stands after a move, and what the move set going.', {
  clock: ClockStatus,
  done: list(
    DoneWork,
    'What was done on the way, in the order of time, at restaurants and for partners that you ' +
      'reach.',
  ),
  stoppedBecause: orNull(
    text('Why the clock stopped before it was where it was meant to be; null when it got there.'),
  ),
});
export type ClockMove = Static<typeof ClockMove>;

export const SetClock = request('Which time it shall be.', {
  now: dateTime('The new time, with its offset; from the year 2000 to the year 8999.', {
    '~reads': 'instant',
  }),
});
export type SetClock = Static<typeof SetClock>;

export const AdvanceClock = request('How far the clock goes ahead.', {
  duration: text('A duration of ISO 8601 over zero, such as PT5M or P1DT2H.', {
    format: 'duration',
  }),
});
export type AdvanceClock = Static<typeof AdvanceClock>;

const cardKeyAlgorithm = choice('How card data is encrypted with it.', cardKeyAlgorithms);

/** The private part is never in any answer. */
export const CardKey = answer('A card key of a client, without its private part.', {
  clientId: text('The client that the key belongs to.'),
  keyId: text('ALGORITHM::identifier; what the client sends as keyId.'),
  algorithm: cardKeyAlgorithm,
  state: choice(
    'PENDING: not yet used. ACTIVE: for new card data. DECRYPT_ONLY: listed no more, still ' +
      'accepted. DESTROYED: its private part is gone.',
    ['PENDING', 'ACTIVE', 'DECRYPT_ONLY', 'DESTROYED'],
  ),
  legacy: flag('Whether it is meant where a payment has no keyId.'),
  publicKeyPem: text('The key as SubjectPublicKeyInfo in PEM.'),
  publicKeyJwk: JsonWebKey,
  notAfter: orNull(dateTime('Retired at that time; null while no end is planned.')),
  createdAt: dateTime('When it was made.'),
  stateChangedAt: dateTime('When it came into its state.'),
});
export type CardKey = Static<typeof CardKey>;

export const IssueCardKey = request('Which card key to make.', {
  algorithm: cardKeyAlgorithm,
  legacy: withDefault(
    flag('Whether it is meant where a payment has no keyId; RSA-OAEP-SHA1 needs it.'),
    false,
  ),
  state: withDefault(
    choice('PENDING keeps it out of use until it is activated.', ['PENDING', 'ACTIVE']),
    'ACTIVE',
  ),
  notAfter: Type.Optional(
    orNull(dateTime('The end of its use, in the future; null or left out for none planned.')),
  ),
});
export type IssueCardKey = Static<typeof IssueCardKey>;

export const Alarm = answer('Something about a payment that a person has to look at.', {
  guid: uuid('Identifier of the alarm.'),
  kind: choice('What kind of trouble it is.', alarmKinds),
  merchantGuid: uuid('The restaurant that receives the payment.'),
  paymentUuid: uuid('The payment.'),
  attempt: whole('The attempt that it is about; 0 when it is about none.'),
  explanation: text('What happened, and what to look at.'),
  raisedAt: dateTime('When it was raised.'),
  acknowledgedAt: orNull(dateTime('When somebody took note of it; null while it is open.')),
  acknowledgedBy: orNull(text('The client that took note of it.')),
  note: orNull(text('What whoever took note of it wrote.')),
});
export type Alarm = Static<typeof Alarm>;

export const AlarmPage = answer(
  'One page of alarms.',
  pageOf(Alarm, 'The alarms, the newest first.'),
);
export type AlarmPage = Static<typeof AlarmPage>;

export const AcknowledgeAlarm = request('What was found out about an alarm.', {
  note: words('In words for whoever reads the alarm later.', { minLength: 1, maxLength: 1000 }),
});
export type AcknowledgeAlarm = Static<typeof AcknowledgeAlarm>;
