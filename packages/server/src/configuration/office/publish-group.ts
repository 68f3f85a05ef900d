import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import { lookingFurther } from '../../http/look-further.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { reachesRestaurant } from '../../reach/reach.ts';
import { listReachedGuids } from '../publication-store.ts';
import { type PublishDeps, type PublishPart, publishTogether } from '../publish.ts';
import { lettingInAgain } from './let-in-again.ts';
import { namedObjects } from './named-objects.ts';
import { publicationOnWire } from './on-wire.ts';

export const publishGroupHandler = (
  deps: PublishDeps & { readonly realClock: Clock },
): HandlerOf<'backOffice.configuration.publishGroup'> =>
  lookingFurther(async (request) => {
    const { params, body, faults } = request;
    const { managementGroupGuid } = params;
    const reached = await listReachedGuids(deps.database.sql, managementGroupGuid, request.reach);
    if (reached.length === 0) throw noSuchGroup();
    const parts = partsOf(request, new Set(reached));
    faults.refuse();
    const examiner = lettingInAgain(deps.examiner, request, (reach) =>
      parts.every(({ restaurantGuid: guid }) =>
        reachesRestaurant(reach, { guid, managementGroupGuid }),
      ),
    );
    const { guid, publications } = await publishTogether(
      { ...deps, examiner },
      parts,
      body.note ?? null,
      originOf(request, deps.realClock),
    );
    return {
      json: { guid, managementGroupGuid, publications: publications.map(publicationOnWire) },
    };
  });

function partsOf(
  { body, faults }: RequestFor<'backOffice.configuration.publishGroup'>,
  reached: ReadonlySet<string>,
): PublishPart[] {
  const seen = new Set<string>();
  return body.restaurants.flatMap((part, index): PublishPart[] => {
    const path = ['restaurants', index];
    if (!faults.isSound(path)) return [];
    const { restaurantGuid, expectedState = null } = part;
    if (!reached.has(restaurantGuid)) {
      const message = 'names no restaurant of this group within your reach';
      faults.add([...path, 'restaurantGuid'], message);
    } else if (seen.has(restaurantGuid)) {
      faults.add([...path, 'restaurantGuid'], 'is named twice');
    }
    seen.add(restaurantGuid);
    const objects = namedObjects(part.objects, faults, [...path, 'objects']);
    return [{ restaurantGuid, objects, expectedState }];
  });
}

function noSuchGroup(): ApiError {
  return new ApiError('notFound', 'There is no such group within your reach: check the path.');
}
