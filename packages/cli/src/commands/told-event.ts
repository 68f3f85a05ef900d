import type { PartnerEvent, PartnerEventPage } from '@servery/contract';
import type { Session } from '../command.ts';
import { nullIfRefused } from '../find/find.ts';

const PAGE_SIZE = 200;
/** A person waits for each page: beyond that the event is not looked up. */
const PAGES_AT_MOST = 50;

type Asking = Pick<Session, 'client'>;

/** The last position of the events of a partner; null where they may not be read, or are many. */
export async function lastPosition(asking: Asking, partnerGuid: string): Promise<number | null> {
  let after = 0;
  for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
    const page = await readEvents(asking, partnerGuid, after);
    if (page === null) return null;
    after = page.lastPosition;
    if (page.results.length < PAGE_SIZE) return after;
  }
  return null;
}

/** The GUID of the first event after a position that is about a change; null for none. */
export async function toldEvent(
  asking: Asking,
  partnerGuid: string,
  after: number,
  { eventType, restaurantGuid }: Pick<PartnerEvent, 'eventType'> & { restaurantGuid: string },
): Promise<string | null> {
  const page = await readEvents(asking, partnerGuid, after);
  const found = page?.results.find(
    ({ event }) => event.eventType === eventType && event.details.restaurantGuid === restaurantGuid,
  );
  return found?.event.guid ?? null;
}

/** An account that may change one restaurant may not read the events of all. */
function readEvents(
  { client }: Asking,
  partnerGuid: string,
  after: number,
): Promise<PartnerEventPage | null> {
  const request = { params: { partnerGuid }, query: { after, pageSize: PAGE_SIZE } };
  return client.call('backOffice.partners.events', request).catch(nullIfRefused);
}
