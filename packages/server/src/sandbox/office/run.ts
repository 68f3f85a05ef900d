import type { HandlerOf } from '../../http/operation.ts';
import { type ClockDeps, moveClock } from './clock-moves.ts';

/** Lets the clock run from where it stands. */
export const runClockHandler =
  (deps: ClockDeps): HandlerOf<'backOffice.clock.run'> =>
  (request) =>
    moveClock(deps, request, (clock, record) => clock.run(record));
