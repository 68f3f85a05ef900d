import type { Static } from 'typebox';
import {
  backOfficePageSizeAtMost,
  webhookDeliveryStates,
  webhookEndpointStates,
  webhookOutcomes,
  webhookPauseReasons,
} from './back-office-terms.ts';
import { eventTypes as allEventTypes } from './event-types.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  epoch,
  flag,
  line,
  list,
  optional,
  orNull,
  request,
  text,
  uuid,
  whole,
  withDefault,
  words,
} from './field.ts';
import { Type } from './type.ts';

const nextPageToken = orNull(text('Token of the next page; null on the last page.'));
const pageLimit = { maxItems: backOfficePageSizeAtMost };
const position = epoch('Position of the event among the events of the partner, from 1.');
const eventType = choice('The type of the event.', allEventTypes);
const eventTypes = (what: string) =>
  orNull(list(eventType, what, { minItems: 1, maxItems: allEventTypes.length }), what);
const timeout = (what: string, maximum: number) =>
  whole(`${what}, in milliseconds.`, { minimum: 100, maximum });
const connectTimeoutMs = timeout('How long connecting may take', 10_000);
const answerTimeoutMs = timeout('How long the response may take', 30_000);
const retryDelays = list(
  whole('Seconds.', { minimum: 1, maximum: 86_400 }),
  'The delay after each failed attempt, in seconds. When no delay is left, the event becomes a ' +
    'dead letter. An empty list: one attempt.',
  { maxItems: 20 },
);

