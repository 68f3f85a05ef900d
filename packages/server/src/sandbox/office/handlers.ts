import type { HandlersOf } from '../../http/operation.ts';
import { advanceClockHandler } from './advance.ts';
import type { ClockDeps } from './clock-moves.ts';
import { freezeClockHandler } from './freeze.ts';
import { getClockHandler } from './get.ts';
import { nextDeadlineHandler } from './next.ts';
import { runClockHandler } from './run.ts';
import { setClockHandler } from './set.ts';

export type { ClockDeps } from './clock-moves.ts';

export const clockHandlers = (deps: ClockDeps): HandlersOf<'backOffice.clock.'> => ({
  'backOffice.clock.get': getClockHandler(deps),
  'backOffice.clock.freeze': freezeClockHandler(deps),
  'backOffice.clock.run': runClockHandler(deps),
  'backOffice.clock.set': setClockHandler(deps),
  'backOffice.clock.advance': advanceClockHandler(deps),
  'backOffice.clock.next': nextDeadlineHandler(deps),
});
