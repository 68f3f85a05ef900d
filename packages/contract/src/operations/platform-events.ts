import { partnerEventTypes } from '../schemas/back-office-terms.ts';
import { choice, text, withDefault } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { pageSize } from './parameters.ts';

const events = { interface: 'platform', method: 'GET', tag: 'Events' } as const;

const filters = {
  after: Type.Optional(
    text('A cursor: only what comes behind it.', {
      pattern: '^[0-9]{1,15}([.][0-9]{1,15})?$',
      example: '41',
      '~must': 'be a cursor as it was given out, such as 41.0',
      '~emptyIsAbsent': true,
    }),
  ),
  eventType: Type.Optional(
    choice('Only events of this type.', partnerEventTypes, { example: 'partner_added' }),
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
      'Answers what happened to the connections of the partner of the account, the oldest first, ' +
      'whether or not it was delivered. Send nextCursor as after for what comes next: whoever ' +
      'goes on so misses nothing that is kept. Needs no scope; only for PARTNER accounts.',
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
      'Answers events as they come, as server-sent events of the type `event`, those that ' +
      'somebody has sent again as `replay`, and tests as `test`; the data of each is a ' +
      'PartnerEvent, byte for byte as it is posted to endpoints, and its id a cursor. Begins ' +
      'now, or behind the cursor in Last-Event-ID or after: none is missed then that is kept. ' +
      'The first one, `ready`, has the cursor and the missedCount. A comment comes every 15 ' +
      'seconds while nothing happens. It ends when the token may no longer read it. At most five ' +
      'for each account. Needs no scope; only for PARTNER accounts.',
    query: filters,
    response: null,
    mediaType: 'text/event-stream',
    revalidated: false,
  }),
] as const;
