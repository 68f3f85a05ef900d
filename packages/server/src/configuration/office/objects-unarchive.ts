import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { archiveObject } from '../edit-drafts.ts';
import type { EditDeps } from './edit-deps.ts';
import { placeIn, shown } from './object-in-path.ts';

export const unarchiveObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.unarchive'> =>
  async (request) => {
    const { restaurant, params } = request;
    const origin = originOf(request, deps.realClock);
    return shown(await archiveObject(deps, restaurant.guid, placeIn(params), false, origin));
  };
