import { ApiError } from '../../../http/errors.ts';

/** The same text for a group out of reach, which must look absent. */
export function noSuchGroup(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such management group within your reach: check managementGroupGuid.',
  );
}
