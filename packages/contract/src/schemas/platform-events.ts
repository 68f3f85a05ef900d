import type { Static } from 'typebox';
import { PartnerEventEntry } from './back-office-clients.ts';
import { backOfficePageSizeAtMost } from './back-office-terms.ts';
import { answer, epoch, flag, list, text } from './field.ts';

export const EventPage = answer('One page of the events of a partner.', {
  results: list(PartnerEventEntry, 'The events, oldest first.', {
    maxItems: backOfficePageSizeAtMost,
  }),
  nextCursor: text('Send this as after to get the events that follow.'),
  hasMore: flag('Whether more events are available now.'),
  missedCount: epoch(
    'Number of events between the cursor and the next kept event that are no longer ' +
      'kept; 0 for none.',
  ),
});
export type EventPage = Static<typeof EventPage>;
