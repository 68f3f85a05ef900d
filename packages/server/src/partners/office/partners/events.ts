import type { PartnerEventEntry } from '@servery/contract';
import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { isoTimestamp } from '../../../http/timestamps.ts';
import { listPartnerEvents, type PartnerEventRow } from '../../change-store.ts';
import { requirePartner } from '../../partners.ts';

export interface PartnerEventsDeps {
  readonly database: Database;
}

/** Events cover restaurants of all groups, so the whole partner must be in the reach. */
export const partnerEventsHandler =
  ({ database }: PartnerEventsDeps): HandlerOf<'backOffice.partners.events'> =>
  async ({ params: { partnerGuid }, query: { after, pageSize }, reach }) => {
    await requirePartner({ database }, reach, partnerGuid);
    const events = await listPartnerEvents(database.sql, partnerGuid, after, pageSize);
    const lastPosition = events.at(-1)?.position ?? after;
    return { json: { results: events.map(eventOnWire), lastPosition } };
  };

function eventOnWire({ position, guid, type, at, payload }: PartnerEventRow): PartnerEventEntry {
  const timestamp = isoTimestamp(at);
  const eventCategory = 'partner';
  return { position, event: { timestamp, eventCategory, eventType: type, guid, details: payload } };
}
