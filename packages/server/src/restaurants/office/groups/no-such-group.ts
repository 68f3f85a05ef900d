import { ApiError } from '../../../http/errors.ts';

/** The same words for a group that does not exist and for one out of reach. */
export function noSuchGroup(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such management group within your reach: check managementGroupGuid.',
  );
}
