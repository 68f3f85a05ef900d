import type { HandlerOf } from '../../http/operation.ts';
import { type ReadDetailsDeps, requireRequestDetails } from '../read-details.ts';

export const getRequestHandler =
  (deps: ReadDetailsDeps): HandlerOf<'backOffice.requests.get'> =>
  async ({ params: { requestId }, reach }) => ({
    json: await requireRequestDetails(deps, requestId, reach),
  });
