import type { Clock } from '@servery/support/clock.ts';
import type { EnvironmentClock } from '../sandbox/clock.ts';
import { findNextDeadline, type NamedWork } from '../sandbox/mover.ts';
import { everywhere } from '../support/due-work.ts';

export interface NextWorkDeps {
  readonly clock: EnvironmentClock;
  readonly realClock: Clock;
}

/** When the next deadline is due in real time. Null if nothing is, and while the clock is frozen. */
export async function nextWorkMs(
  { clock, realClock }: NextWorkDeps,
  dueWork: readonly NamedWork[],
): Promise<number | null> {
  const isFree = await clock.refresh();
  if (clock.mode === 'FROZEN' && isFree) return null;
  const next = await findNextDeadline(dueWork, everywhere);
  return next && next.dueMs - (clock.nowMs() - realClock.nowMs());
}
