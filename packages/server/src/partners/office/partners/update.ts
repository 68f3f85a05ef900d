import { originOf } from '../../../audit/origin.ts';
import { ApiError } from '../../../http/errors.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { findPartner, findPartnerLocked, updatePartner } from '../../partner-store.ts';
import { noSuchPartner, type PartnerAdminDeps, recordPartner } from '../../partners.ts';

/** Nothing is written when nothing differs. */
export const updatePartnerHandler =
  ({ database, realClock }: PartnerAdminDeps): HandlerOf<'backOffice.partners.update'> =>
  async (request) => {
    const { params, body, reach } = request;
    const { partnerGuid: guid } = params;
    if (!(await findPartner(database.sql, guid, reach))) throw noSuchPartner();
    if (!reach.isPlatform && !reach.partnerGuids.includes(guid)) {
      throw new ApiError(
        'forbidden',
        "The partner also serves restaurants that you don't have access to: ask an operator or " +
          'the partner itself to edit it.',
      );
    }
    const origin = originOf(request, realClock);
    const json = await database.transaction(async (sql) => {
      const before = await findPartnerLocked(sql, guid);
      if (!before) throw noSuchPartner();
      const after = { ...before, ...body };
      if (after.name === before.name && after.description === before.description) return before;
      await updatePartner(sql, after);
      await recordPartner(sql, origin, before, after);
      return after;
    });
    return { json };
  };
