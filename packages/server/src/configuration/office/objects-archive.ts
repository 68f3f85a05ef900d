import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type EditDeps, edit, findView, objectOf, save } from '../edit-drafts.ts';
import { placeIn, shown } from './object-in-path.ts';

export const archiveObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.archive'> =>
  async (request) => {
    const place = placeIn(request.params);
    const edited = await edit(deps, request, async (desk) => {
      const view = await findView(desk.sql, desk.restaurant.guid, place);
      if (view && !view.published) throw neverPublished();
      return view && (await save(desk, view, { ...objectOf(view), archived: true }));
    });
    return shown(edited);
  };

function neverPublished(): ApiError {
  return new ApiError(
    'conflict',
    'The object was never published, so no partner sees it: discard its draft instead.',
  );
}
