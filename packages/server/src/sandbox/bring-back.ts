import type { MovableClock } from './clock.ts';
import type { NamedWork } from './mover.ts';

/** What bringing work back leans on. */
export interface BringBackDeps {
  readonly clock: MovableClock;
  readonly dueWork: readonly NamedWork[];
}

/**
 * Finds work that a clock which went back has left far ahead, and makes it due. A move back tells
 * all work of it; but whoever read the clock just before, here or in a process that had not looked
 * yet, may write afterwards when it wants to go on: in a month, by the clock as it is now. Nobody
 * would act on such a payment. No lock keeps writers off, because a move must not wait for calls to
 * a processor; instead this is done again and again while a sandbox lives. Deadlines that were set
 * just before stay where they are, like all that were set before the clock went back.
 */
export async function bringBack({ clock, dueWork }: BringBackDeps): Promise<void> {
  if (!(await clock.refresh())) return;
  for (const { work } of dueWork) await work.bringBack?.(clock.nowMs());
}
