import type { HandlerOf } from '../../http/operation.ts';
import { type ExaminingDeps, inSnapshot } from '../examine.ts';
import { openDocument, planDocument } from '../plan-document.ts';

export const planHandler =
  (deps: ExaminingDeps): HandlerOf<'backOffice.configuration.plan'> =>
  async (request) => ({
    json: await openDocument(deps, request, (examination) =>
      inSnapshot(deps.database, request.restaurant.guid, async (sql, restaurant) => {
        const plan = await planDocument(sql, examination, restaurant);
        await examination.ask('checkMenus', restaurant);
        return plan;
      }),
    ),
  });
