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
      '~must': 'be a cursor from a response, for example 41.0',
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
    summary: 'List your events',
    description:
      'Returns the events of your partner, oldest first, whether they were delivered or not. It ' +
      'includes events about connections, and events of other categories if the account has ' +
      'their scope. To get the events that follow, send nextCursor as `after`: you then miss ' +
      'no event that is still kept. Events that no endpoint wants are kept for you from your ' +
      'first read on, as long as you read at least once a day. Requires a PARTNER account, but ' +
      'no scope.',
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
    summary: 'Stream your events',
    description:
      'Streams events as they arrive, as server-sent events of the type `event`. Replayed events ' +
      'have the type `replay`, and test events the type `test`. The data of each is a ' +
      'WebhookEvent, byte for byte as it is posted to endpoints, and its id is a cursor. The ' +
      'stream starts now, or after the cursor in Last-Event-ID or `after`. If you send a ' +
      'cursor, you get every later event that is still kept. The first event, `ready`, has the ' +
      'cursor, the missedCount, and the eventTypes that you can receive. While nothing ' +
      'happens, a comment is sent every 15 seconds. The stream ends when the token no longer ' +
      'allows you to read it. It includes events that no endpoint wants. Such events are ' +
      'written while the stream is open, and for a day after it ends. Each account can have ' +
      'five streams at a time. Requires a PARTNER account, but no scope.',
    query: filters,
    response: null,
    mediaType: 'text/event-stream',
    revalidated: false,
  }),
] as const;
