import type { HandlerOf } from '../../http/operation.ts';
import { deleteDrafts } from '../draft-store.ts';
import { type EditDeps, edit, findView, noDraft, record } from '../edit-drafts.ts';
import { placeIn, shown } from './object-in-path.ts';

export const discardObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.discard'> =>
  async (request) => {
    const place = placeIn(request.params);
    const left = await edit(deps, request, async (desk) => {
      const view = await findView(desk.sql, desk.restaurant.guid, place);
      if (!view) return null;
      const { published, draft } = view;
      if (!draft) throw noDraft();
      await deleteDrafts(desk.sql, desk.restaurant.guid, [place]);
      await record(desk, place, draft, published);
      // Shows an object that was never published one last time, without a draft.
      return { published: published ?? { ...draft, modifiedAt: null }, draft: null };
    });
    return shown(left);
  };
