import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { endSession, type SessionDeps } from '../sessions.ts';

export const endOwnSessionHandler =
  (deps: SessionDeps): HandlerOf<'backOffice.me.sessions.end'> =>
  async (request) => {
    const { personGuid } = request.caller;
    const { sessionGuid } = request.params;
    const origin = originOf(request, deps.realClock);
    const endedAt = await endSession(deps, { personGuid, sessionGuid }, origin);
    if (endedAt) return { json: { sessionGuid, endedAt: isoTimestamp(endedAt) } };
    throw new ApiError('notFound', 'You have no such session: check sessionGuid in the path.');
  };
