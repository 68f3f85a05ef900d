import type { PersonSession } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { listSessions, type SessionRow } from '../session-store.ts';
import { lifeAt, type SessionDeps } from '../sessions.ts';

export const listOwnSessionsHandler =
  ({ database, realClock }: SessionDeps): HandlerOf<'backOffice.me.sessions.list'> =>
  async ({ caller: { personGuid, sessionGuid } }) => {
    const sessions = await listSessions(database.sql, personGuid, lifeAt(realClock.nowMs()));
    return { json: sessions.map((session) => sessionOnWire(session, sessionGuid)) };
  };

function sessionOnWire(session: SessionRow, currentGuid: string): PersonSession {
  const { guid: sessionGuid, createdAt, seenAt, expiresAt, address, userAgent } = session;
  return {
    sessionGuid,
    createdAt: isoTimestamp(createdAt),
    seenAt: isoTimestamp(seenAt),
    expiresAt: isoTimestamp(expiresAt),
    address,
    userAgent,
    isCurrent: sessionGuid === currentGuid,
  };
}
