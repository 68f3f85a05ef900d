import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { discardObject } from '../edit-drafts.ts';
import type { EditDeps } from './edit-deps.ts';
import { noSuchObject, placeIn, shown } from './object-in-path.ts';

export const discardObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.discard'> =>
  async (request) => {
    const { restaurant, params } = request;
    const origin = originOf(request, deps.realClock);
    const done = await discardObject(deps, restaurant.guid, placeIn(params), origin);
    if (!done) throw noSuchObject();
    if (done.view.published) return shown(done.view);
    // Shows an object that was never published one last time, without a draft.
    return shown({ published: { ...done.discarded.object, modifiedMs: null }, draft: null });
  };
