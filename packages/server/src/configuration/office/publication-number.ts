import { ApiError } from '../../http/errors.ts';
import type { BackOfficeRequest } from '../../http/operation.ts';

/** The number in the path. Throws the 404 of a publication that is not there for what is none. */
export function publicationNumber({ params }: Pick<BackOfficeRequest, 'params'>): number {
  const { number = '' } = params;
  if (!/^[1-9]\d{0,8}$/.test(number)) throw noSuchPublication();
  return Number(number);
}

/** The 404 for a publication that the restaurant does not have. */
export function noSuchPublication(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant has no publication of this number: the history says which there are.',
  );
}
