import type { Clock } from '@servery/support/clock.ts';
import type { EnvironmentClock } from '../sandbox/clock.ts';
import type { ClockSeen } from './registry-store.ts';

export function clockSeen(clock: EnvironmentClock, realClock: Clock): ClockSeen {
  const [clockMode, nowMs] = [clock.mode, clock.nowMs()];
  return { clockMode, clockMs: clockMode === 'FROZEN' ? nowMs : nowMs - realClock.nowMs() };
}
