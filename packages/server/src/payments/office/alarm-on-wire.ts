import type { Alarm } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { AlarmRow } from '../alarms/alarm-store.ts';

export function alarmOnWire({ raisedAt, acknowledgedAt, ...alarm }: AlarmRow): Alarm {
  return {
    ...alarm,
    raisedAt: isoTimestamp(raisedAt),
    acknowledgedAt: acknowledgedAt && isoTimestamp(acknowledgedAt),
  };
}
