import { ApiError } from '../../http/errors.ts';

/** The same text for an endpoint or secret out of reach, which must look absent. */
export function noSuchEndpoint(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such webhook endpoint, or no such secret of it, within your reach: check the ' +
      'path.',
  );
}

/** The same text for a delivery out of reach, which must look absent. */
export function noSuchDelivery(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such delivery within your reach: check the path. Deliveries are kept as long ' +
      'as their event.',
  );
}

export function isArchived(): ApiError {
  return new ApiError(
    'conflict',
    'The endpoint was archived, and an archived endpoint does not come back: create another one.',
  );
}

export function wrongValue(where: string, message: string): ApiError {
  return new ApiError('unprocessable', `${where} ${message}.`, { faults: [{ where, message }] });
}
