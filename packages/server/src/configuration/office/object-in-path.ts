import { type CollectionName, type ConfigurationObject, isCollectionName } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { ObjectView } from '../edit-drafts.ts';
import { objectOnWire } from './on-wire.ts';

/** Throws ApiError `notFound` for an unknown collection. */
export function collectionIn({ collection }: { readonly collection: string }): CollectionName {
  if (isCollectionName(collection)) return collection;
  throw new ApiError('notFound', 'There is no such collection: check the path.');
}

/** Throws what `collectionIn` throws. */
export function placeIn(params: { readonly collection: string; readonly guid: string }) {
  return { collection: collectionIn(params), guid: params.guid };
}

/** Throws ApiError `notFound` for null. */
export function shown(view: ObjectView | null): { readonly json: ConfigurationObject } {
  if (view) return { json: objectOnWire(view) };
  throw new ApiError(
    'notFound',
    'There is no such object of the restaurant, published or drafted: check the path.',
  );
}
