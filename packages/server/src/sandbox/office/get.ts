import type { HandlerOf } from '../../http/operation.ts';
import { type ClockDeps, clockStatus } from './clock-moves.ts';

export const getClockHandler =
  (deps: ClockDeps): HandlerOf<'backOffice.clock.get'> =>
  async ({ reach }) => ({ json: await clockStatus(deps, reach) });
