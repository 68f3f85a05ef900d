import type { OperationHandlers } from '../../http/operation.ts';
import type { Reach } from '../../reach/reach.ts';
import { everywhere } from '../../support/due-work.ts';
import { findDelivery } from '../delivery/delivery-store.ts';
import { noSuchDelivery } from '../delivery/refusals.ts';
import { countReplay, replayEvents } from '../delivery/replay.ts';
import { sendSyntheticEvent, sendTestEvent } from '../endpoints/test-event.ts';
import { authorityOf, type EndpointRouteDeps, endpointGuidOf } from './endpoint-routes.ts';
import { deliveryOnWire } from './present-delivery.ts';
import { readTestEvent } from './read-body.ts';
import { readReplay } from './read-replay.ts';

/** What replays and test events need. */
export interface ReplayRouteDeps extends EndpointRouteDeps {
  /** Gives the GUID of a partner that lies in the reach as a whole. Throws 404 for others. */
  readonly requirePartner: (reach: Reach, guid: string) => Promise<string>;
}

/** The operations of the back office that send events again, or events that nothing caused. */
export function replayHandlers(
  deps: ReplayRouteDeps,
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
      const partnerGuid = await deps.requirePartner(
        request.reach,
        request.params.partnerGuid ?? '',
      );
      const { origin } = authorityOf(request, deps.realClock);
      const sent = await sendSyntheticEvent(deps, partnerGuid, { eventType }, origin);
      return {
        json: { partnerGuid, eventGuid: sent.eventGuid, deliveryGuids: [...sent.deliveryGuids] },
      };
    },
  };
}
