import { sleep } from '@servery/support/timer.ts';
import type { Database } from '../../../packages/server/src/database/database.ts';
import type { Caller } from './caller.ts';
import { advanceClock } from './clock-mover.ts';
import type { ClockMove } from './history.ts';
import { findOpenWork } from './payment-store.ts';

/** What is said while waiting, and how the wait ended. */
export interface Quiet {
  readonly isQuiet: boolean;
  readonly moves: readonly ClockMove[];
}

const LIMIT_MS = 240_000;
const PAUSE_MS = 300;
const LEAP = ['P1D', 86_400_000] as const;

/**
 * Moves the clock on, a day at a time, until nothing is left that the platform does by itself. What
 * a dead server had begun is taken over when its lease ends, which takes half a minute.
 */
export async function waitForQuiet(
  database: Database,
  caller: Caller,
  servers: readonly string[],
  tell: (line: string) => void,
): Promise<Quiet> {
  const moves: ClockMove[] = [];
  const limitAt = performance.now() + LIMIT_MS;
  for (let round = 0; performance.now() < limitAt; round += 1) {
    const { payments, attempts } = await findOpenWork(database.sql);
    if (payments + attempts === 0) return { isQuiet: true, moves };
    if (round % 10 === 0) tell(`${payments} payments and ${attempts} attempts are not settled yet`);
    const server = servers[round % servers.length] ?? '';
    const move = await advanceClock(caller, server, LEAP);
    if (move) moves.push(move);
    await sleep(PAUSE_MS);
  }
  return { isQuiet: false, moves };
}
