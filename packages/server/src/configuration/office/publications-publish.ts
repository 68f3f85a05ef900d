import { lookingFurther } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { PublicationRow } from '../publication-store.ts';
import { type PublishDeps, publish } from '../publish.ts';
import { namedObjects } from './named-objects.ts';
import { publicationOnWire } from './on-wire.ts';

export const publishHandler = (
  deps: PublishDeps,
): HandlerOf<'backOffice.configuration.publications.publish'> =>
  lookingFurther(async (request) => {
    const { restaurant, body, faults } = request;
    const { expectedState = null, note = null } = body;
    const objects = namedObjects(body.objects, faults, ['objects']);
    faults.refuse();
    const part = { restaurant, objects, expectedState };
    const [row] = (await publish(deps, request, [part], { note })) as [PublicationRow];
    return { json: publicationOnWire(row) };
  });
