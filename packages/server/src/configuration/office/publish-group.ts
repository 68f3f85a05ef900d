import { newGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import { lookingFurther } from '../../http/look-further.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { listReachedGuids } from '../publication-store.ts';
import { type PublishDeps, type PublishPart, publish } from '../publish.ts';
import { namedObjects } from './named-objects.ts';
import { publicationOnWire } from './on-wire.ts';

export const publishGroupHandler = (
  deps: PublishDeps,
): HandlerOf<'backOffice.configuration.publishGroup'> =>
  lookingFurther(async (request) => {
    const { params, body, faults } = request;
    const { managementGroupGuid } = params;
    const reached = await listReachedGuids(deps.database.sql, managementGroupGuid, request.reach);
    if (reached.length === 0) throw noSuchGroup();
    const parts = partsOf(request, new Set(reached));
    faults.refuse();
    const groupPublicationGuid = newGuid();
    const words = { note: body.note ?? null, groupPublicationGuid };
    const publications = (await publish(deps, request, parts, words)).map(publicationOnWire);
    return { json: { guid: groupPublicationGuid, managementGroupGuid, publications } };
  });

function partsOf(
  { params, body, faults }: RequestFor<'backOffice.configuration.publishGroup'>,
  reached: ReadonlySet<string>,
): PublishPart[] {
  const { managementGroupGuid } = params;
  const seen = new Set<string>();
  return body.restaurants.flatMap((part, index): PublishPart[] => {
    const path = ['restaurants', index];
    if (!faults.isSound(path)) return [];
    const { restaurantGuid: guid, expectedState = null } = part;
    if (!reached.has(guid)) {
      const message = 'names no restaurant of this group that you have access to';
      faults.add([...path, 'restaurantGuid'], message);
    } else if (seen.has(guid)) faults.add([...path, 'restaurantGuid'], 'is named twice');
    seen.add(guid);
    const objects = namedObjects(part.objects, faults, [...path, 'objects']);
    return [{ restaurant: { guid, managementGroupGuid }, objects, expectedState }];
  });
}

function noSuchGroup(): ApiError {
  return new ApiError(
    'notFound',
    "There is no such group, or you don't have access to it: check the path.",
  );
}
