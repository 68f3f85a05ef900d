import type { HandlerOf } from '../../http/operation.ts';
import type { Reach } from '../../reach/reach.ts';
import { sendSyntheticEvent } from '../endpoints/test-event.ts';
import { authorityOf, type ChangeWebhooksDeps } from './authority.ts';

/** What the handler needs. */
export interface TriggerEventDeps extends ChangeWebhooksDeps {
  /** Throws 404 for a partner that does not lie in the reach as a whole. */
  readonly requirePartner: (reach: Reach, guid: string) => Promise<void>;
}

/** Sends a test event to every endpoint of a partner that wants its type. */
export const triggerEventHandler =
  (deps: TriggerEventDeps): HandlerOf<'backOffice.webhooks.trigger'> =>
  async (request) => {
    const { partnerGuid } = request.params;
    await deps.requirePartner(request.reach, partnerGuid);
    const { origin } = authorityOf(request, deps);
    const sent = await sendSyntheticEvent(deps, partnerGuid, request.body, origin);
    const { eventGuid, deliveryGuids } = sent;
    return { json: { partnerGuid, eventGuid, deliveryGuids: [...deliveryGuids] } };
  };
