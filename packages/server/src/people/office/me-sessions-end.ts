import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { endOwnSession } from '../sessions.ts';

export const endOwnSessionHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.me.sessions.end'> =>
  async (request) => {
    const { sessionGuid } = request.params;
    if (!(await endOwnSession(deps, request, sessionGuid))) {
      throw new ApiError('notFound', 'You have no such session: check sessionGuid in the path.');
    }
    return { json: { sessionGuid, endedAt: new Date(deps.realClock.nowMs()) } };
  };
