import type { HandlerOf } from '../../http/operation.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import { endOwnSession } from '../sessions.ts';

/** Answers the same when the session was ended elsewhere at the same moment. */
export const endSessionHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.session.end'> =>
  async (request) => {
    const { sessionGuid } = request.caller;
    const { mark } = readSessionCookie(request.headers.cookie);
    await endOwnSession(deps, request, sessionGuid);
    return {
      json: { sessionGuid, endedAt: new Date(deps.realClock.nowMs()) },
      headers: { 'set-cookie': sessionCookie({ token: null, mark }, request.baseUrl) },
    };
  };
