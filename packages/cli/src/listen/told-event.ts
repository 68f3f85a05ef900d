import type { PartnerEvent, PartnerEventPage } from '@servery/contract';
import { PlatformRefusal, type Remote } from '../back-office.ts';

const PAGE_SIZE = 200;
/** Whoever asks waits for each page: a partner with more has its events looked up elsewhere. */
const PAGES_AT_MOST = 50;

/** How far the events of a partner go; null for who may not read them, and where they are many. */
export async function lastPosition(remote: Remote, partnerGuid: string): Promise<number | null> {
  let after = 0;
  for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
    const page = await readEvents(remote, partnerGuid, after);
    if (page === null) return null;
    after = page.lastPosition;
    if (page.results.length < PAGE_SIZE) return after;
  }
  return null;
}

/** The GUID of the first event behind a position that tells of a change; null for none. */
export async function toldEvent(
  remote: Remote,
  partnerGuid: string,
  after: number,
  { eventType, restaurantGuid }: Pick<PartnerEvent, 'eventType'> & { restaurantGuid: string },
): Promise<string | null> {
  const page = await readEvents(remote, partnerGuid, after);
  const found = page?.results.find(
    ({ event }) => event.eventType === eventType && event.details.restaurantGuid === restaurantGuid,
  );
  return found?.event.guid ?? null;
}

async function readEvents(
  remote: Remote,
  partnerGuid: string,
  after: number,
): Promise<PartnerEventPage | null> {
  try {
    const query = { after: String(after), pageSize: String(PAGE_SIZE) };
    return await remote.get<PartnerEventPage>(
      `/backoffice/v1/partners/${partnerGuid}/events`,
      query,
    );
  } catch (error) {
    // Whoever may change one restaurant may not read the events of all.
    if (error instanceof PlatformRefusal) return null;
    throw error;
  }
}
