import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { menusText } from '../../menus/read-menus.ts';
import { findLastUpdated } from '../../menus/store.ts';
import { type DraftRow, listDrafts } from '../draft-store.ts';
import { type ExaminingDeps, examine, feed, inSnapshot } from '../examine.ts';

export interface PreviewMenusDeps extends ExaminingDeps {
  readonly config: { readonly brand: string };
}

export const previewMenusHandler =
  (deps: PreviewMenusDeps): HandlerOf<'backOffice.configuration.draft.menus'> =>
  async (request) => {
    const { restaurant } = request;
    const menus = await examine(deps, request, [restaurant], (examination) =>
      inSnapshot(deps.database, restaurant.guid, async (sql, head) => {
        const drafts = await listDrafts(sql, restaurant.guid);
        const published = await findLastUpdated(sql, restaurant.guid);
        await feed(sql, examination, restaurant.guid);
        const content = await examination.ask('draftedMenus', head, drafts);
        return content === null ? null : { content, lastUpdated: lastChange(drafts, published) };
      }),
    );
    if (menus === null) {
      throw new ApiError('notFound', 'The restaurant has no menu, not even a draft of one.');
    }
    return { bytes: menusText(menus, deps.config.brand) };
  };

/** The same drafts have the same bytes, so that nobody reads them twice. */
function lastChange(drafts: readonly DraftRow[], published: Date | null): Date {
  const changes = [...drafts.map(({ modifiedAt }) => modifiedAt), published ?? new Date(0)];
  return new Date(Math.max(...changes.map(Number)));
}
