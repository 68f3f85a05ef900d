import { operationById } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import type { Caller } from './caller.ts';
import type { ClockMove } from './history.ts';
import type { Lots } from './random.ts';

/** How far the clock is moved while all goes wrong: each a duration and its milliseconds. */
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const leaps: readonly (readonly [duration: string, byMs: number])[] = [
  ['PT25S', 25_000],
  ['PT1M', MINUTE_MS],
  ['PT4M30S', 4.5 * MINUTE_MS],
  ['PT6M', 6 * MINUTE_MS],
  ['PT1H', HOUR_MS],
  ['PT12H', 12 * HOUR_MS],
  ['P1D', DAY_MS],
  ['P8D', 8 * DAY_MS],
];
const SHORTEST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 6_000;
const ANSWER_LIMIT_MS = 90_000;

/** Moves the environment's clock forward; gives the move as far as it is known. */
export async function advanceClock(
  caller: Caller,
  server: string,
  [duration, byMs]: readonly [string, number],
): Promise<ClockMove | null> {
  const answer = await caller({
    server,
    method: 'POST',
    path: operationById('backOffice.clock.advance').path,
    json: { duration },
    limitMs: ANSWER_LIMIT_MS,
  });
  if (!answer) return null;
  const { startUs, endUs, status, text } = answer;
  // A refusal moves nothing, such as while another move is under way.
  if (status === 409) return null;
  if (status !== null && status >= 400 && status < 500) {
    throw new Error(`the clock cannot be moved: ${status} ${text}`);
  }
  return { startUs, endUs, byMs, isKnown: status === 200 };
}

/** Moves it by lot, again and again, until `isStopping`; gives all moves. */
export async function keepMovingClock(
  caller: Caller,
  servers: readonly string[],
  lots: Lots,
  isStopping: () => boolean,
): Promise<ClockMove[]> {
  const moves: ClockMove[] = [];
  while (!isStopping()) {
    const move = await advanceClock(caller, lots.pick(servers), lots.pick(leaps));
    if (move) moves.push(move);
    await sleep(lots.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
  }
  return moves;
}
