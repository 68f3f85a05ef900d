import type { Schedule, TimeRange } from './types.ts';

const DAYS = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;

/** An instant on the calendar and the clock of a restaurant. */
export interface LocalTime {
  /** `yyyy-MM-dd`. */
  readonly date: string;
  readonly day: string;
  readonly dayBefore: string;
  /** `HH:mm`. */
  readonly minute: string;
}

/** Making one takes longer than pricing a selection. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function localTime(instant: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return {
    date,
    day: DAYS[day] ?? '',
    dayBefore: DAYS[(day + 6) % 7] ?? '',
    minute: `${parts.hour}:${parts.minute}`,
  };
}

/** Whether a schedule holds. Days are those on which a range starts (MENU-14). */
export function isInForce({ days, timeRanges }: Schedule, now: LocalTime): boolean {
  return timeRanges.some((range) => isWithin(range, days, now));
}

/** No days mean every day. */
export function isWithin(
  { start, end }: TimeRange,
  days: readonly string[],
  { minute, day, dayBefore }: LocalTime,
): boolean {
  const startsOn = (one: string) => days.length === 0 || days.includes(one);
  if (start === '00:00' && end === '00:00') return startsOn(day);
  if (start <= end) return startsOn(day) && start <= minute && minute <= end;
  return (startsOn(day) && start <= minute) || (startsOn(dayBefore) && minute <= end);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}
