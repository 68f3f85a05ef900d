import type { HandlerOf } from '../../http/operation.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { listSessions } from '../session-store.ts';
import { lifeAt } from '../sessions.ts';

export const listOwnSessionsHandler =
  ({ database, realClock }: PeopleDeps): HandlerOf<'backOffice.me.sessions.list'> =>
  async ({ caller }) => ({
    json: await listSessions(database.sql, caller, lifeAt(realClock.nowMs())),
  });
