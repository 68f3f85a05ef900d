import type { HandlerOf } from '../../../http/operation.ts';
import { findPartner } from '../../partner-store.ts';
import { noSuchPartner, type PartnerAdminDeps } from '../../partners.ts';

export const getPartnerHandler =
  ({ database: { sql } }: PartnerAdminDeps): HandlerOf<'backOffice.partners.get'> =>
  async ({ params, reach }) => {
    const partner = await findPartner(sql, params.partnerGuid, reach);
    if (!partner) throw noSuchPartner();
    return { json: partner };
  };
