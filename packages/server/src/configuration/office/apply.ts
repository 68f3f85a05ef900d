import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { publishedState } from '../effective.ts';
import { openDocument, planDocument } from '../plan-document.ts';
import { findGroupHeldForGuids, findRestaurantLocked } from '../publication-store.ts';
import type { PublishDeps } from '../publish.ts';
import { recordPublication } from '../record-publication.ts';
import { stateMoved } from '../refusals.ts';
import { publicationOnWire } from './on-wire.ts';

/** Publishes once, or not at all when nothing differs. Drafts stay. */
export const applyHandler =
  (deps: PublishDeps): HandlerOf<'backOffice.configuration.apply'> =>
  async (request) => {
    const { database, clock, realClock } = deps;
    const origin = originOf(request, realClock);
    return await openDocument(
      deps,
      request,
      async (examination, { expectedState = null, note = null }) =>
        await database.transaction(async (sql) => {
          const restaurant = await findRestaurantLocked(sql, request.restaurant.guid);
          const state = publishedState(restaurant.guid, restaurant.publishNumber);
          if (expectedState !== null && expectedState !== state) throw stateMoved('configuration');
          const plan = await planDocument(sql, examination, restaurant, () =>
            findGroupHeldForGuids(sql, restaurant.managementGroupGuid),
          );
          if (plan.isUpToDate) return { json: { plan, publication: null } };
          const recording = { sql, clock, examination, restaurant, origin };
          const publication = await recordPublication(recording, { cause: 'APPLIED', note });
          return { json: { plan, publication: publicationOnWire(publication) } };
        }),
    );
  };
