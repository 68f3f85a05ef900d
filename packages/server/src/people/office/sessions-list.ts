import type { HandlerOf } from '../../http/operation.ts';
import { requireWholePerson } from '../administer.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { listSessions } from '../session-store.ts';
import { lifeAt } from '../sessions.ts';

export const listPersonSessionsHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.people.sessions.list'> =>
  async (request) => {
    const { caller } = request;
    const { guid: personGuid } = await requireWholePerson(deps, request);
    const sessionGuid = caller.type === 'PERSON' ? caller.sessionGuid : null;
    const life = lifeAt(deps.realClock.nowMs());
    return { json: await listSessions(deps.database.sql, { personGuid, sessionGuid }, life) };
  };
