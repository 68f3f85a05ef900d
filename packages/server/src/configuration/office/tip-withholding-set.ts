import type { HandlerOf } from '../../http/operation.ts';
import { allFields } from '../document/stored-object.ts';
import { type EditDeps, edit, findTipWithholding, objectOf, save } from '../edit-drafts.ts';
import { shown } from './object-in-path.ts';

export const setTipWithholdingHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.tipWithholding.set'> =>
  async (request) => {
    const { enabled, percentage } = request.body;
    const edited = await edit(deps, request, async (desk) => {
      const view = await findTipWithholding(desk.sql, desk.restaurant.guid);
      const fields = allFields('tipWithholding', { enabled, percentage });
      const object = { ...objectOf(view), fields, archived: false };
      const isStored = view.draft !== null || view.published?.modifiedAt !== null;
      return await save(desk, isStored ? view : { published: null, draft: null }, object);
    });
    return shown(edited);
  };
