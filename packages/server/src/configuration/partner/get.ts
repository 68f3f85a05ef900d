import { type PartnerCollectionName, partnerReferences } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import { type Answers, cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { Render } from '../render.ts';
import { findSnapshot } from '../store.ts';

export interface GetObjectDeps {
  readonly answers: Answers;
}

export function getHandler(
  { answers }: GetObjectDeps,
  collection: PartnerCollectionName,
  render: Render,
): HandlerOf<`configuration.${PartnerCollectionName}.get`> {
  const references = partnerReferences(collection);
  return ({ restaurant: { guid: restaurantGuid }, params: { guid } }) => {
    const parts = ['object', collection, restaurantGuid, guid];
    return cachedAnswer(answers, parts, [`configuration:${restaurantGuid}`], async (sql, sight) => {
      const address = { restaurantGuid, collection, references };
      const [object] = render(await findSnapshot(sql, address, { guid }, sight));
      if (object === undefined) throw notThere(collection);
      return { bytes: JSON.stringify(object) };
    });
  };
}

/** The same for unknown, archived and another restaurant's GUIDs (CFG-10). */
function notThere(collection: PartnerCollectionName): ApiError {
  return new ApiError(
    'notFound',
    `The guid in the path names no object of ${collection} at this restaurant: list the ` +
      'collection to find one. Archived objects are not listed.',
  );
}
