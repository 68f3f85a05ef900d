import type { WebhookEvent } from '@servery/contract';
import type { HandlerOf } from '../../../http/operation.ts';
import { listPartnerEvents } from '../../change-store.ts';
import { type PartnerAdminDeps, requirePartner } from '../../partners.ts';

/** Events cover restaurants of all groups, so the whole partner must be in the reach. */
export const partnerEventsHandler =
  ({ database }: PartnerAdminDeps): HandlerOf<'backOffice.partners.events'> =>
  async ({ params: { partnerGuid }, query: { after, pageSize }, reach }) => {
    await requirePartner({ database }, reach, partnerGuid);
    const events = await listPartnerEvents(database.sql, partnerGuid, after, pageSize);
    const lastPosition = events.at(-1)?.position ?? after;
    const results = events.map(({ position, body }) => ({
      position,
      event: JSON.parse(body) as WebhookEvent,
    }));
    return { json: { results, lastPosition } };
  };
