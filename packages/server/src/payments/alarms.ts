import type { Database } from '../db/database.ts';
import type { Reach } from '../http/reach.ts';
import type { Clock } from '../support/clock.ts';
import { type AlarmRow, findAlarm, updateAlarmAcknowledged } from './alarm-store.ts';

/** What taking note of alarms leans on. */
export interface AlarmDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
}

/** Who takes note of an alarm, how far he reaches, and what was found. */
export interface AlarmNote {
  readonly by: string;
  readonly reach: Reach;
  /** 1 to 1,000 characters. */
  readonly note: string;
}

/**
 * Takes note of an alarm, and gives it as it is then, or null when there is none within reach. Of
 * several who do so the first one counts: its instant, name and note stay.
 */
export async function acknowledgeAlarm(
  { database: { sql }, clock }: AlarmDeps,
  guid: string,
  { by, reach, note }: AlarmNote,
): Promise<AlarmRow | null> {
  const alarm = await findAlarm(sql, guid, reach);
  if (!alarm || alarm.acknowledgedAt) return alarm;
  const acknowledgement = {
    acknowledgedAt: new Date(clock.nowMs()),
    acknowledgedBy: by,
    note,
  };
  const isFirst = await updateAlarmAcknowledged(sql, alarm, acknowledgement);
  return isFirst ? { ...alarm, ...acknowledgement } : await findAlarm(sql, guid, reach);
}
