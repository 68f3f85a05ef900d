import { language } from '../../platform/format.ts';
import type { Weekday } from './hours.ts';
import { weekdays } from './hours.ts';

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

const names = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(language, {
  ...{ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' },
});

export function weekdayName(weekday: Weekday): string {
  return names.format(MONDAY + weekdays.indexOf(weekday) * DAY_MS);
}

/** A local time of the platform, as people here write it. */
export function formatClock(time: string): string {
  return clock.format(Date.parse(`2024-01-01T${time.slice(0, 8)}Z`));
}
