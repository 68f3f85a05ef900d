type Fields = Readonly<Record<string, string>>;

const page = (type: string) => ({ results: `${type}[]`, nextPageToken: 'string?' });
const eventType =
  'partner_added|partner_updated|partner_removed|menus_updated|order_updated|' +
  'channel_order_updated|guestOrderStatusUpdated|in_stock|low_quantity|out_of_stock|' +
  'payment_updated';
const outcome =
  'DELIVERED|STATUS|REDIRECT|CONNECT_TIMEOUT|ANSWER_TIMEOUT|REFUSED|RESET|UNREACHABLE|TLS|' +
  'NOT_HTTP|BLOCKED_TARGET';
const settings = {
  'description?': 'string?',
  'eventTypes?': `${eventType}[]?`,
  'connectTimeoutMs?': 'integer',
  'answerTimeoutMs?': 'integer',
  'retryDelaysSeconds?': 'integer[]',
  'isOrdered?': 'boolean',
};
const delivery = {
  guid: 'uuid',
  endpointGuid: 'uuid',
  partnerGuid: 'uuid',
  eventGuid: 'uuid',
  eventPosition: 'integer?',
  eventType,
  eventAt: 'instant',
  state: 'QUEUED|DELIVERED|DEAD|DROPPED',
  isReplay: 'boolean',
  isTest: 'boolean',
  attemptCount: 'integer',
  queuedAt: 'instant',
  dueAt: 'instant?',
  settledAt: 'instant?',
  isReplayed: 'boolean',
  lastOutcome: `${outcome}?`,
  lastStatus: 'integer?',
  reason: 'string?',
  fault: 'string?',
} as const;

/** The resources of webhooks, in the notation of resources.ts. */
export const webhookResources = {
  WebhookSecret: { guid: 'uuid', label: 'string?', createdAt: 'instant', expiresAt: 'instant?' },
  WebhookEndpoint: {
    guid: 'uuid',
    partnerGuid: 'uuid',
    partnerName: 'string',
    clientId: 'string',
    url: 'string',
    description: 'string?',
    eventTypes: `${eventType}[]?`,
    connectTimeoutMs: 'integer',
    answerTimeoutMs: 'integer',
    retryDelaysSeconds: 'integer[]',
    isOrdered: 'boolean',
    state: 'ACTIVE|PAUSED|DISABLED|ARCHIVED',
    pauseReason: 'PERSON|FAILURES|GONE|BLOCKED|SECRET?',
    stateReason: 'string?',
    stateSince: 'instant',
    consecutiveFailures: 'integer',
    nextProbeAt: 'instant?',
    queued: 'integer',
    oldestQueuedAt: 'instant?',
    deadLetters: 'integer',
    attemptsLastDay: 'integer',
    deliveredLastDay: 'integer',
    lastDeliveredAt: 'instant?',
    secrets: 'WebhookSecret[]',
    createdAt: 'instant',
    createdBy: 'string',
    modifiedAt: 'instant',
  },
  WebhookEndpointPage: page('WebhookEndpoint'),
  IssuedWebhookSecret: { endpoint: 'WebhookEndpoint', secretGuid: 'uuid', secret: 'string' },
  WebhookDelivery: delivery,
  WebhookDeliveryPage: page('WebhookDelivery'),
  WebhookDeliveryDetails: { ...delivery, body: 'string', attempts: 'WebhookAttempt[]' },
  WebhookAttempt: {
    number: 'integer',
    at: 'instant',
    isProbe: 'boolean',
    url: 'string',
    requestHeaders: 'string{}',
    outcome,
    status: 'integer?',
    answerBody: 'string?',
    isAnswerCut: 'boolean',
    explanation: 'string?',
    durationMs: 'number',
    nextAt: 'instant?',
    fault: 'string?',
  },
  DoneAttempt: {
    endpointGuid: 'uuid',
    deliveryGuid: 'uuid',
    eventGuid: 'uuid',
    eventType,
    outcome,
    status: 'integer?',
    state: 'QUEUED|DELIVERED|DEAD|DROPPED',
    nextAt: 'instant?',
  },
  WebhookReplay: {
    endpointGuid: 'uuid',
    count: 'integer',
    isDryRun: 'boolean',
    firstPosition: 'integer?',
    lastPosition: 'integer?',
    requestGuid: 'uuid?',
  },
  SentTestEvent: { partnerGuid: 'uuid', eventGuid: 'uuid', deliveryGuids: 'uuid[]' },
} satisfies Readonly<Record<string, Fields>>;

/** The request resources of webhooks, transcribed by hand: see requests.ts. */
export const webhookRequests: Readonly<Record<string, Fields>> = {
  NewWebhookEndpoint: { clientId: 'string', url: 'string', ...settings, 'secret?': 'object' },
  WebhookEndpointEdit: { 'url?': 'string', ...settings },
  EndWebhookSending: { reason: 'string' },
  NewWebhookSecret: {
    'label?': 'string?',
    'expiresAt?': 'instant?',
    'othersExpireAt?': 'instant?',
  },
  TestWebhook: { eventType },
  DropWebhookDelivery: { reason: 'string' },
  ReplayWebhooks: {
    which: 'EVENT|RANGE|FAILED|SINCE',
    'eventGuid?': 'uuid?',
    'fromPosition?': 'integer?',
    'toPosition?': 'integer?',
    'since?': 'instant?',
    'dryRun?': 'boolean',
    'expectedCount?': 'integer?',
    'requestGuid?': 'uuid?',
  },
};

/** The statuses of these operations, as in contract.test.ts. */
export const webhookStatuses: Readonly<Record<string, readonly number[]>> = {
  'webhooks.endpoints.list': [400],
  'webhooks.endpoints.create': [409],
  'webhooks.endpoints.get': [404],
  'webhooks.endpoints.update': [404, 409],
  'webhooks.endpoints.pause': [404, 409],
  'webhooks.endpoints.resume': [404, 409],
  'webhooks.endpoints.disable': [404, 409],
  'webhooks.endpoints.archive': [404],
  'webhooks.secrets.add': [404, 409],
  'webhooks.secrets.revoke': [404, 409],
  'webhooks.test': [404, 409],
  'webhooks.replay': [404, 409],
  'webhooks.trigger': [404],
  'webhooks.deliveries.list': [400],
  'webhooks.deliveries.get': [404],
  'webhooks.deliveries.drop': [404, 409],
};
