import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { DocumentObject } from '../document/document.ts';
import { createObject } from '../edit-drafts.ts';
import type { EditDeps } from './edit-deps.ts';
import { collectionIn, shown } from './object-in-path.ts';

export const createObjectHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.objects.create'> =>
  async (request) => {
    const { restaurant, params, body, faults } = request;
    const origin = originOf(request, deps.realClock);
    const object = body as DocumentObject;
    return shown(
      await createObject(deps, restaurant.guid, collectionIn(params), object, origin, faults),
    );
  };
