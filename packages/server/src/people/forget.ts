import { forgetEndedSessions, type SessionDeps } from './sessions.ts';
import { forgetAttempts } from './slow-down.ts';

/** Forgets what is over: sessions that ended by themselves, attempts that count no more. */
export async function forgetPeoplesPast(
  deps: Pick<SessionDeps, 'database' | 'realClock'>,
): Promise<void> {
  await forgetEndedSessions(deps);
  await forgetAttempts(deps);
}
