import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import type { BackOfficeRequest } from '../../http/operation.ts';
import type { Organizer } from '../manage-groups.ts';
import type { RestaurantDeps } from '../manage-restaurants.ts';

export interface ChangeOrganizationDeps extends RestaurantDeps {
  readonly realClock: Clock;
}

export function organizerOf(
  request: Parameters<typeof originOf>[0] & Pick<BackOfficeRequest, 'reach'>,
  { realClock }: Pick<ChangeOrganizationDeps, 'realClock'>,
): Organizer {
  return { origin: originOf(request, realClock), reach: request.reach };
}
