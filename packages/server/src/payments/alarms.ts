import type { Database } from '../db/database.ts';
import type { Clock } from '../support/clock.ts';
import { type AlarmRow, findAlarm, updateAlarmAcknowledged } from './alarm-store.ts';

/** What taking note of alarms leans on. */
export interface AlarmDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
}

/** Who takes note of an alarm, how far that account reaches, and what was found. */
export interface AlarmNote {
  readonly clientId: string;
  /** The group whose restaurants are in reach; null for the whole platform. */
  readonly managementGroupGuid: string | null;
  /** 1 to 1,000 characters. */
  readonly note: string;
}

/**
 * Takes note of an alarm, and gives it as it is then, or null when there is none within reach. Of
 * several who do so the first one counts: its instant, account and note stay.
 */
export async function acknowledgeAlarm(
  { database: { sql }, clock }: AlarmDeps,
  guid: string,
  { clientId, managementGroupGuid, note }: AlarmNote,
): Promise<AlarmRow | null> {
  const alarm = await findAlarm(sql, guid, managementGroupGuid);
  if (!alarm || alarm.acknowledgedAt) return alarm;
  const acknowledgement = {
    acknowledgedAt: new Date(clock.nowMs()),
    acknowledgedBy: clientId,
    note,
  };
  const isFirst = await updateAlarmAcknowledged(sql, alarm, acknowledgement);
  return isFirst
    ? { ...alarm, ...acknowledgement }
    : await findAlarm(sql, guid, managementGroupGuid);
}
