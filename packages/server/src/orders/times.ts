import { parseAnyInstant } from '../text/instant.ts';

const WITH_SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** ORD-6. A blank stands for a `+` that was lost on the way. Null if it is no time. */
export function readTime(text: string): number | null {
  const restored = text.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  return WITH_SECONDS.test(restored) ? parseAnyInstant(restored) : null;
}

export const TIME_RULE = 'must be a time with an offset, for example 2026-01-31T18:30:00.000+0000';

/** ORD-6. */
export function timeOnWire(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '+0000');
}

/** ORD-54: the local date, or the day before until the closeout hour. */
export function businessDateOf(
  atMs: number,
  { timeZone, closeoutHour }: { readonly timeZone: string; readonly closeoutHour: number },
): number {
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
  const isBefore = local.hour < closeoutHour;
  const { year, month, day } = local.toPlainDate().subtract({ days: isBefore ? 1 : 0 });
  return year * 10_000 + month * 100 + day;
}

const BUSINESS_DATE = /^\d{8}$/;

/** Null if it is no date. */
export function readBusinessDate(text: string): number | null {
  if (!BUSINESS_DATE.test(text)) return null;
  const fields = { year: text.slice(0, 4), month: text.slice(4, 6), day: text.slice(6) };
  const [year, month, day] = Object.values(fields).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDate && year >= 1_000 ? Number(text) : null;
}

/** Minutes; null for a duration with parts that have no fixed length. */
export function minutesOf(duration: string): number | null {
  const parts = Temporal.Duration.from(duration);
  if (parts.years !== 0 || parts.months !== 0 || parts.weeks !== 0) return null;
  return parts.total('minutes');
}
