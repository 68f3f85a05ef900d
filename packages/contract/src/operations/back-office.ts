import { paymentStates } from '../schemas/back-office-terms.ts';
import { choices, decimal, flag, line, text, uuid } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { clientIdOf, guid, instantParameter, pageParameters } from './parameters.ts';

const payments = { interface: 'backOffice', tag: 'Payments' } as const;
const payment = {
  ...payments,
  restaurant: 'merchantInPath',
  params: {
    merchantUuid: guid('The restaurant that receives the payment.'),
    paymentUuid: guid('The payment.'),
  },
} as const;
const move = {
  ...payment,
  method: 'POST',
  scope: 'payments.lifecycle:write',
  response: single('BackOfficePayment'),
} as const;
const paymentPath = `${prefix}/merchants/{merchantUuid}/payments/{paymentUuid}`;

const paymentReads = [
  operation({
    ...payments,
    id: 'backOffice.payments.list',
    method: 'GET',
    path: `${prefix}/payments`,
    summary: 'List payments',
    description:
      'Returns pages of payments, newest first. It shows payments that match every filter, at ' +
      'restaurants that you have access to. A filter that matches nothing returns an empty ' +
      'page.',
    scope: 'payments.lifecycle:read',
    query: {
      merchantUuid: Type.Optional(
        uuid('Only payments of this restaurant.', {
          example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
        }),
      ),
      state: Type.Optional(
        choices('Only payments in one of these states, separated by commas.', paymentStates, {
          example: 'AUTHORIZED,APPLIED',
        }),
      ),
      clientId: Type.Optional(
        line('Only payments that this client requested.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000070',
        }),
      ),
      cardLast4: Type.Optional(
        text('Only payments with a card whose number ends in these four digits.', {
          pattern: '^[0-9]{4}$',
          example: '1111',
          '~must': 'be four digits',
        }),
      ),
      amount: Type.Optional(
        decimal(
          'Only payments of this amount in currency units: the price, or the total with the tip ' +
            'as it was authorized or as it is now.',
          {
            minimum: 0,
            example: 23.5,
            '~must': 'be an amount in currency units, for example 23.50',
          },
        ),
      ),
      createdFrom: instantParameter('Only payments requested at this time or later.'),
      createdTo: instantParameter('Only payments requested before this time.'),
      dueBefore: instantParameter('Only payments whose next deadline is before this time.'),
      ...pageParameters('Payments'),
    },
    response: single('BackOfficePaymentPage'),
  }),
  operation({
    ...payment,
    id: 'backOffice.payments.get',
    method: 'GET',
    path: paymentPath,
    summary: 'Get a payment',
    description: 'Returns the payment as it is now, with the moves that it allows.',
    scope: 'payments.lifecycle:read',
    response: single('BackOfficePayment'),
  }),
  operation({
    ...payment,
    id: 'backOffice.payments.events',
    method: 'GET',
    path: `${paymentPath}/events`,
    summary: 'List the events of a payment',
    description: 'Returns every change of the state or tip of the payment, oldest first.',
    scope: 'payments.lifecycle:read',
    response: { schema: 'PaymentEvent', array: true },
  }),
] as const;

const paymentMoves = [
  operation({
    ...move,
    id: 'backOffice.payments.apply',
    path: `${paymentPath}/apply`,
    summary: 'Apply a payment to a check',
    description:
      'Records that the authorized payment was applied to a check. A payment that is not applied ' +
      'within five minutes of its authorization is voided. Applying it to the same check again ' +
      'changes nothing. Applying it to another check is a 409.',
    requestBody: json('ApplyPayment'),
    also: [409, 422],
  }),
  operation({
    ...move,
    id: 'backOffice.payments.fulfil',
    path: `${paymentPath}/fulfil`,
    summary: 'Report that the order was fulfilled',
    description:
      'Schedules the capture of an applied payment for the closeout at the end of the ' +
      'business day of the restaurant. Takes no body.',
    also: [409],
  }),
  operation({
    ...move,
    id: 'backOffice.payments.void',
    path: `${paymentPath}/void`,
    summary: 'Void a payment',
    description:
      'Voids an authorization whose order was never fulfilled, as a void at the point of ' +
      'sale does. VOIDED means that the processor acknowledged the void. Until then, the ' +
      'payment is in the state VOID_PENDING and the platform keeps retrying.',
    requestBody: json('VoidPayment'),
    also: [409, 422],
  }),
  operation({
    ...move,
    id: 'backOffice.payments.capture',
    path: `${paymentPath}/capture`,
    summary: 'Capture a payment now',
    description:
      'Captures a fulfilled payment before the closeout. CAPTURED means that the ' +
      'processor acknowledged the capture. Until then, the payment is in the state ' +
      'CAPTURE_PENDING and the platform keeps retrying. Takes no body.',
    also: [409],
  }),
  operation({
    ...move,
    id: 'backOffice.payments.tip',
    path: `${paymentPath}/tip`,
    summary: 'Change the tip of a payment',
    description:
      'Replaces the tip of a payment that was applied to a check, until its capture begins. The ' +
      'capture takes the amount and the tip as they are then. The tip can be at most the ' +
      'authorized one. The same tip again changes nothing.',
    requestBody: json('ChangeTip'),
    also: [409, 422],
  }),
] as const;

