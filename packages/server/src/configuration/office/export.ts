import type { HandlerOf } from '../../http/operation.ts';
import { type ExaminingDeps, examine, feed, inSnapshot } from '../examine.ts';

export const exportHandler =
  (deps: ExaminingDeps): HandlerOf<'backOffice.configuration.export'> =>
  async (request) => {
    const { restaurant, query } = request;
    const options = { byName: query.references === 'name', withArchived: query.archived ?? false };
    const bytes = await examine(deps, request, [restaurant], (examination) =>
      inSnapshot(deps.database, restaurant.guid, async (sql, head) => {
        await feed(sql, examination, restaurant.guid);
        return await examination.ask('export', head, options);
      }),
    );
    return { bytes };
  };
