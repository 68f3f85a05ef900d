import { ApiError } from '../../http/errors.ts';

/** The 404 for a publication that the restaurant does not have. */
export function noSuchPublication(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant has no publication of this number: the history says which there are.',
  );
}
