import { ApiError } from '../../../http/errors.ts';

/** The same text for an unknown partner and one that was never connected. */
export function neverConnected(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant was never connected to such a partner: check the path, or connect them.',
  );
}
