import { deleteEndedAttempts } from './attempt-store.ts';
import type { PeopleDeps } from './people-deps.ts';
import { deleteEndedSessions } from './session-store.ts';
import { lifeAt } from './sessions.ts';

export async function forgetPeoplesPast({
  database: { sql },
  realClock,
}: Pick<PeopleDeps, 'database' | 'realClock'>): Promise<void> {
  const life = lifeAt(realClock.nowMs());
  await deleteEndedSessions(sql, life);
  await deleteEndedAttempts(sql, life.now);
}
