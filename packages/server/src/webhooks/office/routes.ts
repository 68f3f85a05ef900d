import type { OperationId } from '@servery/contract';
import type { OperationHandlers } from '../../http/operation.ts';
import { deliveryHandlers } from './delivery-routes.ts';
import { endpointHandlers } from './endpoint-routes.ts';
import { type ReplayRouteDeps, replayHandlers } from './replay-routes.ts';

/** What the webhooks of the back office lean on. */
export type WebhookRouteDeps = ReplayRouteDeps;

type WebhookOperationId = Extract<OperationId, `backOffice.webhooks.${string}`>;

/** The operations of the back office on webhook endpoints, deliveries and replays (PTN-7). */
export function webhookHandlers(
  deps: WebhookRouteDeps,
): Pick<OperationHandlers, WebhookOperationId> {
  return { ...endpointHandlers(deps), ...deliveryHandlers(deps), ...replayHandlers(deps) };
}
