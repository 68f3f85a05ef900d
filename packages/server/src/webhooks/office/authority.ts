import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import type { BackOfficeRequest } from '../../http/operation.ts';
import type { EndpointAuthority, EndpointDeps } from '../endpoints/endpoints.ts';

export interface ChangeWebhooksDeps extends EndpointDeps {
  readonly realClock: Clock;
}

export function authorityOf(
  request: Parameters<typeof originOf>[0] & Pick<BackOfficeRequest, 'reach'>,
  { realClock }: Pick<ChangeWebhooksDeps, 'realClock'>,
): EndpointAuthority {
  return { reach: request.reach, origin: originOf(request, realClock) };
}
