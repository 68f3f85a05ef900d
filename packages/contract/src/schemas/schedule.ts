import type { Static } from 'typebox';
import { answer, choice, flag, limits, list, text } from './field.ts';

export const weekdays = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;
export type Weekday = (typeof weekdays)[number];

const day = choice('A day of the week.', weekdays);

export const days = (description: string, keywords = {}) =>
  list(day, description, { minItems: 1, maxItems: weekdays.length, ...keywords });

export const timeOfDay = (description: string) =>
  text(`${description} Written HH:mm.`, { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });

export const TimeRange = answer('Hours of a day, in local time.', {
  start: timeOfDay('When the range begins.'),
  end: timeOfDay(
    'The last minute of the range. If it is before start, it is on the next day. If both are ' +
      '00:00, the range lasts all day.',
  ),
});
export type TimeRange = Static<typeof TimeRange>;

export const Schedule = answer('Hours on certain days.', {
  days: days('The days on which the ranges begin.'),
  timeRanges: list(TimeRange, 'The hours.', { minItems: 1, ...limits.parts }),
});
export type Schedule = Static<typeof Schedule>;

export const Availability = answer('When something is offered.', {
  alwaysAvailable: flag(
    'Whether it is always offered. If false, it is offered at the times of the schedule.',
    {
      default: true,
    },
  ),
  schedule: list(Schedule, 'The times. Ignored if alwaysAvailable is true.', {
    default: [],
    ...limits.parts,
  }),
});
export type Availability = Static<typeof Availability>;
