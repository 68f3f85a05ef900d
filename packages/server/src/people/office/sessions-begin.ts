import type { HandlerOf } from '../../http/operation.ts';
import { logIn } from '../log-in.ts';
import type { SlowDownDeps } from '../slow-down.ts';
import { answerSession, sessionOrigin } from './answer-session.ts';

export const beginSessionHandler =
  (deps: SlowDownDeps): HandlerOf<'backOffice.sessions.begin'> =>
  async (request) => {
    const session = await logIn(deps, request.body, sessionOrigin(deps, request));
    return await answerSession(deps, request, session);
  };
