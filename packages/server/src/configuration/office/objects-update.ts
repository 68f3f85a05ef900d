import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { DocumentObject } from '../document/document.ts';
import { updateObject } from '../edit-drafts.ts';
import type { EditDeps } from './edit-deps.ts';
import { placeIn, shown } from './object-in-path.ts';

export const updateObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.update'> =>
  async (request) => {
    const { restaurant, params, body, faults } = request;
    const origin = originOf(request, deps.realClock);
    const patch = body as DocumentObject;
    return shown(await updateObject(deps, restaurant.guid, placeIn(params), patch, origin, faults));
  };
