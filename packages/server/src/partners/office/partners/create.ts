import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../../audit/origin.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { createPartner, type PartnerAdminDeps } from '../../partners.ts';
import { partnerOnWire } from './partner-on-wire.ts';

export interface ChangePartnerDeps extends PartnerAdminDeps {
  readonly realClock: Clock;
}

export const createPartnerHandler =
  (deps: ChangePartnerDeps): HandlerOf<'backOffice.partners.create'> =>
  async (request) => {
    const { name, description = null } = request.body;
    const origin = originOf(request, deps.realClock);
    return { json: partnerOnWire(await createPartner(deps, { name, description }, { origin })) };
  };
