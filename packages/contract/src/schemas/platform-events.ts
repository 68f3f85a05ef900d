import type { Static } from 'typebox';
import { PartnerEventEntry } from './back-office-clients.ts';
import { backOfficePageSizeAtMost } from './back-office-terms.ts';
import { answer, epoch, flag, list, text } from './field.ts';

export const EventPage = answer('One page of the events of a partner.', {
  results: list(PartnerEventEntry, 'The events, the oldest first.', {
    maxItems: backOfficePageSizeAtMost,
  }),
  nextCursor: text('What to send as after for what comes next.'),
  hasMore: flag('Whether there is more already.'),
  missedCount: epoch(
    'How many events from the cursor to the next one are not kept any more; 0 for none.',
  ),
});
export type EventPage = Static<typeof EventPage>;
