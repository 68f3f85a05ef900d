import type { Static } from 'typebox';
import {
  alarmKinds,
  cardKeyAlgorithms,
  paymentStates,
  webhookDeliveryStates,
  webhookOutcomes,
} from './back-office-terms.ts';
import { JsonWebKey } from './credit-cards.ts';
import { eventTypes } from './event-types.ts';
import {
  answer,
  choice,
  dateTime,
  flag,
  list,
  money,
  openRequest,
  orNull,
  text,
  uuid,
  whole,
  withDefault,
  words,
} from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

export const PaymentDeadline = answer('What the platform does with a payment next, and when.', {
  at: dateTime('When it is due, by the clock of the environment.'),
  action: choice(
    'SETTLE: find out or undo what is open at the processor. VOID: void the ' +
      'authorization. CAPTURE: capture the money.',
    ['SETTLE', 'VOID', 'CAPTURE'],
  ),
});
export type PaymentDeadline = Static<typeof PaymentDeadline>;

export const BackOfficePayment = answer('A card payment as the back office sees it.', {
  merchantGuid: uuid('The restaurant that receives the payment.'),
  paymentUuid: uuid('Identifier that the partner created for the payment.'),
  paymentState: choice('The state of the payment.', paymentStates),
  version: whole('Number of events of the payment so far.', { minimum: 1 }),
  attempt: whole('Number of authorization attempts; 0 if nothing was sent.'),
  clientId: text('The client that requested the payment.'),
  currencyCode: text('ISO 4217.', { pattern: '^[A-Z]{3}$' }),
  amount: money('Price without tip'),
  tipAmount: money('Current tip, which the capture includes'),
  authorizedAmount: orNull(
    money(
      'Authorized amount including the tip, the most that can be captured (null if not approved)',
    ),
  ),
  capturedAmount: orNull(money('Captured amount (null before the capture)')),
  cardBrand: orNull(text('Brand of the card; null if it is not known.')),
  cardFirst6: text('First six digits of the card number.', { pattern: '^[0-9]{6}$' }),
  cardLast4: text('Last four digits of the card number.', { pattern: '^[0-9]{4}$' }),
  authorizationCode: orNull(text('Code that the card network issued; null without an approval.')),
  responseCode: orNull(text('Response code of the card network (ISO 8583), if it declined.')),
  denialReason: orNull(text('Why the payment was denied, in the words that the guest sees.')),
  error: orNull(text('What failed, if the payment ended with a failure.')),
  checkGuid: orNull(uuid('The check that the payment was applied to.')),
  voidReason: orNull(text('Why the payment was voided, in the words of the caller.')),
  createdAt: dateTime('When the payment was first requested.'),
  modifiedAt: dateTime('When its newest event happened.'),
  authorizedAt: orNull(dateTime('When the payment was authorized.')),
  applyDeadline: orNull(
    dateTime('The payment is voided at this time if it was not applied to a check.'),
  ),
  captureDeadline: orNull(dateTime('The payment is voided at this time if it was not captured.')),
  captureAt: orNull(dateTime('Time of the scheduled capture, once the order is fulfilled.')),
  nextDeadline: orNull(PaymentDeadline, 'Null if the platform has nothing to do.'),
  legalMoves: list(
    choice('A move that the payment allows now.', ['apply', 'fulfil', 'void', 'capture', 'tip']),
    'The moves that are allowed now. Any other move is a conflict.',
  ),
});
export type BackOfficePayment = Static<typeof BackOfficePayment>;

export const BackOfficePaymentPage = answer(
  'One page of payments.',
  pageOf(BackOfficePayment, 'The payments, newest first.'),
);
export type BackOfficePaymentPage = Static<typeof BackOfficePaymentPage>;

export const PaymentEvent = answer("One change of a payment's state or tip.", {
  version: whole('Number of the event, from 1 without gaps.', { minimum: 1 }),
  fromState: orNull(choice('The state before; null for the first event.', paymentStates)),
  cause: text('Why the payment changed.'),
  toState: choice('The state after.', paymentStates),
  attempt: whole('The attempt that it belongs to; 0 if nothing was sent to the processor.'),
  details: orNull(
    Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    'More details for an operator, for example the response of the processor.',
  ),
  occurredAt: dateTime('When it happened, by the clock of the environment.'),
});
export type PaymentEvent = Static<typeof PaymentEvent>;

export const ApplyPayment = openRequest('Which check the payment is applied to.', {
  checkGuid: uuid('The check.'),
});
export type ApplyPayment = Static<typeof ApplyPayment>;

export const VoidPayment = openRequest('Why the payment is voided.', {
  reason: words('The reason, for people who look at the payment later.', {
    minLength: 1,
    maxLength: 200,
  }),
});
export type VoidPayment = Static<typeof VoidPayment>;

export const ChangeTip = openRequest('The new tip of a payment.', {
  tipAmount: money('New tip, at most the authorized one'),
});
export type ChangeTip = Static<typeof ChangeTip>;

export const ClockDeadline = answer(
  'The earliest deadline at restaurants and of partners that you have access to. The internal ' +
    'upkeep of the platform and the probe of a paused webhook endpoint do not count.',
  {
    at: dateTime('When it is due.'),
    kind: text('What is due.'),
  },
);
export type ClockDeadline = Static<typeof ClockDeadline>;

export const ClockStatus = answer('The state of the clock of the environment.', {
  now: dateTime('The time in the environment.'),
  mode: choice('Whether the clock runs.', ['RUNNING', 'FROZEN']),
  realNow: dateTime('The real time.'),
  isMovable: flag('Whether the clock may be moved: yes in a sandbox, never in production.'),
  nextDeadline: orNull(
    ClockDeadline,
    'Null if there is no deadline at restaurants that you have access to.',
  ),
});
export type ClockStatus = Static<typeof ClockStatus>;

