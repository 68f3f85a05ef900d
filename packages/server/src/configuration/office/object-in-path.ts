import { type CollectionName, type ConfigurationObject, isCollectionName } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { ObjectView } from '../edit-drafts.ts';
import { objectOnWire } from './on-wire.ts';

/** The object that a path names. Throws ApiError `notFound` for a collection that does not exist. */
export function placeIn({
  collection,
  guid,
}: {
  readonly collection: string;
  readonly guid: string;
}): { readonly collection: CollectionName; readonly guid: string } {
  return { collection: collectionIn({ collection }), guid };
}

/** The collection that a path names. Throws ApiError `notFound` when there is no such collection. */
export function collectionIn({ collection }: { readonly collection: string }): CollectionName {
  if (isCollectionName(collection)) return collection;
  throw new ApiError('notFound', 'There is no such collection: check the path.');
}

/** The answer with the object of a path. Throws ApiError `notFound` when there is none. */
export function shown(view: ObjectView | null): { readonly json: ConfigurationObject } {
  if (!view) throw noSuchObject();
  return { json: objectOnWire(view) };
}

/** The 404 for an object that the restaurant does not have. */
export function noSuchObject(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such object of the restaurant, published or drafted: check the path.',
  );
}
