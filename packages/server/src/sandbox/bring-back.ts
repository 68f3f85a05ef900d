import type { MovableClock } from './clock.ts';
import type { NamedWork } from './mover.ts';

export interface BringBackDeps {
  readonly clock: MovableClock;
  readonly dueWork: readonly NamedWork[];
}

/** By then, all work that began before the move has ended. */
const AFTER_MOVE_MS = 600_000;

/**
 * Makes work due that a clock which went back left far ahead. A process that read the clock just
 * before the move may still write such an instant afterwards, and nobody would act on it. A move
 * can't wait for processor calls, so no lock prevents this; it runs repeatedly instead. Deadlines
 * stay where they are.
 */
export async function bringBack({ clock, dueWork }: BringBackDeps): Promise<void> {
  if (!(await clock.refresh()) || !clock.wasMovedWithin(AFTER_MOVE_MS)) return;
  for (const { work } of dueWork) await work.bringBack?.(clock.nowMs());
}
