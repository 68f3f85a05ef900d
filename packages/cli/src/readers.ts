import { InvalidArgumentError } from 'commander';
import { invalidUsage } from './exit-codes.ts';

/** Checks the form of a word; `flag` begins the message of what it throws, CommandFailure. */
export type Reader<Read = string> = (text: string, flag?: string) => Read;

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FRIENDLY_DURATION = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

export const quoted = JSON.stringify as (text: string) => string;

export function isGuid(text: string): boolean {
  return GUID.test(text);
}

/** Reads text of a form; the message says what it is not, and then what to write. */
function reader(
  isRight: (text: string) => boolean,
  isNot: string,
  clean: (text: string) => string = (text) => text,
): Reader {
  return (text, flag = '') => {
    if (isRight(text)) return clean(text);
    throw invalidUsage(`${flag}${quoted(text)} is not ${isNot}`);
  };
}

/** The GUID of a thing, in lower case. `listed` is the command that shows them. */
export function guidOf(thing: string, listed: string): Reader {
  return reader(isGuid, `the GUID of ${thing}. "${listed}" shows them.`, (text) =>
    text.toLowerCase(),
  );
}

/** GUIDs of things, separated by commas. */
export function guidsOf(thing: string, listed: string): Reader<string[]> {
  const read = guidOf(thing, listed);
  return (text, flag) => listOf(text).map((one) => read(one, flag));
}

export const clientId = reader(
  (text) => /^[A-Za-z0-9._~-]{1,128}$/.test(text),
  'a client ID. Use up to 128 letters, digits, dots, tildes, _ and -, or a name in demo.json.',
);

export const keyId = reader(
  (text) => /^[A-Z0-9-]{1,32}::[A-Za-z0-9._~-]{1,128}$/.test(text),
  'a card key. Use its ID, <ALGORITHM>::<identifier>. "servery keys list" shows them.',
);

/** Words that are not only blanks. */
export const words: Reader = (text, flag = '') => {
  if (text.trim() !== '') return text;
  throw invalidUsage(`${flag.trim()} is empty. Write a few words.`);
};

export const day = reader(isDay, 'a date. Use YYYY-MM-DD, for example 2026-01-31.');

const digits = reader((text) => /^\d{1,15}$/.test(text), 'a position. Use a whole number from 0.');

export const amount: Reader<number> = (text, flag = '') => {
  if (/^\d{1,10}(\.\d{1,4})?$/.test(text)) return Number(text);
  throw invalidUsage(`${flag.trim()} must be an amount in currency units, for example 12.50.`);
};

/** A place in a list that is read from the beginning. */
export const position: Reader<number> = (text, flag) => Number(digits(text, flag));

/** The status of an answer, or a class of them. */
export const status = reader(
  (text) => /^[1-5](\d\d|xx)$/i.test(text),
  'a status. Use, for example, 403, or 4xx for all of a class.',
  (text) => text.toLowerCase(),
);

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && orNull(() => Temporal.PlainDate.from(text)) !== null;
}

/** An instant in ISO 8601, in UTC with milliseconds. */
export const instant: Reader = (text, flag = '') => {
  const found = orNull(() => Temporal.Instant.from(text).toString({ smallestUnit: 'millisecond' }));
  if (found !== null && /^\d{4}-/.test(found)) return found;
  if (isDay(text)) {
    throw invalidUsage(
      `${flag}${quoted(text)} is a date without a time. Add one, with Z or an offset: ` +
        `${text}T00:00:00Z is the beginning of that day in UTC.`,
    );
  }
  throw invalidUsage(
    `${flag}${quoted(text)} is not a time. Use ISO 8601 with Z or an offset, for example ` +
      '2026-03-29T03:30:00Z or 2026-03-29T03:30:00+02:00.',
  );
};

/** A duration in ISO 8601, or in weeks, days, hours, minutes and seconds. It must be positive. */
export const duration: Reader = (text, flag = '') => {
  const compact = text.replaceAll(' ', '').toLowerCase();
  const isBackwards = compact.startsWith('-');
  const read = durationOf(isBackwards ? compact.slice(1) : compact);
  const shown = `${flag}${quoted(text)}`;
  if (read === null) {
    throw invalidUsage(
      `${shown} is not a duration. Use 30s, 5m, 1h30m, 7d, 2w, or ISO 8601, for example PT5M.`,
    );
  }
  if (read.blank) throw invalidUsage(`${shown} is no time at all. Use, for example, 5m.`);
  if (isBackwards) {
    throw invalidUsage(`${shown} is negative. To go back, use "servery clock set".`);
  }
  if (read.microseconds === 0 && read.nanoseconds === 0) return read.toString();
  throw invalidUsage(`${shown} is too precise. Use whole milliseconds.`);
};

function durationOf(text: string): Temporal.Duration | null {
  if (text.startsWith('p')) return orNull(() => Temporal.Duration.from(text));
  const match = text === '' ? null : FRIENDLY_DURATION.exec(text);
  if (!match) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return orNull(() => Temporal.Duration.from({ weeks, days, hours, minutes, seconds }));
}

export function millisecondsOf(text: string, flag = ''): number {
  const read = Temporal.Duration.from(duration(text, flag));
  return read.total({ unit: 'milliseconds', relativeTo: '2026-01-01' });
}

export function countUpTo(most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`Use a number from 1 to ${most}.`);
  };
}

/** One of some words, in any case, as what the platform calls it. */
export function oneOf<Named extends string>(known: Readonly<Record<string, Named>>): Reader<Named> {
  return (text, flag = '') => {
    const word = text.trim().toLowerCase();
    const found =
      known[word.replaceAll('_', '-')] ??
      Object.values(known).find((own) => own.toLowerCase() === word);
    if (found !== undefined) return found;
    const all = Object.keys(known).join(', ');
    throw invalidUsage(`${flag}${quoted(text)} is unknown. Use one of ${all}.`);
  };
}

export function someOf(known: Readonly<Record<string, string>>): Reader {
  return (text, flag) =>
    text
      .split(',')
      .map((word) => oneOf(known)(word, flag))
      .join(',');
}

export function listOf(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** What is not in the grammar of Temporal, or too far away for it, is a RangeError. */
function orNull<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
