import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import { endSession, type SessionDeps } from '../sessions.ts';

export const endSessionHandler =
  (deps: SessionDeps): HandlerOf<'backOffice.session.end'> =>
  async (request) => {
    const { personGuid, sessionGuid } = request.caller;
    const origin = originOf(request, deps.realClock);
    const { mark } = readSessionCookie(request.headers.cookie);
    const endedAt = await endSession(deps, { personGuid, sessionGuid }, origin);
    return {
      // Null when the session was ended elsewhere at the same moment.
      json: { sessionGuid, endedAt: isoTimestamp(endedAt ?? new Date(deps.realClock.nowMs())) },
      headers: { 'set-cookie': sessionCookie({ token: null, mark }, request.baseUrl) },
    };
  };
