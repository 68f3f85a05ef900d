import type { FixedClock } from '@servery/support/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { type MovableClock, openEnvironmentClock } from '../../src/sandbox/clock.ts';
import { clockMover } from '../../src/sandbox/move-clock.ts';
import type { ClockMover, NamedWork } from '../../src/sandbox/mover.ts';
import { Agenda } from './agenda.ts';

/** One process's part in the clock of an environment. */
export interface ClockTower {
  readonly clock: MovableClock;
  readonly realClock: FixedClock;
  readonly agenda: Agenda;
  readonly dueWork: readonly NamedWork[];
  readonly mover: ClockMover;
}

/**
 * Opens the clock of a sandbox as a process does when it starts. The agenda is a new one when none
 * is taken over from a process before.
 */
export async function openTower(
  database: Database,
  realClock: FixedClock,
  before?: Agenda,
): Promise<ClockTower> {
  const { movable: clock } = await openEnvironmentClock({ database, realClock }, 'sandbox');
  if (!clock) throw new Error('the clock of a sandbox can be moved');
  const agenda = before ?? new Agenda(clock);
  agenda.clock = clock;
  const dueWork: readonly NamedWork[] = [{ kind: 'entry', isDeadline: true, work: agenda }];
  const onError = (error: unknown) => {
    throw error;
  };
  const mover = clockMover({ database, realClock, clock, dueWork, onError });
  return { clock, realClock, agenda, dueWork, mover };
}
