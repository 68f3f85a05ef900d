import type { Static } from 'typebox';
import {
  backOfficePageSizeAtMost,
  partnerEventTypes,
  webhookDeliveryStates,
  webhookEndpointStates,
  webhookOutcomes,
  webhookPauseReasons,
} from './back-office-terms.ts';
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

const nextPageToken = orNull(text('Names the following page; null on the last one.'));
const pageLimit = { maxItems: backOfficePageSizeAtMost };
const position = epoch('The place of the event among those of the partner, from 1.');
const eventType = choice('What the event tells.', partnerEventTypes);
const eventTypes = (what: string) =>
  orNull(list(eventType, what, { minItems: 1, maxItems: partnerEventTypes.length }), what);
const timeout = (what: string, maximum: number) =>
  whole(`${what}, in milliseconds.`, { minimum: 100, maximum });
const connectTimeoutMs = timeout('How long connecting may take', 10_000);
const answerTimeoutMs = timeout('How long the answer may take', 30_000);
const retryDelays = list(
  whole('Seconds.', { minimum: 1, maximum: 86_400 }),
  'How long after each attempt that failed the next one is made, in seconds; the event is a dead ' +
    'letter when none is left. An empty list: one attempt.',
  { maxItems: 20 },
);

export const WebhookSecret = answer('What may be known of a signing secret.', {
  guid: uuid('Names the secret.'),
  label: orNull(text('What people call it; null when nobody said.')),
  createdAt: dateTime('When it was made.'),
  expiresAt: orNull(dateTime('When it ends by itself; null for never.')),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

export const WebhookEndpoint = answer('Where events of a partner are sent.', {
  guid: uuid('The endpoint.'),
  partnerGuid: uuid('The partner.'),
  partnerName: text('Its name.'),
  clientId: text('The API account that the endpoint belongs to.'),
  url: text('Where events are posted to.'),
  description: orNull(text('What it is for; null when nobody said.')),
  eventTypes: eventTypes('The events that are sent; null for all.'),
  connectTimeoutMs,
  answerTimeoutMs,
  retryDelaysSeconds: retryDelays,
  isOrdered: flag('Whether an event waits until the one before is delivered or a dead letter.'),
  state: choice(
    'ACTIVE: events are sent. PAUSED: they wait, and none is lost. DISABLED: somebody ended it, ' +
      'events are not queued. ARCHIVED: the same for good.',
    webhookEndpointStates,
  ),
  pauseReason: orNull(
    choice(
      'Why it is paused: a PERSON said so, FAILURES in a row, GONE, which it answered (410), ' +
        'BLOCKED: its name leads to an address that is not public, or SECRET: one of its secrets ' +
        'cannot be opened.',
      webhookPauseReasons,
    ),
  ),
  stateReason: orNull(text('Why it is not active, in words; null while it is.')),
  stateSince: dateTime('Since when it is in this state.'),
  consecutiveFailures: whole('Attempts that failed since the last one that was taken.'),
  nextProbeAt: orNull(
    dateTime('When one delivery is tried while FAILURES pause it; null otherwise.'),
  ),
  queued: whole('Deliveries that wait.'),
  oldestQueuedAt: orNull(dateTime('Since when the oldest of them waits; null when none does.')),
  deadLetters: whole(
    'Events that were given up, until they are replayed or dropped; test events are none.',
  ),
  attemptsLastDay: whole('Attempts within the last 24 hours.'),
  deliveredLastDay: whole('Those of them that were taken.'),
  lastDeliveredAt: orNull(
    dateTime('When it took an event last, within the days that events are kept; null for none.'),
  ),
  secrets: list(WebhookSecret, 'The secrets that live, the newest first: two at most.', {
    maxItems: 2,
  }),
  createdAt: dateTime('When it was made.'),
  createdBy: text('Who made it.'),
  modifiedAt: dateTime('When somebody changed it last.'),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpointPage = answer('One page of endpoints.', {
  results: list(WebhookEndpoint, 'The endpoints, the newest first.', pageLimit),
  nextPageToken,
});
export type WebhookEndpointPage = Static<typeof WebhookEndpointPage>;

const url = text(
  'Where to post events to: an https address that leads to public addresses only. A sandbox may ' +
    'allow http and this machine.',
  { minLength: 1, maxLength: 2_000 },
);
const description = orNull(
  words('What it is for, in words of a person; at most 1,000 characters.', {
    minLength: 1,
    maxLength: 1_000,
  }),
);
const label = orNull(
  words('What people call the secret; at most 100 characters.', { minLength: 1, maxLength: 100 }),
);
const futureInstant = (description: string) =>
  orNull(dateTime(description, { '~reads': 'instant' }));
const expiresAt = futureInstant(
  'When the secret ends by itself, in the future; null or left out for never.',
);
const settable = {
  description: Type.Optional(description),
  eventTypes: Type.Optional(eventTypes('The events to send; null for all.')),
  connectTimeoutMs: Type.Optional(connectTimeoutMs),
  answerTimeoutMs: Type.Optional(answerTimeoutMs),
  retryDelaysSeconds: Type.Optional(retryDelays),
  isOrdered: Type.Optional(
    flag('Whether an event waits until the one before is delivered or a dead letter.'),
  ),
};

export const NewWebhookEndpoint = request('The endpoint to make.', {
  clientId: line('The PARTNER account that it is to belong to.'),
  url,
  ...settable,
  secret: optional(
    Type.Object(
      { label: Type.Optional(label), expiresAt: Type.Optional(expiresAt) },
      { description: 'What to say of its first secret; nothing when it is left out.' },
    ),
  ),
});
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>;

export const WebhookEndpointEdit = request('What to change of an endpoint; the rest stays.', {
  url: Type.Optional(url),
  ...settable,
});
export type WebhookEndpointEdit = Static<typeof WebhookEndpointEdit>;

const reason = words('The reason, for people who read it later.', { minLength: 1, maxLength: 500 });

export const EndWebhookSending = request('Why nothing is to be sent.', { reason });
export type EndWebhookSending = Static<typeof EndWebhookSending>;

export const NewWebhookSecret = request('What to say of the new secret.', {
  label: Type.Optional(label),
  expiresAt: Type.Optional(expiresAt),
  othersExpireAt: Type.Optional(
    futureInstant(
      'When the secret that lives now ends, unless it ends before: the overlap of a rotation. ' +
        'In the future; null or left out: it goes on.',
    ),
  ),
});
export type NewWebhookSecret = Static<typeof NewWebhookSecret>;

export const IssuedWebhookSecret = answer('A new signing secret, which is shown this once.', {
  endpoint: WebhookEndpoint,
  secretGuid: uuid('Names the secret.'),
  secret: text('The secret itself: whsec_ and base64. Nothing can show it again.'),
});
export type IssuedWebhookSecret = Static<typeof IssuedWebhookSecret>;

export const TestWebhook = request('The event to make up.', { eventType });
export type TestWebhook = Static<typeof TestWebhook>;

const delivery = {
  guid: uuid('The delivery.'),
  endpointGuid: uuid('Where to.'),
  partnerGuid: uuid('The partner.'),
  eventGuid: uuid('The event; the same in every attempt and every replay of it.'),
  eventPosition: orNull(position, 'Its place among those of the partner; null for a test.'),
  eventType,
  eventAt: dateTime('When it happened.'),
  state: choice(
    'QUEUED: it waits, or is under way. DELIVERED: the endpoint took it. DEAD: it was given up, ' +
      'and is kept: a dead letter. DROPPED: somebody gave it up.',
    webhookDeliveryStates,
  ),
  isReplay: flag('Whether somebody had it sent again.'),
  isTest: flag('Whether nothing caused the event.'),
  attemptCount: whole('How often it was tried.'),
  queuedAt: dateTime('When it was queued.'),
  dueAt: orNull(
    dateTime('When it is tried next, if the endpoint is active; null when it is settled.'),
  ),
  settledAt: orNull(dateTime('When it was delivered or given up; null while it is queued.')),
  isReplayed: flag('Whether it was a dead letter that was sent again since.'),
  lastOutcome: orNull(choice('How the last attempt ended.', webhookOutcomes)),
  lastStatus: orNull(whole('The status that the last attempt was answered with.')),
  reason: orNull(text('Why it was given up; null otherwise.')),
};

export const WebhookDelivery = answer('An event on its way to an endpoint.', delivery);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = answer('One page of deliveries.', {
  results: list(WebhookDelivery, 'The deliveries, the newest first.', pageLimit),
  nextPageToken,
});
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>;

export const WebhookAttempt = answer('One attempt to deliver an event.', {
  number: whole('Its number, from 1.', { minimum: 1 }),
  at: dateTime('When it was made, by the clock of the environment.'),
  isProbe: flag('Whether it was to find out if a paused endpoint answers again.'),
  url: text('Where it was posted to.'),
  requestHeaders: Type.Unsafe<Record<string, string>>({
    type: 'object',
    description: 'The headers that were sent; signatures are left out.',
    additionalProperties: { type: 'string' },
  }),
  outcome: choice('How it ended.', webhookOutcomes),
  status: orNull(whole('The status of the answer; null when there was none.')),
  answerBody: orNull(text('The beginning of the answer; null when there was none.')),
  isAnswerCut: flag('Whether the answer went on.'),
  explanation: orNull(text('What went wrong, in words; null when it was taken.')),
  durationMs: decimal('How long it took, in milliseconds.', { minimum: 0 }),
  nextAt: orNull(dateTime('When the next attempt was to be made; null for none.')),
});
export type WebhookAttempt = Static<typeof WebhookAttempt>;

export const WebhookDeliveryDetails = answer('A delivery with its body and its attempts.', {
  ...delivery,
  body: text('The body, byte for byte as it is sent.'),
  attempts: list(WebhookAttempt, 'The attempts, the first one first; at most the last 100.', {
    maxItems: 100,
  }),
});
export type WebhookDeliveryDetails = Static<typeof WebhookDeliveryDetails>;

export const DropWebhookDelivery = request('Why it is given up.', { reason });
export type DropWebhookDelivery = Static<typeof DropWebhookDelivery>;

export const ReplayWebhooks = request('Which events to send to the endpoint again.', {
  which: choice(
    'EVENT: the one of eventGuid. RANGE: those from fromPosition to toPosition. FAILED: those ' +
      'whose delivery is a dead letter. SINCE: those that happened at since or later.',
    ['EVENT', 'RANGE', 'FAILED', 'SINCE'],
  ),
  eventGuid: Type.Optional(orNull(uuid('For EVENT.'))),
  fromPosition: Type.Optional(orNull(epoch('For RANGE: the first position.'))),
  toPosition: Type.Optional(orNull(epoch('For RANGE: the last one.'))),
  since: Type.Optional(orNull(dateTime('For SINCE.', { '~reads': 'instant' }))),
  dryRun: withDefault(flag('Only count them.'), false),
  expectedCount: Type.Optional(
    orNull(whole('Refuse with 409 if there are not exactly so many: as counted before.')),
  ),
  requestGuid: Type.Optional(
    orNull(
      uuid('A GUID of yours: asking again with it, for want of an answer, sends nothing twice.'),
    ),
  ),
});
export type ReplayWebhooks = Static<typeof ReplayWebhooks>;

export const WebhookReplay = answer('What a replay sends, or would send.', {
  endpointGuid: uuid('The endpoint.'),
  count: whole('How many events.'),
  isDryRun: flag('Whether they were only counted.'),
  firstPosition: orNull(position, 'The first of them; null for none.'),
  lastPosition: orNull(position, 'The last of them; null for none.'),
  requestGuid: orNull(uuid('The replay, as it was asked for; null where nothing was sent.')),
});
export type WebhookReplay = Static<typeof WebhookReplay>;

export const SentTestEvent = answer('An event that nothing caused, on its way.', {
  partnerGuid: uuid('The partner.'),
  eventGuid: uuid('The event.'),
  deliveryGuids: list(uuid('A delivery.'), 'The deliveries, one for each endpoint that is told.'),
});
export type SentTestEvent = Static<typeof SentTestEvent>;
