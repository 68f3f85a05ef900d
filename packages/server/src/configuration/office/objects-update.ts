import { mergePatch } from '../../http/merge-patch.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { withoutReplaced } from '../document/channels.ts';
import type { DocumentObject } from '../document/document.ts';
import { type EditDeps, edit, findView, objectOf, save, stateOf } from '../edit-drafts.ts';
import { documentOf } from '../object-state.ts';
import { readDraft } from '../read-draft.ts';
import { objectMoved } from '../refusals.ts';
import { placeIn, shown } from './object-in-path.ts';

export const updateObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.update'> =>
  async (request) => {
    const { restaurant, params, query, body, faults } = request;
    const place = placeIn(params);
    const edited = await edit(deps, request, async (desk) => {
      const view = await findView(desk.sql, restaurant.guid, place);
      if (!view) return null;
      if (query.expectedState !== undefined && query.expectedState !== stateOf(view)) {
        throw objectMoved();
      }
      const { archived = false, ...document } = documentOf(objectOf(view));
      const patched = mergePatch(withoutReplaced(document, body), body) as DocumentObject;
      const { guid } = patched;
      if (typeof guid !== 'string' || guid.toLowerCase() !== place.guid) {
        faults.add(['guid'], 'never changes; leave it out');
      }
      const object = { ...place, restaurantGuid: restaurant.guid, archived };
      return await save(desk, view, await readDraft(desk.sql, object, patched, faults));
    });
    return shown(edited);
  };
