import type { HandlerOf } from '../../http/operation.ts';
import { type ClockDeps, moveClock } from './clock-moves.ts';

export const nextDeadlineHandler =
  (deps: ClockDeps): HandlerOf<'backOffice.clock.next'> =>
  (request) =>
    moveClock(deps, request, (clock, record) => clock.next(request.reach, record));
