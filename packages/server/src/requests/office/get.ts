import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findRequest } from '../log-store.ts';
import { logDetailsOnWire } from '../on-wire.ts';
import type { ListRequestsDeps } from './list.ts';

export const getRequestHandler =
  ({ database: { sql } }: ListRequestsDeps): HandlerOf<'backOffice.requests.get'> =>
  async ({ params: { requestId }, reach }) => {
    const row = await findRequest(sql, requestId, reach);
    if (row) return { json: logDetailsOnWire(row, reach) };
    throw new ApiError(
      'notFound',
      'The log has no such request within your reach: check the identifier. Old requests are removed.',
    );
  };
