import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { ObjectPlace } from '../document/contents.ts';
import { readNamedDrafts } from '../effective.ts';
import { type ExaminingDeps, examine, feed, inSnapshot } from '../examine.ts';
import { isObjectKind } from '../object-state.ts';
import { withoutDrafts } from '../refusals.ts';

export const previewDraftsHandler =
  (deps: ExaminingDeps): HandlerOf<'backOffice.configuration.draft.preview'> =>
  async (request) => {
    const { restaurant, query } = request;
    const named = query.objects === undefined ? null : parseObjects(query.objects);
    const preview = await examine(deps, request, [restaurant], (examination) =>
      inSnapshot(deps.database, restaurant.guid, async (sql, head) => {
        const { drafts, missing } = await readNamedDrafts(sql, restaurant.guid, named);
        if (missing.length > 0) throw withoutDrafts('unprocessable', missing);
        await feed(sql, examination, restaurant.guid);
        return await examination.ask('preview', head, drafts);
      }),
    );
    return { json: preview };
  };

function parseObjects(text: string): readonly ObjectPlace[] {
  return text.split(',').map((part) => {
    const [collection = '', name = '', ...more] = part.trim().split('/');
    const guid = parseGuid(name);
    if (guid !== null && more.length === 0 && isObjectKind(collection)) return { collection, guid };
    throw new ApiError(
      'badRequest',
      'objects must be a list of collection/GUID, for example menuItems/<GUID>,menus/<GUID>.',
    );
  });
}
