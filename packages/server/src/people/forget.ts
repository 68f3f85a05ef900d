import { forgetEndedSessions, type SessionDeps } from './sessions.ts';
import { forgetAttempts } from './slow-down.ts';

export async function forgetPeoplesPast(
  deps: Pick<SessionDeps, 'database' | 'realClock'>,
): Promise<void> {
  await forgetEndedSessions(deps);
  await forgetAttempts(deps);
}
