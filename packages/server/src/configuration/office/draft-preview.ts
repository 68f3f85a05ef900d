import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { isObjectKind, type ObjectPlace } from '../object-state.ts';
import { previewDrafts } from '../preview.ts';
import { type ExaminingDeps, examiningFor } from './let-in-again.ts';

export const previewDraftsHandler =
  (deps: ExaminingDeps): HandlerOf<'backOffice.configuration.draft.preview'> =>
  async (request) => {
    const { restaurant, query } = request;
    const named = query.objects === undefined ? null : parseObjects(query.objects);
    return { json: await previewDrafts(examiningFor(deps, request), restaurant.guid, named) };
  };

function parseObjects(text: string): readonly ObjectPlace[] {
  return text.split(',').map((part) => {
    const [collection = '', name = '', ...more] = part.trim().split('/');
    const guid = parseGuid(name);
    if (guid !== null && more.length === 0 && isObjectKind(collection)) return { collection, guid };
    throw new ApiError(
      'badRequest',
      'objects must be a list such as menuItems/<GUID>,menus/<GUID>: a collection and a GUID each.',
    );
  });
}
