import type { HandlerOf } from '../../http/operation.ts';
import { type ClockDeps, moveClock } from './clock-moves.ts';

export const runClockHandler =
  (deps: ClockDeps): HandlerOf<'backOffice.clock.run'> =>
  (request) =>
    moveClock(deps, request, (clock, record) => clock.run(record));