export const WebhookSecret = answer('A signing secret, without the secret itself.', {
  guid: uuid('The secret.'),
  label: orNull(text('Its label; null if it has none.')),
  createdAt: dateTime('When it was created.'),
  expiresAt: orNull(dateTime('When it expires; null for never.')),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

export const WebhookEndpoint = answer('An address that receives the events of a partner.', {
  guid: uuid('The endpoint.'),
  partnerGuid: uuid('The partner.'),
  partnerName: text('Its name.'),
  clientId: text('The API account that the endpoint belongs to.'),
  url: text('The address that events are posted to.'),
  description: orNull(text('What it is for; null if not set.')),
  eventTypes: eventTypes(
    'The types of events that are sent; null for all. The account must hold the scope of each ' +
      'listed type.',
  ),
  connectTimeoutMs,
  answerTimeoutMs,
  retryDelaysSeconds: retryDelays,
  isOrdered: flag(
    'Whether each event waits until the one before it is delivered or a dead letter.',
  ),
  state: choice(
    'ACTIVE: events are sent. PAUSED: events are queued, and none is lost. DISABLED: somebody ' +
      'disabled it, and events are not queued. ARCHIVED: the same for good.',
    webhookEndpointStates,
  ),
  pauseReason: orNull(
    choice(
      'Why it is paused. PERSON: somebody paused it. FAILURES: too many attempts failed in a ' +
        'row. GONE: it returned 410. BLOCKED: its host name resolves to an address that is not ' +
        'public. SECRET: one of its secrets cannot be decrypted.',
      webhookPauseReasons,
    ),
  ),
  stateReason: orNull(text('Why it is not active, in words; null while it is active.')),
  stateSince: dateTime('When it entered this state.'),
  consecutiveFailures: whole('Failed attempts since the last accepted one.'),
  nextProbeAt: orNull(
    dateTime('When the next probe is sent; null unless the platform paused the endpoint.'),
  ),
  queued: whole('Number of queued deliveries.'),
  oldestQueuedAt: orNull(dateTime('When the oldest of them was queued; null if there is none.')),
  deadLetters: whole(
    'Number of dead letters that were neither replayed nor dropped, not counting test events.',
  ),
  attemptsLastDay: whole('Attempts in the last 24 hours.'),
  deliveredLastDay: whole('Accepted attempts in the last 24 hours.'),
  lastDeliveredAt: orNull(
    dateTime('When it last accepted an event, as far back as events are kept; null for never.'),
  ),
  secrets: list(WebhookSecret, 'The live secrets, newest first. At most two.', {
    maxItems: 2,
  }),
  createdAt: dateTime('When it was created.'),
  createdBy: text('Who created it.'),
  modifiedAt: dateTime('When somebody last changed it.'),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpointPage = answer('One page of endpoints.', {
  results: list(WebhookEndpoint, 'The endpoints, newest first.', pageLimit),
  nextPageToken,
});
export type WebhookEndpointPage = Static<typeof WebhookEndpointPage>;

const url = text(
  'The address to post events to: an https address on the public internet. A sandbox may also ' +
    'allow http and its own machine.',
  { minLength: 1, maxLength: 2_000 },
);
const description = orNull(
  words('What it is for, in your own words; at most 1,000 characters.', {
    minLength: 1,
    maxLength: 1_000,
  }),
);
const label = orNull(
  words('A name for the secret; at most 100 characters.', { minLength: 1, maxLength: 100 }),
);
const futureInstant = (description: string) =>
  orNull(dateTime(description, { '~reads': 'instant' }));
const expiresAt = futureInstant(
  'When the secret expires. Must be in the future. Null or left out: never.',
);
const settable = {
  description: Type.Optional(description),
  eventTypes: Type.Optional(
    eventTypes(
      'The types of events to send; null for all. The account must hold the scope of each listed ' +
        'type.',
    ),
  ),
  connectTimeoutMs: Type.Optional(connectTimeoutMs),
  answerTimeoutMs: Type.Optional(answerTimeoutMs),
  retryDelaysSeconds: Type.Optional(retryDelays),
  isOrdered: Type.Optional(
    flag('Whether each event waits until the one before it is delivered or a dead letter.'),
  ),
};

export const NewWebhookEndpoint = request('The endpoint to create.', {
  clientId: line('The PARTNER account that it belongs to.'),
  url,
  ...settable,
  secret: optional(
    Type.Object(
      { label: Type.Optional(label), expiresAt: Type.Optional(expiresAt) },
      { description: 'Label and expiry of its first secret. By default, it has neither.' },
    ),
  ),
});
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>;

export const WebhookEndpointEdit = request(
  'The fields of an endpoint to change. Fields that you leave out do not change.',
  {
    url: Type.Optional(url),
    ...settable,
  },
);
export type WebhookEndpointEdit = Static<typeof WebhookEndpointEdit>;

const reason = words('The reason, for people who look at it later.', {
  minLength: 1,
  maxLength: 500,
});

export const EndWebhookSending = request('Why sending stops.', { reason });
export type EndWebhookSending = Static<typeof EndWebhookSending>;

export const NewWebhookSecret = request('Label and expiry of the new secret.', {
  label: Type.Optional(label),
  expiresAt: Type.Optional(expiresAt),
  othersExpireAt: Type.Optional(
    futureInstant(
      'When the other live secret expires, unless it expires sooner. Until then, both secrets ' +
        'sign. Must be in the future. Null or left out: it keeps working.',
    ),
  ),
});
export type NewWebhookSecret = Static<typeof NewWebhookSecret>;

export const IssuedWebhookSecret = answer('A new signing secret, which is shown only once.', {
  endpoint: WebhookEndpoint,
  secretGuid: uuid('The secret.'),
  secret: text('The secret: whsec_ and base64. It cannot be shown again.'),
});
export type IssuedWebhookSecret = Static<typeof IssuedWebhookSecret>;

export const TestWebhook = request('The test event to send.', { eventType });
export type TestWebhook = Static<typeof TestWebhook>;

const delivery = {
  guid: uuid('The delivery.'),
  endpointGuid: uuid('The endpoint.'),
  partnerGuid: uuid('The partner.'),
  eventGuid: uuid('The event; the same in every attempt and replay.'),
  eventPosition: orNull(
    position,
    'Its position among the events of the partner; null for a test event.',
  ),
  eventType,
  eventAt: dateTime('When it happened.'),
  state: choice(
    'QUEUED: it waits, or an attempt is in progress. DELIVERED: the endpoint accepted it. DEAD: ' +
      'a dead letter; every attempt failed. DROPPED: somebody gave up on it.',
    webhookDeliveryStates,
  ),
  isReplay: flag('Whether it belongs to a replay.'),
  isTest: flag('Whether it is a test event.'),
  attemptCount: whole('Number of attempts.'),
  queuedAt: dateTime('When it was queued.'),
  dueAt: orNull(
    dateTime('When the next attempt is due, if the endpoint is active; null if it is settled.'),
  ),
  settledAt: orNull(dateTime('When it was delivered, or given up on; null while it is queued.')),
  isReplayed: flag('Whether it was a dead letter and has been replayed since.'),
  lastOutcome: orNull(choice('How the last attempt ended.', webhookOutcomes)),
  lastStatus: orNull(whole('The HTTP status of the last response.')),
  reason: orNull(text('Why it was given up on; otherwise null.')),
  fault: orNull(
    text(
      'In a sandbox: the fault that changed the last attempt or, before the first attempt, delayed ' +
        'it. Null if there was none.',
    ),
  ),
};

export const WebhookDelivery = answer('An event on its way to an endpoint.', delivery);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = answer('One page of deliveries.', {
  results: list(WebhookDelivery, 'The deliveries, newest first.', pageLimit),
  nextPageToken,
});
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>;

export const WebhookAttempt = answer('One attempt to deliver an event.', {
  number: whole('Its number, from 1.', { minimum: 1 }),
  at: dateTime('When it was made, by the clock of the environment.'),
  isProbe: flag('Whether it checked if a paused endpoint works again.'),
  url: text('The address that it was posted to.'),
  requestHeaders: Type.Unsafe<Record<string, string>>({
    type: 'object',
    description: 'The headers that were sent, without signatures.',
    additionalProperties: { type: 'string' },
  }),
  outcome: choice('How it ended.', webhookOutcomes),
  status: orNull(whole('The HTTP status of the response; null if there was none.')),
  answerBody: orNull(text('The beginning of the response; null if there was none.')),
  isAnswerCut: flag('Whether the response was longer.'),
  explanation: orNull(text('What went wrong, in words; null if it was accepted.')),
  durationMs: decimal('How long it took, in milliseconds.', { minimum: 0 }),
  nextAt: orNull(dateTime('When the next attempt was due; null for none.')),
  fault: orNull(
    text(
      'In a sandbox: the fault that changed the attempt or, for the first attempt, delayed it. ' +
        'Null if there was none.',
    ),
  ),
});
export type WebhookAttempt = Static<typeof WebhookAttempt>;

export const WebhookDeliveryDetails = answer('A delivery with its body and its attempts.', {
  ...delivery,
  body: text('The body, byte for byte as it is sent.'),
  attempts: list(WebhookAttempt, 'The last 100 attempts, oldest first.', {
    maxItems: 100,
  }),
});
export type WebhookDeliveryDetails = Static<typeof WebhookDeliveryDetails>;

export const DropWebhookDelivery = request('Why to give up on the delivery.', { reason });
export type DropWebhookDelivery = Static<typeof DropWebhookDelivery>;

export const ReplayWebhooks = request('Which events to send to the endpoint again.', {
  which: choice(
    'EVENT: the event eventGuid. RANGE: events from fromPosition to toPosition. FAILED: events ' +
      'whose delivery is a dead letter. SINCE: events that happened at since or later.',
    ['EVENT', 'RANGE', 'FAILED', 'SINCE'],
  ),
  eventGuid: Type.Optional(orNull(uuid('For EVENT.'))),
  fromPosition: Type.Optional(orNull(epoch('For RANGE: the first position.'))),
  toPosition: Type.Optional(orNull(epoch('For RANGE: the last position.'))),
  since: Type.Optional(orNull(dateTime('For SINCE.', { '~reads': 'instant' }))),
  dryRun: withDefault(flag('Whether to only count the events.'), false),
  expectedCount: Type.Optional(
    orNull(whole('The number that you expect. If it differs, this is a 409.')),
  ),
  requestGuid: Type.Optional(
    orNull(uuid('A GUID of yours. If you repeat the request with it, nothing is sent twice.')),
  ),
});
export type ReplayWebhooks = Static<typeof ReplayWebhooks>;

export const WebhookReplay = answer('What a replay sends, or would send.', {
  endpointGuid: uuid('The endpoint.'),
  count: whole('Number of events.'),
  isDryRun: flag('Whether they were only counted.'),
  firstPosition: orNull(position, 'The position of the first event; null for none.'),
  lastPosition: orNull(position, 'The position of the last event; null for none.'),
  requestGuid: orNull(uuid('The requestGuid of the replay; null if nothing was sent.')),
});
export type WebhookReplay = Static<typeof WebhookReplay>;

export const SentTestEvent = answer('A test event that was queued.', {
  partnerGuid: uuid('The partner.'),
  eventGuid: uuid('The event.'),
  deliveryGuids: list(
    uuid('A delivery.'),
    'The deliveries, one for each endpoint that receives it.',
  ),
});
export type SentTestEvent = Static<typeof SentTestEvent>;
