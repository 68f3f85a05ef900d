import type { HandlerOf } from '../../http/operation.ts';
import { type EditDeps, edit, findView, objectOf, save } from '../edit-drafts.ts';
import { placeIn, shown } from './object-in-path.ts';

export const unarchiveObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.unarchive'> =>
  async (request) => {
    const place = placeIn(request.params);
    const edited = await edit(deps, request, async (desk) => {
      const view = await findView(desk.sql, desk.restaurant.guid, place);
      return view && (await save(desk, view, { ...objectOf(view), archived: false }));
    });
    return shown(edited);
  };
