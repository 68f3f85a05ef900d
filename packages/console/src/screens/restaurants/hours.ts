import type { DaySchedule, Schedules, Service } from '@servery/contract';

export const weekdays = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday'] as const),
  ...(['friday', 'saturday', 'sunday'] as const),
] as const;

export type Weekday = (typeof weekdays)[number];

const MIDNIGHT = '00:00:00.000';

/** `09:30` of `09:30:00.000`. */
export function typedTime(time: string): string {
  return time.slice(0, 5);
}

export function timeOf(typed: string): string {
  return typed === '' ? '' : `${typed.slice(0, 5)}:00.000`;
}

/** In the order of the business day, with what follows from the services. */
export function arranged(day: DaySchedule, closeoutHour: number): DaySchedule {
  const services = day.services
    .map((service) => withOvernight(service, closeoutHour))
    .sort((one, other) => order(one, closeoutHour) - order(other, closeoutHour));
  return {
    ...day,
    services,
    openTime: services[0]?.hours.startTime ?? null,
    closeTime: services.at(-1)?.hours.endTime ?? null,
  };
}

/** Whether it passes midnight shows in its times; early ones may belong to the day before. */
function withOvernight(service: Service, closeoutHour: number): Service {
  const { startTime, endTime } = service.hours;
  if (startTime === '' || endTime === '') return service;
  if (endTime <= startTime && endTime !== MIDNIGHT) return { ...service, overnight: true };
  const isDaytime = endTime > startTime && startTime >= closeoutTime(closeoutHour);
  return isDaytime ? { ...service, overnight: false } : service;
}

function order({ hours, overnight }: Service, closeoutHour: number): number {
  const isNextDate = overnight && hours.startTime < closeoutTime(closeoutHour);
  return minutesOf(hours.startTime) + (isNextDate ? 24 * 60 : 0);
}

/** Minutes from midnight; the end of the day for a time that nobody has typed yet. */
export function minutesOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return time === '' ? 48 * 60 : Number(hours) * 60 + Number(minutes);
}

function closeoutTime(closeoutHour: number): string {
  return `${String(closeoutHour).padStart(2, '0')}:00:00.000`;
}

export function keysOf({ daySchedules }: Schedules): readonly string[] {
  return Object.keys(daySchedules).sort((one, other) => Number(one) - Number(other));
}

export function newKey(schedules: Schedules): string {
  return String(Math.max(0, ...keysOf(schedules).map(Number)) + 1);
}

export function isUsed({ weekSchedule }: Schedules, key: string): boolean {
  return weekdays.some((weekday) => weekSchedule[weekday] === key);
}

/** Times that are missing, by the place that the platform would name. */
export function missingTimes(schedules: Schedules, text: string): [string, string][] {
  return keysOf(schedules).flatMap((key) =>
    (schedules.daySchedules[key]?.services ?? []).flatMap(({ hours }, index) =>
      (['startTime', 'endTime'] as const)
        .filter((end) => hours[end] === '')
        .map((end): [string, string] => [placeOf(key, index, `hours.${end}`), text]),
    ),
  );
}

/** As the platform writes the place of a fault. */
export function placeOf(key: string, index?: number, field?: string): string {
  const day = `schedules.daySchedules["${key}"]`;
  if (index === undefined) return field === undefined ? day : `${day}.${field}`;
  return `${day}.services[${index}]${field === undefined ? '' : `.${field}`}`;
}
