import type { HandlerOf } from '../../http/operation.ts';
import { type ClockDeps, moveClock } from './clock-moves.ts';

export const setClockHandler =
  (deps: ClockDeps): HandlerOf<'backOffice.clock.set'> =>
  (request) =>
    moveClock(deps, request, (clock, record) => clock.set(Date.parse(request.body.now), record));
