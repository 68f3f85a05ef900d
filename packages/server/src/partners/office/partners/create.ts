import { newGuid } from '@servery/support/ids.ts';
import { originOf } from '../../../audit/origin.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { insertPartner } from '../../partner-store.ts';
import { type PartnerAdminDeps, recordPartner } from '../../partners.ts';

export const createPartnerHandler =
  ({ database, realClock }: PartnerAdminDeps): HandlerOf<'backOffice.partners.create'> =>
  async (request) => {
    const { name, description = null } = request.body;
    const origin = originOf(request, realClock);
    const partner = { guid: newGuid(), name, description, createdAt: origin.at };
    await database.transaction(async (sql) => {
      await insertPartner(sql, partner);
      await recordPartner(sql, origin, null, partner);
    });
    return { json: partner };
  };
