/** Dates, money and numbers in the person's language, at the restaurant's place. */

export const language = navigator.languages.find(isLanguage) ?? 'en-US';

/** Of this browser. */
export const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Some systems call their language `en-US@posix`. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = made.get(key) ?? new Intl.DateTimeFormat(language, options);
  made.set(key, known);
  return known as Intl.DateTimeFormat;
}

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `n${JSON.stringify(options)}`;
  const known = made.get(key) ?? new Intl.NumberFormat(language, options);
  made.set(key, known);
  return known as Intl.NumberFormat;
}

export function formatMoney(amount: number, currency: string): string {
  return numbers({ style: 'currency', currency }).format(amount);
}

const AMOUNT =
  /^\p{L}{0,3}\p{Sc}?\s*(\d{1,12}(?:[.,'’\s]\d{2,3})*?)(?:([.,])(\d{1,4}))?\s*\p{Sc}?\p{L}{0,3}$/u;

/** An amount as people type it: with its currency, and separators of any kind. Null for others. */
export function parseAmount(text: string): number | null {
  const [, whole, point = '', decimals = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  // Three digits follow a separator of thousands: the language's own, or one that is there twice.
  const isGroup = decimals.length === 3 && (formatCount(1_000_000) + whole).includes(point);
  return Number(whole.replace(/\D/g, '') + (isGroup ? '' : '.') + decimals);
}

/** Of amounts in a currency, behind the point. */
export function minorDigits(currency: string): number {
  return numbers({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

export function formatCount(count: number): string {
  return numbers({}).format(count);
}

/** With at most two decimal places. */
export function formatDecimal(number: number): string {
  return numbers({ maximumFractionDigits: 2 }).format(number);
}

/** For example `12 ms` or `0.4 ms`; the names of units are those of `Intl`. */
export function formatUnit(value: number, unit: string): string {
  const maximumFractionDigits = value < 10 ? 1 : 0;
  return numbers({ style: 'unit', unit, maximumFractionDigits }).format(value);
}

export function formatBytes(bytes: number): string {
  const [megabytes, gigabytes] = [bytes / 1e6, bytes / 1e9];
  return gigabytes < 1 ? formatUnit(megabytes, 'megabyte') : formatUnit(gigabytes, 'gigabyte');
}

export function formatTime(instant: string | number, timeZone?: string): string {
  return dates({ hour: 'numeric', minute: '2-digit', ...zone(timeZone) }).format(new Date(instant));
}

export function formatSeconds(instant: string | number, timeZone?: string): string {
  return dates({ timeStyle: 'medium', ...zone(timeZone) }).format(new Date(instant));
}

export function formatDay(instant: number, timeZone?: string): string {
  return dates({ weekday: 'short', day: 'numeric', month: 'short', ...zone(timeZone) }).format(
    instant,
  );
}

export function formatInstant(instant: string | number, timeZone?: string): string {
  return dates({
    weekday: 'short',
    ...{ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
    ...zone(timeZone),
  }).format(new Date(instant));
}

/** With the year: for what may be long ago. */
export function formatDated(instant: string | number, timeZone?: string): string {
  return dates({ dateStyle: 'medium', timeStyle: 'short', ...zone(timeZone) }).format(
    new Date(instant),
  );
}

/** With the year and the second. */
export function formatMoment(instant: string): string {
  return dates({ dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(instant));
}

export function formatExactly(instant: string | number, timeZone?: string): string {
  return dates({ dateStyle: 'full', timeStyle: 'long', ...zone(timeZone) }).format(
    new Date(instant),
  );
}

/** A time of today, or with its day. */
export function formatNear(instant: string, nowMs: number, timeZone?: string): string {
  const isToday = dayOf(Date.parse(instant), timeZone) === dayOf(nowMs, timeZone);
  return isToday ? formatTime(instant, timeZone) : formatInstant(instant, timeZone);
}

/** The date at the place, as YYYY-MM-DD. */
export function dayOf(instant: number, timeZone?: string): string {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit', ...zone(timeZone) } as const;
  return new Intl.DateTimeFormat('en-CA', options).format(instant);
}

/** How long until then, for example `4:59` or `6 d 23 h`. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1_000));
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(seconds / unit));
  const padded = (value: number) => String(value).padStart(2, '0');
  if (days) return `${days} d ${(hours ?? 0) % 24} h`;
  const clock = `${padded((minutes ?? 0) % 60)}:${padded(seconds % 60)}`;
  return hours ? `${hours}:${clock}` : clock.replace(/^0(?=\d:)/, '');
}

/** The first instant at which clocks at the place show that date and time. */
export function instantAt(date: string, time: string, timeZone: string): number {
  const wanted = Date.parse(`${date}T${time}:00Z`);
  // Two rounds: the offset may change between the guess and the instant.
  const first = wanted - offsetMs(wanted, timeZone);
  return wanted - offsetMs(first, timeZone);
}

function offsetMs(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23', timeZone },
  }).formatToParts(instant);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = [
    ...['year', 'month', 'day', 'hour', 'minute', 'second'],
  ].map((type) => Number(parts.find((part) => part.type === type)?.value));
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

function zone(timeZone: string | undefined): Intl.DateTimeFormatOptions {
  return timeZone === undefined ? {} : { timeZone };
}
