import type { HandlerOf } from '../../http/operation.ts';
import { sessionEnded } from '../authenticate-session.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { readSessionCookie } from '../session-cookie.ts';
import { findSessionEnd } from '../session-store.ts';
import { csrfTokenOf } from '../sessions.ts';
import { sessionOnWire } from './answer-session.ts';

export const getSessionHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.session.get'> =>
  async ({ caller, headers }) => {
    const token = readSessionCookie(headers.cookie).token ?? '';
    const { sessionGuid: guid, personGuid } = caller;
    const expiresAt = await findSessionEnd(deps.database.sql, personGuid, guid);
    if (!expiresAt) throw sessionEnded();
    const session = { guid, expiresAt, csrfToken: csrfTokenOf(token), personGuid };
    return { json: await sessionOnWire(deps, session) };
  };
