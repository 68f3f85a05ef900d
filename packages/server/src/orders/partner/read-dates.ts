import type { Faults } from '../../http/faults.ts';
import type { ByBusinessDate, ByDates } from '../find-orders-store.ts';
import { readBusinessDate, readTime, TIME_RULE } from '../times.ts';

interface DateQuery {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly businessDate?: string;
}

const HOUR_MS = 3_600_000;

/** ORD-61. Throws ApiError with what is wrong. */
export function readDates(
  query: DateQuery,
  faults: Faults,
  { isWithinHour }: { readonly isWithinHour: boolean },
): ByDates | ByBusinessDate {
  const { startDate, endDate, businessDate } = query;
  const hasDates = startDate !== undefined || endDate !== undefined;
  if (hasDates === (businessDate !== undefined)) {
    if (hasDates)
      faults.add(
        ['businessDate'],
        'must not be combined with startDate and endDate: send one or the other',
      );
    else faults.addMissing(['businessDate'], 'is required unless you send startDate and endDate');
  }
  const read = hasDates
    ? readRange(startDate, endDate, faults, isWithinHour)
    : readDay('businessDate', businessDate, faults);
  faults.refuse();
  if (!read) throw new Error('dates without faults were not read');
  return typeof read === 'number' ? { businessDate: read } : read;
}

function readRange(
  startDate: string | undefined,
  endDate: string | undefined,
  faults: Faults,
  isWithinHour: boolean,
): ByDates | null {
  const startMs = readInstant('startDate', startDate, faults);
  const endMs = readInstant('endDate', endDate, faults);
  if (startMs === null || endMs === null) return null;
  if (startMs >= endMs) faults.add(['startDate'], 'must be before endDate');
  else if (isWithinHour && endMs - startMs > HOUR_MS) {
    faults.add(['endDate'], 'must be at most one hour after startDate');
  }
  return { startDate: new Date(startMs), endDate: new Date(endMs) };
}

function readInstant(name: string, text: string | undefined, faults: Faults): number | null {
  if (text === undefined) {
    faults.addMissing([name]);
    return null;
  }
  const atMs = readTime(text);
  if (atMs === null) faults.add([name], TIME_RULE);
  return atMs;
}

export function readDay(name: string, text: string | undefined, faults: Faults): number | null {
  if (text === undefined) return null;
  const day = readBusinessDate(text);
  if (day === null) faults.add([name], 'must be a date as yyyyMMdd, for example 20260131');
  return day;
}
