import { ApiError } from '../../http/errors.ts';

export function noSuchPublication(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant has no publication of this number: the history says which there are.',
  );
}
