import { insertEntry } from '../../audit/entry-store.ts';
import { lookingFurther } from '../../http/look-further.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import type { ObjectPlace } from '../document/contents.ts';
import { deleteDrafts } from '../draft-store.ts';
import { described, type EditDeps, edit, noDraft } from '../edit-drafts.ts';
import { readNamedDrafts } from '../effective.ts';
import { readDraftOnWire } from './draft-get.ts';
import { namedObjects } from './named-objects.ts';

export const discardDraftsHandler = (
  deps: EditDeps,
): HandlerOf<'backOffice.configuration.draft.discard'> =>
  lookingFurther(async (request) => {
    const named = namedDrafts(request);
    request.faults.refuse();
    const restaurantGuid = request.restaurant.guid;
    await edit(deps, request, async ({ sql, origin, restaurant: { managementGroupGuid } }) => {
      const { drafts, missing } = await readNamedDrafts(sql, restaurantGuid, named);
      if (missing.length > 0) throw noDraft();
      if (drafts.length === 0) return;
      await deleteDrafts(sql, restaurantGuid, drafts);
      await insertEntry(sql, origin, {
        restaurantGuid,
        managementGroupGuid,
        subject: { kind: 'configurationDraft', id: restaurantGuid },
        before: { objects: drafts.map(described) },
        after: null,
      });
    });
    return { json: await readDraftOnWire(deps.database, restaurantGuid) };
  });

/**
 * Null discards all drafts. The body must ask for it, so that a forgotten list doesn't lose them.
 */
function namedDrafts({
  body,
  faults,
}: RequestFor<'backOffice.configuration.draft.discard'>): readonly ObjectPlace[] | null {
  const { all } = body;
  const objects = namedObjects(body.objects, faults, ['objects']);
  if (all && objects) faults.add(['objects'], 'must be left out when all is true');
  if (!all && !objects) {
    if (all === undefined) faults.addMissing(['all']);
    else faults.add(['all'], 'must be true, or objects must name the drafts to discard');
  }
  return objects;
}
