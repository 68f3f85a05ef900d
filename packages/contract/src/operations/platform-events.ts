import { eventTypes } from '../schemas/event-types.ts';
import { choice, text, withDefault } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { pageSize } from './parameters.ts';

const events = { interface: 'platform', method: 'GET', tag: 'Events' } as const;

const filters = {
  after: Type.Optional(
    text('Only events after this cursor.', {
      pattern: '^[0-9]{1,15}([.][0-9]{1,15})?$',
      example: '41',
      '~must': 'be a cursor from an answer, for example 41.0',
      '~emptyIsAbsent': true,
    }),
  ),
  eventType: Type.Optional(
    choice('Only events of this type.', eventTypes, { example: 'partner_added' }),
  ),
};

export const platformEventsOperations = [
  operation({
    ...events,
    id: 'platform.events.list',
    isForPartners: true,
    path: '/platform/v1/events',
    summary: 'List the events of the partner',
    description:
      'Returns the events of the partner of the account, the oldest first, delivered or not: those ' +
      'on its connections, and those of other categories whose scope the account holds. To get ' +
      'the events that follow, send nextCursor as `after`. You then miss no event that is still ' +
      'kept. Events that no endpoint wants are kept for you from your first read on, as long as ' +
      'you read at least once a day. Needs no scope; only for PARTNER accounts.',
    query: {
      ...filters,
      pageSize: withDefault(pageSize('Events per page.'), 100),
    },
    response: single('EventPage'),
  }),
  operation({
    ...events,
    id: 'platform.events.stream',
    isForPartners: true,
    path: '/platform/v1/events/stream',
    summary: 'Follow the events of the partner',
    description:
      'Streams events as they arrive, as server-sent events of the type `event`. Replayed ' +
      'events have the type `replay`, and test events the type `test`. The data of each is a ' +
      'WebhookEvent, byte for byte as it is posted to endpoints, and its id is a cursor. The ' +
      'stream starts now, or after the cursor in Last-Event-ID or `after`. If you send a ' +
      'cursor, you miss no event that is still kept. The first event, `ready`, has the cursor, ' +
      'the missedCount, and the eventTypes that can come. A comment is sent every 15 seconds while nothing happens. The ' +
      'stream ends when the token may no longer read it. Events that no endpoint wants come too, ' +
      'and are kept for a day after it ends. At most five streams for each ' +
      'account. Needs no scope; only for PARTNER accounts.',
    query: filters,
    response: null,
    mediaType: 'text/event-stream',
    revalidated: false,
  }),
] as const;