export const DoneAttempt = answer('An attempt to deliver an event while the clock moved.', {
  endpointGuid: uuid('The endpoint that it went to.'),
  deliveryGuid: uuid('The delivery that it belongs to.'),
  eventGuid: uuid('The event.'),
  eventType: choice('The type of the event.', eventTypes),
  outcome: choice('How the attempt ended.', webhookOutcomes),
  status: orNull(whole('The HTTP status; null if there was no response.')),
  state: choice('The state of the delivery after the attempt.', webhookDeliveryStates),
  nextAt: orNull(
    dateTime('When it is retried, or probed while the endpoint is paused; null for never.'),
  ),
});
export type DoneAttempt = Static<typeof DoneAttempt>;

export const DoneWork = answer('A piece of work that fell due while the clock moved.', {
  at: dateTime(
    'When it was due, and the time that the clock showed when it was done. For an attempt to ' +
      'deliver an event: when the attempt was made.',
  ),
  kind: text('What was done.'),
  merchantGuid: orNull(uuid('The restaurant that it was about.')),
  paymentUuid: orNull(uuid('The payment that it was about.')),
  fromState: orNull(choice('The state of the payment before.', paymentStates)),
  cause: orNull(text('Why the state of the payment changed, or what was done about the order.')),
  toState: orNull(choice('The state of the payment after.', paymentStates)),
  webhook: orNull(DoneAttempt, 'The attempt to deliver an event; null for other work.'),
});
export type DoneWork = Static<typeof DoneWork>;

export const ClockMove = answer(
  'The state of the clock after a move, and the work that the move triggered.',
  {
    clock: ClockStatus,
    done: list(
      DoneWork,
      'The work done on the way, in chronological order, at restaurants and for partners that ' +
        'you have access to.',
    ),
    stoppedBecause: orNull(
      text('Why the clock stopped before its target; null if it reached the target.'),
    ),
  },
);
export type ClockMove = Static<typeof ClockMove>;

export const SetClock = openRequest('The time to set the clock to.', {
  now: dateTime('The new time, with its offset, in the years 2000 to 8999.', {
    '~reads': 'anyInstant',
  }),
});
export type SetClock = Static<typeof SetClock>;

export const AdvanceClock = openRequest('How far to advance the clock.', {
  duration: text('An ISO 8601 duration greater than zero, for example PT5M or P1DT2H.', {
    format: 'duration',
  }),
});
export type AdvanceClock = Static<typeof AdvanceClock>;

const cardKeyAlgorithm = choice('How card data is encrypted with it.', cardKeyAlgorithms);

/** The private part is never in any answer. */
export const CardKey = answer('A card key of a client, without its private key.', {
  clientId: text('The client that the key belongs to.'),
  keyId: text('ALGORITHM::identifier. The client sends it as keyId.'),
  algorithm: cardKeyAlgorithm,
  state: choice(
    'PENDING: not in use yet. ACTIVE: for new card data. DECRYPT_ONLY: no longer listed, ' +
      'still accepted. DESTROYED: its private key is deleted.',
    ['PENDING', 'ACTIVE', 'DECRYPT_ONLY', 'DESTROYED'],
  ),
  legacy: flag('Whether the key is for payments that have no keyId.'),
  publicKeyPem: text('The key as SubjectPublicKeyInfo in PEM.'),
  publicKeyJwk: JsonWebKey,
  notAfter: orNull(dateTime('The key is retired at this time; null if no end is planned.')),
  createdAt: dateTime('When the key was created.'),
  stateChangedAt: dateTime('When the key entered its state.'),
});
export type CardKey = Static<typeof CardKey>;

export const IssueCardKey = openRequest('Which card key to create.', {
  algorithm: cardKeyAlgorithm,
  legacy: withDefault(
    flag('Whether the key is for payments that have no keyId. RSA-OAEP-SHA1 requires true.'),
    false,
  ),
  state: withDefault(
    choice('PENDING keeps the key out of use until you activate it.', ['PENDING', 'ACTIVE']),
    'ACTIVE',
  ),
  notAfter: Type.Optional(
    orNull(
      dateTime(
        'When the key is retired. Must be in the future. Null or left out: no end is planned.',
      ),
    ),
  ),
});
export type IssueCardKey = Static<typeof IssueCardKey>;

export const Alarm = answer('A problem with a payment that a person has to look at.', {
  guid: uuid('Identifier of the alarm.'),
  kind: choice('The kind of problem.', alarmKinds),
  merchantGuid: uuid('The restaurant that receives the payment.'),
  paymentUuid: uuid('The payment.'),
  attempt: whole('The attempt that the alarm is about; 0 for none.'),
  explanation: text('What happened, and what to look at.'),
  raisedAt: dateTime('When the alarm was raised.'),
  acknowledgedAt: orNull(dateTime('When somebody acknowledged the alarm; null while it is open.')),
  acknowledgedBy: orNull(text('The client that acknowledged the alarm.')),
  note: orNull(text('The note that was written with the acknowledgment.')),
});
export type Alarm = Static<typeof Alarm>;

export const AlarmPage = answer('One page of alarms.', pageOf(Alarm, 'The alarms, newest first.'));
export type AlarmPage = Static<typeof AlarmPage>;

export const AcknowledgeAlarm = openRequest('What somebody found out about an alarm.', {
  note: words('A note for people who read the alarm later.', { minLength: 1, maxLength: 1000 }),
});
export type AcknowledgeAlarm = Static<typeof AcknowledgeAlarm>;
