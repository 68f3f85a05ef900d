import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import { lookingFurther } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type PublishDeps, publish } from '../publish.ts';
import { examiningFor } from './let-in-again.ts';
import { namedObjects } from './named-objects.ts';
import { publicationOnWire } from './on-wire.ts';

export const publishHandler = (
  deps: PublishDeps & { readonly realClock: Clock },
): HandlerOf<'backOffice.configuration.publications.publish'> =>
  lookingFurther(async (request) => {
    const { restaurant, body, faults } = request;
    const { expectedState = null, note = null } = body;
    const objects = namedObjects(body.objects, faults, ['objects']);
    faults.refuse();
    const part = { restaurantGuid: restaurant.guid, objects, expectedState };
    const origin = originOf(request, deps.realClock);
    const row = await publish(examiningFor(deps, request), part, note, origin);
    return { json: publicationOnWire(row) };
  });
