import { type CollectionName, type ConfigurationObject, isCollectionName } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { ObjectView } from '../edit-drafts.ts';
import { objectOnWire } from './on-wire.ts';

/** Throws ApiError `notFound` for an unknown collection. */
export function placeIn({
  collection,
  guid,
}: {
  readonly collection: string;
  readonly guid: string;
}): { readonly collection: CollectionName; readonly guid: string } {
  return { collection: collectionIn({ collection }), guid };
}

/** Throws ApiError `notFound` for an unknown collection. */
export function collectionIn({ collection }: { readonly collection: string }): CollectionName {
  if (isCollectionName(collection)) return collection;
  throw new ApiError('notFound', 'There is no such collection: check the path.');
}

/** Throws ApiError `notFound` for null. */
export function shown(view: ObjectView | null): { readonly json: ConfigurationObject } {
  if (!view) throw noSuchObject();
  return { json: objectOnWire(view) };
}

export function noSuchObject(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such object of the restaurant, published or drafted: check the path.',
  );
}
