import { type Examples, exampleGuid } from './example.ts';
import { restaurantExamples } from './restaurants.ts';

const endpointGuid = exampleGuid(120);
const secretGuid = exampleGuid(121);
const deliveryGuid = exampleGuid(122);
const partnerGuid = exampleGuid(80);
const { PartnerEvent } = restaurantExamples;
const at = '2026-01-31T18:30:00.000Z';

const WebhookEndpoint = {
  guid: endpointGuid,
  partnerGuid,
  partnerName: 'Larder Counts',
  clientId: exampleGuid(70),
  url: 'https://hooks.larder-counts.example/servery',
  description: 'The live integration.',
  eventTypes: null,
  connectTimeoutMs: 2_000,
  answerTimeoutMs: 2_000,
  retryDelaysSeconds: [300, 600],
  isOrdered: false,
  state: 'PAUSED',
  pauseReason: 'FAILURES',
  stateReason: 'The last 10 attempts failed; the last one was answered with 503.',
  stateSince: at,
  consecutiveFailures: 10,
  nextProbeAt: '2026-01-31T18:31:00.000Z',
  queued: 3,
  oldestQueuedAt: at,
  deadLetters: 0,
  attemptsLastDay: 210,
  deliveredLastDay: 200,
  lastDeliveredAt: '2026-01-31T18:00:00.000Z',
  secrets: [{ guid: secretGuid, label: 'January', createdAt: at, expiresAt: null }],
  createdAt: at,
  createdBy: `person:${exampleGuid(60)}`,
  modifiedAt: at,
} satisfies Examples<'WebhookEndpoint'>['WebhookEndpoint'];

const WebhookDelivery = {
  guid: deliveryGuid,
  endpointGuid,
  partnerGuid,
  eventGuid: PartnerEvent.guid,
  eventPosition: 42,
  eventType: PartnerEvent.eventType,
  eventAt: PartnerEvent.timestamp,
  state: 'QUEUED',
  isReplay: false,
  isTest: false,
  attemptCount: 1,
  queuedAt: at,
  dueAt: '2026-01-31T18:35:00.000Z',
  settledAt: null,
  isReplayed: false,
  lastOutcome: 'STATUS',
  lastStatus: 503,
  reason: null,
  fault: null,
} satisfies Examples<'WebhookDelivery'>['WebhookDelivery'];

export const webhooksExamples = {
  EventPage: {
    results: [{ position: 42, event: PartnerEvent }],
    nextCursor: '42.0',
    hasMore: false,
    missedCount: 0,
  },
  WebhookEndpoint,
  WebhookEndpointPage: { results: [WebhookEndpoint], nextPageToken: null },
  NewWebhookEndpoint: {
    clientId: WebhookEndpoint.clientId,
    url: WebhookEndpoint.url,
    description: WebhookEndpoint.description,
    secret: { label: 'January' },
  },
  WebhookEndpointEdit: { eventTypes: ['partner_added', 'partner_removed'], isOrdered: true },
  EndWebhookSending: { reason: 'We move to another data centre.' },
  NewWebhookSecret: { label: 'April', othersExpireAt: '2026-04-02T00:00:00.000Z' },
  IssuedWebhookSecret: {
    endpoint: WebhookEndpoint,
    secretGuid,
    secret: 'whsec_c2hvd24tb25jZS1hbmQtbmV2ZXItYWdhaW4tMzI=',
  },
  SentTestEvent: { partnerGuid, eventGuid: exampleGuid(123), deliveryGuids: [deliveryGuid] },
  TestWebhook: { eventType: 'partner_updated' },
  WebhookDelivery,
  WebhookDeliveryPage: { results: [WebhookDelivery], nextPageToken: null },
  WebhookDeliveryDetails: {
    ...WebhookDelivery,
    body: JSON.stringify(PartnerEvent),
    attempts: [
      {
        number: 1,
        at,
        isProbe: false,
        url: WebhookEndpoint.url,
        requestHeaders: { 'content-type': 'application/json', 'webhook-id': PartnerEvent.guid },
        outcome: 'STATUS',
        status: 503,
        answerBody: 'back soon',
        isAnswerCut: false,
        explanation: 'The endpoint answered with 503.',
        durationMs: 41.5,
        nextAt: '2026-01-31T18:35:00.000Z',
        fault: null,
      },
    ],
  },
  DropWebhookDelivery: { reason: 'Our support has entered it by hand.' },
  ReplayWebhooks: { which: 'RANGE', fromPosition: 40, toPosition: 42, expectedCount: 3 },
  WebhookReplay: {
    endpointGuid,
    count: 3,
    isDryRun: false,
    firstPosition: 40,
    lastPosition: 42,
    requestGuid: '01983a6e-4c1d-7f2e-9a30-0c5be1d7a410',
  },
} satisfies Examples<
  | 'DropWebhookDelivery'
  | 'EndWebhookSending'
  | 'EventPage'
  | 'IssuedWebhookSecret'
  | 'NewWebhookEndpoint'
  | 'NewWebhookSecret'
  | 'ReplayWebhooks'
  | 'SentTestEvent'
  | 'TestWebhook'
  | 'WebhookDelivery'
  | 'WebhookDeliveryDetails'
  | 'WebhookDeliveryPage'
  | 'WebhookEndpoint'
  | 'WebhookEndpointEdit'
  | 'WebhookEndpointPage'
  | 'WebhookReplay'
>;
