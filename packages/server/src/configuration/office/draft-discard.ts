import { originOf } from '../../audit/origin.ts';
import { lookingFurther } from '../../http/look-further.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { discardDrafts } from '../edit-drafts.ts';
import type { ObjectPlace } from '../object-state.ts';
import { readDraftOnWire } from './draft-get.ts';
import type { EditDeps } from './edit-deps.ts';
import { namedObjects } from './named-objects.ts';

export const discardDraftsHandler = (
  deps: EditDeps,
): HandlerOf<'backOffice.configuration.draft.discard'> =>
  lookingFurther(async (request) => {
    const { guid } = request.restaurant;
    const named = namedDrafts(request);
    request.faults.refuse();
    await discardDrafts(deps, guid, named, originOf(request, deps.realClock));
    return { json: await readDraftOnWire(deps.database, guid) };
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
