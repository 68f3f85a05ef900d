import type { Clock } from '@servery/support/clock.ts';
import { type Change, type ChangeOrigin, insertEntry } from '../../audit/entry-store.ts';
import type { Database } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import {
  type Acknowledgement,
  type AlarmRow,
  findAlarm,
  updateAlarmAcknowledged,
} from './alarm-store.ts';

export interface AlarmDeps {
  readonly database: Pick<Database, 'sql' | 'transaction'>;
  readonly clock: Clock;
}

export interface AlarmNote {
  readonly reach: Reach;
  readonly note: string;
  readonly origin: ChangeOrigin;
}

/** Returns the alarm, or null when none is within reach. The first acknowledgement stays. */
export async function acknowledgeAlarm(
  { database, clock }: AlarmDeps,
  guid: string,
  { reach, note, origin }: AlarmNote,
): Promise<AlarmRow | null> {
  const { sql } = database;
  const alarm = await findAlarm(sql, guid, reach);
  if (!alarm || alarm.acknowledgedAt) return alarm;
  const acknowledgement = {
    acknowledgedAt: new Date(clock.nowMs()),
    acknowledgedBy: origin.by,
    note,
  };
  const isFirst = await database.transaction(async (inside) => {
    const isOurs = await updateAlarmAcknowledged(inside, alarm, acknowledgement);
    if (isOurs) await insertEntry(inside, origin, alarmChange(alarm, acknowledgement));
    return isOurs;
  });
  return isFirst ? { ...alarm, ...acknowledgement } : await findAlarm(sql, guid, reach);
}

function alarmChange(alarm: AlarmRow, acknowledgement: Acknowledgement): Change {
  const { guid, merchantGuid, acknowledgedAt, acknowledgedBy, note } = alarm;
  const { kind, paymentUuid, attempt } = alarm;
  const facts = { kind, paymentUuid, attempt };
  return {
    subject: { kind: 'alarm', id: guid },
    restaurantGuid: merchantGuid,
    before: { ...facts, acknowledgedAt, acknowledgedBy, note },
    after: { ...facts, ...acknowledgement },
  };
}
