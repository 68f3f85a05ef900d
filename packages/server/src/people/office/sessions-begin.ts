import type { HandlerOf } from '../../http/operation.ts';
import { type LogInDeps, logIn } from '../log-in.ts';
import { answerSession, sessionOrigin } from './answer-session.ts';

export const beginSessionHandler =
  (deps: LogInDeps): HandlerOf<'backOffice.sessions.begin'> =>
  async (request) => {
    const session = await logIn(deps, request.body, sessionOrigin(deps, request));
    return await answerSession(deps, request, session);
  };