const clock = { interface: 'backOffice', tag: 'Clock' } as const;
const clockMove = {
  ...clock,
  isForSandbox: true,
  method: 'POST',
  scope: 'clock:write',
  response: single('ClockMove'),
  also: [409],
} as const;
const answersOfMoves =
  'The response lists what was done at restaurants and for partners that you have access to. ' +
  'While another move is in progress, this is a 409. In production, it is a 403.';
const whatADeadlineDoes =
  'The platform does all work that is due on the way, in the order of its due time, including ' +
  "work that you don't have access to. During each piece of work, the clock shows the time at " +
  `which it was due. ${answersOfMoves}`;
const workAlreadyDue =
  'If the clock changes, the platform first does all work that is already due, in the order of ' +
  `its due time, including work that you don't have access to. ${answersOfMoves}`;

const clockOperations = [
  operation({
    ...clock,
    id: 'backOffice.clock.get',
    method: 'GET',
    path: `${prefix}/clock`,
    summary: 'Read the clock',
    description:
      'Returns the state of the clock of the environment, and the next deadline at restaurants ' +
      'and of partners that you have access to.',
    scope: 'clock:read',
    response: single('ClockStatus'),
    revalidated: false,
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.freeze',
    path: `${prefix}/clock/freeze`,
    summary: 'Freeze the clock',
    description:
      'Stops the time of a sandbox at the current instant. A clock that is already frozen does not ' +
      `change. Takes no body. ${workAlreadyDue}`,
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.run',
    path: `${prefix}/clock/run`,
    summary: 'Let the clock run',
    description:
      'Lets the time of a sandbox run again from its current instant. A clock that already runs ' +
      `does not change. Takes no body. ${workAlreadyDue}`,
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.set',
    path: `${prefix}/clock/set`,
    summary: 'Set the clock',
    description:
      'Sets the time of a sandbox to an instant. You can set it back, but that undoes ' +
      `nothing: deadlines stay at their instants. ${whatADeadlineDoes}`,
    requestBody: json('SetClock'),
    also: [409, 422],
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.advance',
    path: `${prefix}/clock/advance`,
    summary: 'Advance the clock',
    description: `Advances the time of a sandbox by a duration. ${whatADeadlineDoes}`,
    requestBody: json('AdvanceClock'),
    also: [409, 422],
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.next',
    path: `${prefix}/clock/next`,
    summary: 'Run to the next deadline',
    description:
      'Sets the time of a sandbox to the earliest deadline that you have access to: of a ' +
      'payment, an order, stock, or an event that waits for a webhook endpoint that is not ' +
      'paused. If there is no such deadline, the time stays where it is. Takes no body. ' +
      whatADeadlineDoes,
  }),
] as const;

const cardKeys = { interface: 'backOffice', tag: 'Card keys' } as const;
const clientId = clientIdOf('The client that the keys belong to.');
const keyId = line('The key.', { example: 'ECDH-ES::2026-01' });
const clientKeysPath = `${prefix}/clients/{clientId}/cardKeys`;
const keyMove = {
  ...cardKeys,
  method: 'POST',
  scope: 'card_keys:write',
  params: { clientId, keyId },
  response: single('CardKey'),
  also: [404, 409],
} as const;

