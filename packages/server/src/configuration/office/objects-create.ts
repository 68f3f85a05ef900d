import { newGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { DocumentObject } from '../document/document.ts';
import { type EditDeps, edit, findView, save } from '../edit-drafts.ts';
import { findGroupHeldForGuids, listGuidsElsewhere } from '../publication-store.ts';
import { readDraft } from '../read-draft.ts';
import { TAKEN_ELSEWHERE } from '../refusals.ts';
import { collectionIn, shown } from './object-in-path.ts';

export const createObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.create'> =>
  async (request) => {
    const { restaurant, params, faults } = request;
    const document: DocumentObject = request.body;
    const guid = typeof document.guid === 'string' ? document.guid.toLowerCase() : newGuid();
    const place = { collection: collectionIn(params), guid };
    const view = await edit(deps, request, async (desk) => {
      const { sql } = desk;
      const edited = { ...place, restaurantGuid: restaurant.guid, archived: false };
      const object = await readDraft(sql, edited, document, faults);
      if (await findView(sql, restaurant.guid, place)) throw existsAlready(place);
      if (document.guid !== undefined) {
        await findGroupHeldForGuids(sql, desk.restaurant.managementGroupGuid);
      }
      const [elsewhere] = await listGuidsElsewhere(sql, desk.restaurant, [place.guid]);
      if (elsewhere) faults.add(['guid'], TAKEN_ELSEWHERE);
      faults.refuse();
      return await save(desk, { published: null, draft: null }, object);
    });
    return shown(view);
  };

function existsAlready({ collection, guid }: { collection: string; guid: string }): ApiError {
  const message = `${collection} has an object ${guid} already: edit it, or leave guid out.`;
  return new ApiError('conflict', message);
}
