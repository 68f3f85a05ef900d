import { type Examples, exampleGuid, serials } from './example.ts';
import { publicKeyJwk, stockAndCardExamples } from './stock-and-cards.ts';

const clientId = exampleGuid(70);
const checkGuid = exampleGuid(50);
const place = { merchantGuid: exampleGuid(serials.restaurant), paymentUuid: exampleGuid(51) };
const applyDeadline = '2026-01-31T18:35:01.000Z';

const BackOfficePayment = {
  ...place,
  paymentState: 'AUTHORIZED',
  version: 2,
  attempt: 1,
  clientId,
  currencyCode: 'USD',
  amount: 24.5,
  tipAmount: 4,
  authorizedAmount: 28.5,
  capturedAmount: null,
  cardBrand: 'VISA',
  cardFirst6: '411111',
  cardLast4: '1111',
  authorizationCode: '071825',
  responseCode: null,
  denialReason: null,
  error: null,
  checkGuid: null,
  voidReason: null,
  createdAt: '2026-01-31T18:30:00.000Z',
  modifiedAt: '2026-01-31T18:30:01.000Z',
  authorizedAt: '2026-01-31T18:30:01.000Z',
  applyDeadline,
  captureDeadline: '2026-02-07T18:30:01.000Z',
  captureAt: null,
  nextDeadline: { at: applyDeadline, action: 'VOID' },
  legalMoves: ['apply', 'void'],
} satisfies Examples<'BackOfficePayment'>['BackOfficePayment'];

const Alarm = {
  guid: exampleGuid(52),
  kind: 'FOUND_CAPTURED',
  ...place,
  attempt: 1,
  explanation: 'The processor refused the capture: ask it about the key in the event.',
  raisedAt: '2026-02-01T09:00:00.000Z',
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
} satisfies Examples<'Alarm'>['Alarm'];

const clock = {
  now: applyDeadline,
  mode: 'FROZEN',
  realNow: '2026-01-31T18:31:12.345Z',
  isMovable: true,
  nextDeadline: null,
} satisfies Examples<'ClockStatus'>['ClockStatus'];

const { keyId, algorithm, publicKeyPem } = stockAndCardExamples.CardEncryptionKey;

export const backOfficeExamples: Examples<
  | 'AcknowledgeAlarm'
  | 'AdvanceClock'
  | 'Alarm'
  | 'AlarmPage'
  | 'ApplyPayment'
  | 'BackOfficePayment'
  | 'BackOfficePaymentPage'
  | 'CardKey'
  | 'ChangeTip'
  | 'ClockMove'
  | 'ClockStatus'
  | 'IssueCardKey'
  | 'PaymentEvent'
  | 'SetClock'
  | 'VoidPayment'
> = {
  BackOfficePayment,
  BackOfficePaymentPage: { results: [BackOfficePayment], nextPageToken: null },
  PaymentEvent: {
    version: 2,
    fromState: 'PENDING',
    cause: 'approved',
    toState: 'AUTHORIZED',
    attempt: 1,
    details: null,
    occurredAt: '2026-01-31T18:30:01.000Z',
  },
  ApplyPayment: { checkGuid },
  ChangeTip: { tipAmount: 2.5 },
  VoidPayment: { reason: 'The guest left.' },
  ClockStatus: clock,
  ClockMove: {
    clock,
    done: [
      {
        at: applyDeadline,
        kind: 'payment',
        ...place,
        fromState: 'AUTHORIZED',
        cause: 'applyDeadlinePassed',
        toState: 'VOID_PENDING',
        webhook: null,
      },
    ],
    stoppedBecause: null,
  },
  SetClock: { now: applyDeadline },
  AdvanceClock: { duration: 'PT5M' },
  CardKey: {
    clientId,
    keyId,
    algorithm,
    state: 'ACTIVE',
    legacy: false,
    publicKeyPem,
    publicKeyJwk,
    notAfter: null,
    createdAt: '2026-01-01T10:00:00.000Z',
    stateChangedAt: '2026-01-01T10:00:00.000Z',
  },
  IssueCardKey: { algorithm: 'ECDH-ES', state: 'PENDING' },
  Alarm,
  AlarmPage: { results: [Alarm], nextPageToken: null },
  AcknowledgeAlarm: { note: 'The processor confirmed that the capture went through.' },
};