const cardKeyOperations = [
  operation({
    ...cardKeys,
    id: 'backOffice.cardKeys.list',
    method: 'GET',
    path: clientKeysPath,
    summary: 'List the card keys of a client',
    description: 'Returns every card key that the client has ever had, newest first.',
    scope: 'card_keys:read',
    params: { clientId },
    response: { schema: 'CardKey', array: true },
    also: [404],
  }),
  operation({
    ...cardKeys,
    id: 'backOffice.cardKeys.issue',
    method: 'POST',
    path: clientKeysPath,
    summary: 'Issue a card key',
    description:
      'Creates a key pair for the client and returns its public key. The private key never ' +
      'leaves the platform. The other keys of the client do not change.',
    scope: 'card_keys:write',
    params: { clientId },
    requestBody: json('IssueCardKey'),
    response: single('CardKey'),
    also: [404, 422],
  }),
  operation({
    ...keyMove,
    id: 'backOffice.cardKeys.activate',
    path: `${clientKeysPath}/{keyId}/activate`,
    summary: 'Activate a card key',
    description: 'Makes a pending key active. Takes no body.',
  }),
  operation({
    ...keyMove,
    id: 'backOffice.cardKeys.retire',
    path: `${clientKeysPath}/{keyId}/retire`,
    summary: 'Retire a card key',
    description:
      'Removes an active key from the list of the client. Card data that was encrypted ' +
      'with it is still accepted. Takes no body.',
  }),
  operation({
    ...keyMove,
    id: 'backOffice.cardKeys.destroy',
    path: `${clientKeysPath}/{keyId}/destroy`,
    summary: 'Destroy a card key',
    description:
      'Deletes the private key for good. Card data that was encrypted with the key is ' +
      'refused from then on. You can destroy a leaked key in any state. Takes no body.',
    also: [404],
  }),
] as const;

const alarms = { interface: 'backOffice', tag: 'Alarms' } as const;

const alarmOperations = [
  operation({
    ...alarms,
    id: 'backOffice.alarms.list',
    method: 'GET',
    path: `${prefix}/alarms`,
    summary: 'List alarms',
    description:
      'Returns pages of the alarms about payments at restaurants that you have access to, newest ' +
      'first.',
    scope: 'payments.lifecycle:read',
    query: {
      open: Type.Optional(
        flag('true: only alarms that nobody has acknowledged. false: only acknowledged alarms.', {
          example: true,
        }),
      ),
      ...pageParameters('Alarms'),
    },
    response: single('AlarmPage'),
  }),
  operation({
    ...alarms,
    id: 'backOffice.alarms.acknowledge',
    method: 'POST',
    path: `${prefix}/alarms/{alarmGuid}/acknowledge`,
    summary: 'Acknowledge an alarm',
    description:
      'Records that somebody looked at an alarm, and what they found. An alarm that is ' +
      'already acknowledged keeps its first note.',
    scope: 'payments.lifecycle:write',
    params: { alarmGuid: guid('The alarm.') },
    requestBody: json('AcknowledgeAlarm'),
    response: single('Alarm'),
    also: [404, 422],
  }),
] as const;

export const backOfficeOperations = [
  ...paymentReads,
  ...paymentMoves,
  ...clockOperations,
  ...cardKeyOperations,
  ...alarmOperations,
  operation({
    interface: 'backOffice',
    tag: 'Metrics',
    id: 'backOffice.metrics',
    heldFor: 'platform',
    method: 'GET',
    path: `${prefix}/metrics`,
    summary: 'Read the metrics of the platform',
    description: 'Returns counts and timings of the process in the Prometheus text format.',
    scope: 'metrics:read',
    response: null,
    mediaType: 'text/plain',
    revalidated: false,
  }),
  operation({
    interface: 'backOffice',
    tag: 'Metrics',
    id: 'backOffice.health.get',
    heldFor: 'platform',
    method: 'GET',
    path: `${prefix}/health`,
    summary: 'Read the health of the platform',
    description:
      'Returns what all processes did in each minute of the last hour, the processes, the ' +
      'database, and how many alarms are open. Minutes are in real time, even if the clock of the ' +
      'sandbox was moved.',
    scope: 'metrics:read',
    response: single('Health'),
  }),
] as const;
