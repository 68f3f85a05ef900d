import { ApiError } from './errors.ts';

/**
 * `yyyy-MM-ddTHH:mm:ss.ffffffZ`: text, because a Date drops PostgreSQL's microseconds. Text order
 * is time order.
 */
export type Instant = string;

/** A row of what an answer holds: fields named `at` or `…At` are dates until JSON writes them. */
export type Dated<Json> = {
  readonly [Name in keyof Json]: Name extends 'at' | `${string}At`
    ? Date | Extract<Json[Name], null>
    : Json[Name];
};

export interface TimestampForm {
  readonly name: string;
  /** A bare date means midnight UTC in partner operations only (API-8). */
  readonly bareDate: boolean;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})/;
const TIME = /^T(\d{2}):(\d{2}):(\d{2})/;
const FRACTION = /^\.(\d+)/;
// A "+" that was not percent-encoded arrives as a blank.
const UTC = /^(?:Z|[+ ]00:?00|-0000)$/;
const OFFSET = /^[+\- ]\d{2}(?::?\d{2})?$/;
const STORED_FRACTION_DIGITS = 6;

/**
 * Forms of API-8. Cuts digits beyond microseconds: "after" is strict and stored times are whole
 * microseconds. Throws 400.
 */
export function parseTimestamp(text: string, form: TimestampForm): Instant {
  const refuse = (what: string): never => {
    throw new ApiError('badRequest', `${form.name} ${what}: send ${exampleOf(form)}.`);
  };
  const date = DATE.exec(text);
  if (!date) return refuse(`${quoted(text)} does not begin with a date like 2026-03-01`);
  checkDate(date, refuse);
  const afterDate = text.slice(date[0].length);
  if (afterDate === '') {
    if (form.bareDate) return `${date[0]}T00:00:00.000000Z`;
    return refuse(`${quoted(text)} has no time of day`);
  }
  const time = TIME.exec(afterDate);
  if (!time) return refuse(`${quoted(text)} needs "T" and a time like 14:30:00 after the date`);
  checkTime(time, refuse);
  const afterTime = afterDate.slice(time[0].length);
  const fraction = FRACTION.exec(afterTime);
  checkOffset(afterTime.slice(fraction?.[0].length ?? 0), text, refuse);
  const digits = (fraction?.[1] ?? '').slice(0, STORED_FRACTION_DIGITS);
  return `${date[0]}${time[0]}.${digits.padEnd(STORED_FRACTION_DIGITS, '0')}Z`;
}

export function isoTimestamp(time: Date): string {
  return time.toISOString();
}

function exampleOf(form: TimestampForm): string {
  const timestamp = '2026-03-01T14:30:00.000Z or 2026-03-01T14:30:00.000%2B0000';
  return form.bareDate ? `${timestamp}, or a date alone like 2026-03-01` : timestamp;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text);
}

function checkDate(match: RegExpExecArray, refuse: (what: string) => never): void {
  const [date, year, month, day] = [match[0], Number(match[1]), Number(match[2]), Number(match[3])];
  if (year === 0) refuse(`has the year 0000 in ${date}, which does not exist`);
  if (month < 1 || month > 12) refuse(`has the month ${match[2]} in ${date}, which does not exist`);
  const isOfMonth = new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
  if (!isOfMonth) refuse(`has the date ${date}, which does not exist`);
}

function checkTime(match: RegExpExecArray, refuse: (what: string) => never): void {
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (hour > 23 || minute > 59 || second > 59) {
    refuse(`has the time ${match[0].slice(1)}, which does not exist`);
  }
}

function checkOffset(rest: string, text: string, refuse: (what: string) => never): void {
  if (UTC.test(rest)) return;
  if (rest === '') refuse(`${quoted(text)} has no offset at its end`);
  if (OFFSET.test(rest)) refuse(`has the offset ${quoted(rest)}, but only UTC is accepted`);
  refuse(`has ${quoted(rest)} where a fraction of a second and an offset may stand`);
}
