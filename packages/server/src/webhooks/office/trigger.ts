import type { HandlerOf } from '../../http/operation.ts';
import type { Reach } from '../../reach/reach.ts';
import { sendSyntheticEvent } from '../endpoints/test-event.ts';
import { authorityOf, type ChangeWebhooksDeps } from './change.ts';

export interface TriggerEventDeps extends ChangeWebhooksDeps {
  /** Throws 404 unless the whole partner lies in the reach. */
  readonly requirePartner: (reach: Reach, guid: string) => Promise<void>;
}

export const triggerEventHandler =
  (deps: TriggerEventDeps): HandlerOf<'backOffice.webhooks.trigger'> =>
  async (request) => {
    const { partnerGuid } = request.params;
    await deps.requirePartner(request.reach, partnerGuid);
    const { origin } = authorityOf(request, deps);
    const sent = await sendSyntheticEvent(deps, partnerGuid, request.body, origin);
    return { json: { partnerGuid, ...sent } };
  };
