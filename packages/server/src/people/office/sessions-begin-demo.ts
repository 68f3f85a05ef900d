import type { HandlerOf } from '../../http/operation.ts';
import { beginDemoSession } from '../demo-sign-in.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { answerSession, sessionOrigin } from './answer-session.ts';

export const beginDemoSessionHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.sessions.beginDemo'> =>
  async (request) => {
    const { personGuid } = request.body;
    const session = await beginDemoSession(deps, personGuid, request, sessionOrigin(deps, request));
    return await answerSession(deps, request, session);
  };
