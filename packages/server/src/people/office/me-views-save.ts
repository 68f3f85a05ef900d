import { savedViewsAtMost } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { findHeldPerson } from '../person-store.ts';
import { countViews, upsertView } from '../view-store.ts';

/** Nothing is written into the audit log: a view changes nothing that anybody else sees. */
export const saveViewHandler =
  ({ database, realClock }: PeopleDeps): HandlerOf<'backOffice.me.views.save'> =>
  async ({ caller: { personGuid }, body }) => {
    const savedAt = new Date(realClock.nowMs());
    const saved = await database.transaction(async (sql) => {
      // Two at once must not both be the last one that fits.
      await findHeldPerson(sql, personGuid, savedAt);
      const row = await upsertView(sql, personGuid, { viewGuid: newGuid(), ...body, savedAt });
      if ((await countViews(sql, personGuid)) <= savedViewsAtMost) return row;
      throw new ApiError(
        'conflict',
        `You have ${savedViewsAtMost} views, the maximum: delete one that you don't need.`,
      );
    });
    return { json: saved };
  };
