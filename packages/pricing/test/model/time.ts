import type { TimeRange } from '../../src/index.ts';

const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

export interface LocalTime {
  readonly day: string;
  readonly dayBefore: string;
  /** `HH:mm`. */
  readonly time: string;
  /** `yyyy-MM-dd`. */
  readonly date: string;
}

export function localTime(instant: number, zone: string): LocalTime {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  return {
    day: DAYS[local.dayOfWeek % 7] ?? '',
    dayBefore: DAYS[local.dayOfWeek - 1] ?? '',
    time: local.toPlainTime().toString().slice(0, 5),
    date: local.toPlainDate().toString(),
  };
}

/** MENU-14. No days are all days. */
export function holds(range: TimeRange, days: readonly string[], now: LocalTime): boolean {
  const isToday = days.length === 0 || days.includes(now.day);
  const wasYesterday = days.length === 0 || days.includes(now.dayBefore);
  if (range.start === '00:00' && range.end === '00:00') return isToday;
  if (range.start <= range.end) return isToday && range.start <= now.time && now.time <= range.end;
  return (isToday && range.start <= now.time) || (wasYesterday && now.time <= range.end);
}
