import type { RestaurantInfo } from '@servery/contract';
import { localTime } from '@servery/pricing/local-time.ts';
import { InvalidInput } from './errors.ts';

/** The part of `restaurants.get` that is about time. */
export type RestaurantTimes = Pick<RestaurantInfo, 'general' | 'schedules'>;

/** A service of a restaurant on one day. */
export interface Opening {
  /** For example Lunch. */
  readonly name: string;
  readonly opens: Date;
  readonly closes: Date;
  /** The business date that it belongs to, yyyyMMdd. */
  readonly businessDate: number;
}

const DAY_MS = 86_400_000;
const MIDNIGHT = '00:00:00.000';
const WEEKDAYS = [
  ...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
] as const as readonly (keyof RestaurantInfo['schedules']['weekSchedule'])[];
/** Schedules repeat each week. */
const DAYS_AHEAD = 8;

/** The business date of an instant, yyyyMMdd. Before the closeout hour, it is the previous day. */
export function businessDate({ general }: Pick<RestaurantTimes, 'general'>, at: Date): number {
  const { date, minute } = localTime(at.getTime(), general.timeZone);
  const isBefore = Number(minute.slice(0, 2)) < general.closeoutHour;
  return numberOf(isBefore ? addDays(date, -1) : date);
}

/** The services of a business date, in order; empty if the restaurant is closed that day. */
export function openingHours(restaurant: RestaurantTimes, date: number): Opening[] {
  const { general, schedules } = restaurant;
  const day = dateOf(date);
  const weekday = WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()];
  const key = weekday && schedules.weekSchedule[weekday];
  const services = (key && schedules.daySchedules[key]?.services) || [];
  const closeout = `${String(general.closeoutHour).padStart(2, '0')}:00:00.000`;
  return services.map(({ name, hours: { startTime, endTime }, overnight }) => {
    // A service that begins after midnight still belongs to the evening before.
    const startsLate = overnight && startTime < closeout;
    const startDay = startsLate ? addDays(day, 1) : day;
    const endDay = endTime <= startTime || endTime === MIDNIGHT ? addDays(startDay, 1) : startDay;
    return {
      name,
      opens: instantOf(startDay, startTime, general.timeZone),
      closes: instantOf(endDay, endTime, general.timeZone),
      businessDate: date,
    };
  });
}

/** The service that is open at an instant; null if the restaurant is closed then. */
export function currentOpening(restaurant: RestaurantTimes, at: Date): Opening | null {
  const today = businessDate(restaurant, at);
  return (
    openingHours(restaurant, today).find(({ opens, closes }) => opens <= at && at < closes) ?? null
  );
}

/** The first service that begins after an instant; null if the restaurant has no services. */
export function nextOpening(restaurant: RestaurantTimes, at: Date): Opening | null {
  const today = dateOf(businessDate(restaurant, at));
  for (let days = 0; days <= DAYS_AHEAD; days += 1) {
    const openings = openingHours(restaurant, numberOf(addDays(today, days)));
    const next = openings.find(({ opens }) => opens > at);
    if (next) return next;
  }
  return null;
}

function dateOf(date: number): string {
  const [, ...parts] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(date)) ?? [];
  if (parts.length === 0) throw new InvalidInput('date', 'must be a number yyyyMMdd.');
  return parts.join('-');
}

function numberOf(date: string): number {
  return Number(date.replaceAll('-', ''));
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The instant at which the clocks of a time zone show a time. If they show it twice, it is the
 * first one. If they skip it, it is later by as much as they skip.
 */
function instantOf(date: string, time: string, timeZone: string): Date {
  const asUtcMs = Date.parse(`${date}T${time}Z`);
  // The clock changes on no two days in a row.
  const before = asUtcMs - offsetMs(asUtcMs - DAY_MS, timeZone);
  const after = asUtcMs - offsetMs(asUtcMs + DAY_MS, timeZone);
  const isShown = (atMs: number) => atMs + offsetMs(atMs, timeZone) === asUtcMs;
  return new Date(isShown(before) || !isShown(after) ? before : after);
}

function offsetMs(atMs: number, timeZone: string): number {
  const { date, minute } = localTime(atMs, timeZone);
  const wholeMinuteMs = Math.floor(atMs / 60_000) * 60_000;
  return Date.parse(`${date}T${minute}:00Z`) - wholeMinuteMs;
}
