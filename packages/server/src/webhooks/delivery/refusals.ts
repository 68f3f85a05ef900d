import { ApiError } from '../../http/errors.ts';

/** The same words for an endpoint or a secret that does not exist and for one out of reach. */
export function noSuchEndpoint(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such webhook endpoint, or no such secret of it, within your reach: check the ' +
      'path.',
  );
}

/** The same words for a delivery that does not exist and for one out of reach. */
export function noSuchDelivery(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such delivery within your reach: check the path. Deliveries are kept as long ' +
      'as their event.',
  );
}

/** For whatever nobody can do to an endpoint that was archived. */
export function isArchived(): ApiError {
  return new ApiError(
    'conflict',
    'The endpoint was archived, and an archived endpoint does not come back: create another one.',
  );
}

/** A value that is wrong, and where. */
export function wrongValue(where: string, message: string): ApiError {
  return new ApiError('unprocessable', `${where} ${message}.`, { faults: [{ where, message }] });
}
