import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { menusText } from '../../menus/read-menus.ts';
import { readNamedDrafts } from '../effective.ts';
import { type ExaminingDeps, examine, feed, inSnapshot } from '../examine.ts';

export interface PreviewMenusDeps extends ExaminingDeps {
  readonly config: { readonly brand: string };
}

export const previewMenusHandler =
  (deps: PreviewMenusDeps): HandlerOf<'backOffice.configuration.draft.menus'> =>
  async (request) => {
    const { restaurant, nowMs } = request;
    const content = await examine(deps, request, [restaurant], (examination) =>
      inSnapshot(deps.database, restaurant.guid, async (sql, head) => {
        const { drafts } = await readNamedDrafts(sql, restaurant.guid, null);
        await feed(sql, examination, restaurant.guid);
        return await examination.ask('draftedMenus', head, drafts);
      }),
    );
    if (content === null) {
      throw new ApiError('notFound', 'The restaurant has no menu, not even a draft of one.');
    }
    return { bytes: menusText({ content, lastUpdated: new Date(nowMs) }, deps.config.brand) };
  };
