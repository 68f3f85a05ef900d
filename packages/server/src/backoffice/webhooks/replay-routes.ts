import { parseGuid } from '@servery/support/ids.ts';
import type { OperationHandlers } from '../../http/operation.ts';
import { isWithin } from '../../http/reach.ts';
import { findPartner } from '../../partners/partner-store.ts';
import { noSuchPartner } from '../../partners/partners.ts';
import { everywhere } from '../../support/due-work.ts';
import { findDelivery } from '../../webhooks/delivery-store.ts';
import { noSuchDelivery } from '../../webhooks/refusals.ts';
import { countReplay, replayEvents } from '../../webhooks/replay.ts';
import { sendSyntheticEvent, sendTestEvent } from '../../webhooks/test-event.ts';
import { authorityOf, type EndpointRouteDeps, endpointGuidOf } from './endpoint-routes.ts';
import { deliveryOnWire } from './present-delivery.ts';
import { readTestEvent } from './read-body.ts';
import { readReplay } from './read-replay.ts';

/** The operations of the back office that send events again, or events that nothing caused. */
export function replayHandlers(
  deps: EndpointRouteDeps,
): Pick<OperationHandlers, `backOffice.webhooks.${'replay' | 'test' | 'trigger'}`> {
  return {
    'backOffice.webhooks.replay': async (request) => {
      const { selection, isDryRun, expectedCount, requestGuid } = readReplay(request.body);
      const endpointGuid = endpointGuidOf(request);
      const authority = authorityOf(request, deps.realClock);
      const asked = { endpointGuid, selection, expectedCount, requestGuid };
      const replayed = isDryRun
        ? { ...(await countReplay(deps, asked, authority)), requestGuid: null }
        : await replayEvents(deps, asked, authority);
      return { json: { endpointGuid, isDryRun, ...replayed } };
    },
    'backOffice.webhooks.test': async (request) => {
      const eventType = readTestEvent(request.body);
      const authority = authorityOf(request, deps.realClock);
      const sent = await sendTestEvent(deps, endpointGuidOf(request), { eventType }, authority);
      const [guid = ''] = sent.deliveryGuids;
      const delivery = await findDelivery(deps.database.sql, guid, everywhere);
      if (!delivery) throw noSuchDelivery();
      return { json: deliveryOnWire(delivery) };
    },
    'backOffice.webhooks.trigger': async (request) => {
      const eventType = readTestEvent(request.body);
      const partnerGuid = parseGuid(request.params.partnerGuid ?? '');
      // Events are a partner's: who reaches some of its restaurants alone sends none.
      const place = { kind: 'partner', guid: partnerGuid ?? '' } as const;
      if (partnerGuid === null || !isWithin(request.reach, place)) throw noSuchPartner();
      const { sql } = deps.database;
      if (!(await findPartner(sql, partnerGuid, request.reach))) throw noSuchPartner();
      const { origin } = authorityOf(request, deps.realClock);
      const sent = await sendSyntheticEvent(deps, partnerGuid, { eventType }, origin);
      return {
        json: { partnerGuid, eventGuid: sent.eventGuid, deliveryGuids: [...sent.deliveryGuids] },
      };
    },
  };
}
