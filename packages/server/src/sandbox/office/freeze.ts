import type { HandlerOf } from '../../http/operation.ts';
import { type ClockDeps, moveClock } from './clock-moves.ts';

export const freezeClockHandler =
  (deps: ClockDeps): HandlerOf<'backOffice.clock.freeze'> =>
  (request) =>
    moveClock(deps, request, (clock, record) => clock.freeze(record));
