import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { findPartner } from '../../partner-store.ts';
import { noSuchPartner } from '../../partners.ts';
import { partnerOnWire } from './partner-on-wire.ts';

export interface GetPartnerDeps {
  readonly database: Database;
}

export const getPartnerHandler =
  ({ database: { sql } }: GetPartnerDeps): HandlerOf<'backOffice.partners.get'> =>
  async ({ params, reach }) => {
    const partner = await findPartner(sql, params.partnerGuid, reach);
    if (!partner) throw noSuchPartner();
    return { json: partnerOnWire(partner) };
  };
