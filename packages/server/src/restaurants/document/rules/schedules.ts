import type { DaySchedule, Schedules, Service } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

const MIDNIGHT = '00:00:00.000';
const DIGITS_OF_A_KEY = 9;

/**
 * RST-5: days must exist, and open with their first service and close with their last. Services
 * past midnight end by `closeoutHour`, because the business day does.
 */
export function checkSchedules(schedules: Schedules, closeoutHour: number, place: Place): void {
  for (const [weekday, key] of Object.entries(schedules.weekSchedule)) {
    if (key === null || Object.hasOwn(schedules.daySchedules, key)) continue;
    const message = `there is no "${key}" in daySchedules; add it, or write null for a closed day`;
    place.fault(message, 'weekSchedule', weekday);
  }
  for (const [key, day] of Object.entries(schedules.daySchedules)) {
    if (key.length > DIGITS_OF_A_KEY) {
      const message = `the keys here have at most ${DIGITS_OF_A_KEY} digits; rename it`;
      place.fault(message, 'daySchedules', key);
    }
    checkDay(day, closeoutHour, place.at('daySchedules', key));
  }
}

function checkDay(day: DaySchedule, closeoutHour: number, place: Place): void {
  const first = day.services[0]?.hours.startTime ?? null;
  const last = day.services.at(-1)?.hours.endTime ?? null;
  if (day.openTime !== null && day.openTime !== first) {
    place.fault(`must be the start of the first service, ${first ?? 'none'}`, 'openTime');
  }
  if (day.closeTime !== null && day.closeTime !== last) {
    place.fault(`must be the end of the last service, ${last ?? 'none'}`, 'closeTime');
  }
  day.services.forEach((service, index) => {
    checkService(service, closeoutHour, place.at('services', index));
    const before = day.services[index - 1];
    if (before && businessTime(service, closeoutHour) < businessTime(before, closeoutHour)) {
      place.fault('starts before the service above it; put services in order', 'services', index);
    }
  });
}

function checkService(service: Service, closeoutHour: number, place: Place): void {
  const { startTime, endTime } = service.hours;
  const closeout = closeoutTime(closeoutHour);
  if (endTime <= startTime && endTime !== MIDNIGHT && !service.overnight) {
    place.fault('must be true: the service ends on the next calendar date', 'overnight');
  }
  if (!service.overnight) return;
  if (endTime > startTime && startTime >= closeout) {
    place.fault('must be false: the service does not pass midnight', 'overnight');
  } else if (endTime > closeout) {
    const message = `must be at most ${closeout}, when the business day ends (closeoutHour)`;
    place.fault(message, 'hours', 'endTime');
  }
}

/** Text that sorts in the order of a business day. */
function businessTime(service: Service, closeoutHour: number): string {
  const { startTime } = service.hours;
  return startTime < closeoutTime(closeoutHour) && service.overnight
    ? `next ${startTime}`
    : startTime;
}

function closeoutTime(closeoutHour: number): string {
  return `${String(closeoutHour).padStart(2, '0')}:00:00.000`;
}
