import type { WebhookEndpoint } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import type { Answer, BackOfficeRequest } from '../../http/operation.ts';
import type { EndpointView } from '../endpoints/endpoint-store.ts';
import type { EndpointAuthority, EndpointDeps } from '../endpoints/endpoints.ts';
import { showEndpoint } from './show-endpoints.ts';

export interface ChangeWebhooksDeps extends EndpointDeps {
  readonly realClock: Clock;
}

type Request = Parameters<typeof originOf>[0] & Pick<BackOfficeRequest, 'reach'>;

export function authorityOf(
  request: Request,
  { realClock }: Pick<ChangeWebhooksDeps, 'realClock'>,
): EndpointAuthority {
  return { reach: request.reach, origin: originOf(request, realClock) };
}

export async function answerChanged(
  deps: ChangeWebhooksDeps,
  request: Request,
  change: (authority: EndpointAuthority) => Promise<EndpointView>,
): Promise<Answer<WebhookEndpoint>> {
  const endpoint = await change(authorityOf(request, deps));
  return { json: await showEndpoint(deps.database.sql, endpoint, request.nowMs) };
}
