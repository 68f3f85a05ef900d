import { type MenuSchedule, weekdays } from '@servery/contract';

type Day = MenuSchedule['days'][number];

interface Hours {
  readonly days: readonly Day[];
  readonly start: string;
  readonly end: string;
}

/**
 * Joins hours into schedules: days with the same ranges are together (MENU-14). Schedules and
 * ranges stay in the order of entry, days start with Sunday.
 */
export function schedulesOf(hours: readonly Hours[]): MenuSchedule[] {
  const rangesByDay = new Map<Day, Map<string, { start: string; end: string }>>();
  for (const { days, start, end } of hours) {
    for (const day of sorted(days)) {
      const ranges = rangesByDay.get(day) ?? new Map();
      rangesByDay.set(day, ranges.set(`${start}-${end}`, { start, end }));
    }
  }
  const alike = Map.groupBy(rangesByDay, ([, ranges]) => [...ranges.keys()].join());
  return [...alike.values()].map((entries) => ({
    days: sorted(entries.map(([day]) => day)),
    timeRanges: entries.slice(0, 1).flatMap(([, ranges]) => [...ranges.values()]),
  }));
}

function sorted(days: readonly Day[]): Day[] {
  return weekdays.filter((day) => days.includes(day));
}
