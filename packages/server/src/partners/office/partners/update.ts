import { originOf } from '../../../audit/origin.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { editPartner } from '../../partners.ts';
import type { ChangePartnerDeps } from './create.ts';
import { partnerOnWire } from './partner-on-wire.ts';

export const updatePartnerHandler =
  (deps: ChangePartnerDeps): HandlerOf<'backOffice.partners.update'> =>
  async (request) => {
    const { params, body, reach } = request;
    const authority = { reach, origin: originOf(request, deps.realClock) };
    return { json: partnerOnWire(await editPartner(deps, params.partnerGuid, body, authority)) };
  };
