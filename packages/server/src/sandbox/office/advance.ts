import type { HandlerOf } from '../../http/operation.ts';
import { type ClockDeps, moveClock } from './clock-moves.ts';

export const advanceClockHandler =
  (deps: ClockDeps): HandlerOf<'backOffice.clock.advance'> =>
  (request) => {
    const duration = Temporal.Duration.from(request.body.duration);
    if (duration.sign !== 1 || duration.microseconds !== 0 || duration.nanoseconds !== 0) {
      request.faults.add(['duration'], 'must be greater than zero and in whole milliseconds');
    }
    request.faults.refuse();
    return moveClock(deps, request, (clock, record) => clock.advance(duration, record));
  };
