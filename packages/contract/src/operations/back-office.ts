import { paymentStates } from '../schemas/back-office-terms.ts';
import { choices, flag, line, uuid } from '../schemas/field.ts';
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
      'Answers payments by pages, the newest first: those that fit every filter, of the ' +
      'restaurants that the client reaches. A filter that fits nothing gives an empty page.',
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
        line('Only payments that this client asked for.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000070',
        }),
      ),
      createdFrom: instantParameter('Only payments asked for at this time or later.'),
      createdTo: instantParameter('Only payments asked for before this time.'),
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
    description: 'Answers the payment as it is now, with what may be done with it.',
    scope: 'payments.lifecycle:read',
    response: single('BackOfficePayment'),
  }),
  operation({
    ...payment,
    id: 'backOffice.payments.events',
    method: 'GET',
    path: `${paymentPath}/events`,
    summary: 'List the events of a payment',
    description: 'Answers every change of its state, in the order in which they happened.',
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
      'Says that a check took the authorized payment, which otherwise is voided five minutes ' +
      'after its authorization. Applying it to the same check again changes nothing; another ' +
      'check is a conflict.',
    requestBody: json('ApplyPayment'),
    also: [409, 422],
  }),
  operation({
    ...move,
    id: 'backOffice.payments.fulfil',
    path: `${paymentPath}/fulfil`,
    summary: 'Say that the order was fulfilled',
    description:
      'Plans the capture of an applied payment for the close-out that ends the business day of ' +
      'the restaurant. Takes no body.',
    also: [409],
  }),
  operation({
    ...move,
    id: 'backOffice.payments.void',
    path: `${paymentPath}/void`,
    summary: 'Void a payment',
    description:
      'Gives the hold of a payment back whose order is not fulfilled, as a void on the point of ' +
      'sale does. VOIDED says that the processor acknowledged; while it did not, the payment is ' +
      'in the state VOID_PENDING and the platform goes on.',
    requestBody: json('VoidPayment'),
    also: [409, 422],
  }),
  operation({
    ...move,
    id: 'backOffice.payments.capture',
    path: `${paymentPath}/capture`,
    summary: 'Capture a payment now',
    description:
      'Takes the money of a fulfilled payment before the close-out. CAPTURED says that the ' +
      'processor acknowledged; while it did not, the payment is in the state CAPTURE_PENDING and ' +
      'the platform goes on. Takes no body.',
    also: [409],
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
const whatADeadlineDoes =
  'Work that falls due on the way is done in the order of its due time, each at its own instant, ' +
  'whosever it is; the answer lists what was done at restaurants and for partners that you ' +
  'reach. ' +
  'While another move is under way this is a 409, in production a 403.';

const clockOperations = [
  operation({
    ...clock,
    id: 'backOffice.clock.get',
    method: 'GET',
    path: `${prefix}/clock`,
    summary: 'Read the clock',
    description:
      'Answers how the clock of the environment stands, and what it waits for at restaurants ' +
      'and of partners that you reach.',
    scope: 'clock:read',
    response: single('ClockStatus'),
    revalidated: false,
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.freeze',
    path: `${prefix}/clock/freeze`,
    summary: 'Freeze the clock',
    description: `Stops the time of a sandbox where it is. Takes no body. ${whatADeadlineDoes}`,
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.run',
    path: `${prefix}/clock/run`,
    summary: 'Let the clock run',
    description:
      'Lets the time of a sandbox go by again, from where it stands. Takes no body. ' +
      whatADeadlineDoes,
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.set',
    path: `${prefix}/clock/set`,
    summary: 'Set the clock',
    description:
      'Sets the time of a sandbox to an instant. It may go back, which undoes nothing: deadlines ' +
      `stay at their instants. ${whatADeadlineDoes}`,
    requestBody: json('SetClock'),
    also: [409, 422],
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.advance',
    path: `${prefix}/clock/advance`,
    summary: 'Set the clock ahead',
    description: `Sets the time of a sandbox ahead by a duration. ${whatADeadlineDoes}`,
    requestBody: json('AdvanceClock'),
    also: [409, 422],
  }),
  operation({
    ...clockMove,
    id: 'backOffice.clock.next',
    path: `${prefix}/clock/next`,
    summary: 'Run to the next deadline',
    description:
      'Sets the time of a sandbox to the earliest deadline of a payment, of stock or of an event ' +
      'on its way to a webhook endpoint that is not paused, within your reach; when none waits ' +
      `it stays where it is. Takes no body. ${whatADeadlineDoes}`,
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
    description: 'Answers every card key that the client ever had, the newest first.',
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
      'Makes a key pair for the client and answers its public part. The private part never ' +
      'leaves the platform. The keys that the client has stay as they are.',
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
    description: 'Takes a pending key into use. Takes no body.',
  }),
  operation({
    ...keyMove,
    id: 'backOffice.cardKeys.retire',
    path: `${clientKeysPath}/{keyId}/retire`,
    summary: 'Retire a card key',
    description:
      'Takes an active key off the list of the client; card data that was encrypted with it is ' +
      'still accepted. Takes no body.',
  }),
  operation({
    ...keyMove,
    id: 'backOffice.cardKeys.destroy',
    path: `${clientKeysPath}/{keyId}/destroy`,
    summary: 'Destroy a card key',
    description:
      'Removes the private part for good: card data that was encrypted with the key is refused ' +
      'from then on. A key that leaked can be destroyed in any state. Takes no body.',
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
      'Answers the alarms about payments of the restaurants that the client reaches, by pages, ' +
      'the newest first.',
    scope: 'payments.lifecycle:read',
    query: {
      open: Type.Optional(
        flag('true: only alarms that nobody acknowledged. false: only those that somebody did.', {
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
      'Says that somebody took note of an alarm, and what was found. An alarm that was ' +
      'acknowledged keeps its first note.',
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
    description: 'Answers counts and times of the process in the text format of Prometheus.',
    scope: 'metrics:read',
    response: null,
    mediaType: 'text/plain',
    revalidated: false,
  }),
] as const;
