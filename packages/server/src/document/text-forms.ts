import { isIP } from 'node:net';
import type { Reading } from '@servery/contract';
import { isUuid } from '@servery/support/ids.ts';
import { removeCardNumbers } from '../text/card-number-removal.ts';
import { readEmail } from '../text/email.ts';
import { parseAnyInstant, parseInstant } from '../text/instant.ts';
import { HALF_PAIR } from './text-check.ts';

interface Format {
  readonly fits: (text: string) => boolean;
  readonly message: string;
}

const INSTANT_MESSAGE = 'must be an instant, for example 2026-01-31T18:30:00.000Z';
const EMAIL_MESSAGE = 'must be an email address, for example ada@example.com';
/** RFC 3986. URL also accepts other characters, but rewrites them. */
const ADDRESS = /^[a-z][a-z\d+.-]*:([\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i;
// Years that calendars of all time zones can handle.
const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;

const formats: Readonly<Record<string, Format>> = {
  uuid: {
    fits: isUuid,
    message: 'must be a GUID, for example 0b8f0ee5-7f0d-4b1c-9d38-3c8a2f5f3b11',
  },
  'date-time': { fits: (text) => parseInstant(text) !== null, message: INSTANT_MESSAGE },
  date: { fits: isDate, message: 'must be a date, for example 2026-01-31' },
  duration: { fits: isDuration, message: 'must be a duration, for example PT5M or P1DT2H' },
  uri: {
    fits: (text) => ADDRESS.test(text) && URL.canParse(text),
    message: 'must be a URL, for example https://example.com/events',
  },
  ipv4: { fits: (text) => isIP(text) === 4, message: 'must be an IPv4 address' },
  // What follows a % means something only on the sender's machine.
  ipv6: {
    fits: (text) => isIP(text) === 6 && !text.includes('%'),
    message: 'must be an IPv6 address',
  },
};

/** Null when the text fits. */
export function formatFault(text: string, name: string): string | null {
  const format = formats[name];
  return !format || format.fits(text) ? null : format.message;
}

/** What a text must be; null when any text may fit. */
export function textRule(format: string | null, reading: Reading | null): string | null {
  if (reading === 'instant' || reading === 'anyInstant') return INSTANT_MESSAGE;
  if (reading === 'email') return EMAIL_MESSAGE;
  return reading === null && format !== null ? (formats[format]?.message ?? null) : null;
}

export type ReadText = { readonly value: string | readonly string[] } | { readonly fault: string };

export function readText(text: string, reading: Reading, atMost: number): ReadText {
  if (reading === 'asSent') return { value: text };
  if (reading === 'instant' || reading === 'anyInstant') {
    const instantMs = reading === 'instant' ? parseInstant(text) : parseAnyInstant(text);
    if (instantMs === null) return { fault: INSTANT_MESSAGE };
    return { value: Temporal.Instant.fromEpochMilliseconds(instantMs).toString() };
  }
  if (reading === 'trimmed' || reading === 'words' || reading === 'wholeWords') {
    const trimmed = text.trim();
    if (trimmed === '') return { fault: `must have 1 to ${atMost} characters` };
    if (reading === 'trimmed') return { value: trimmed };
    if (reading === 'wholeWords' && !trimmed.isWellFormed()) return { fault: HALF_PAIR };
    // PostgreSQL can't store half a surrogate pair. Clients that cut a text cut through emoji.
    return { value: firstCharacters(removeCardNumbers(trimmed.toWellFormed()), atMost) };
  }
  if (reading === 'email') {
    const email = readEmail(text);
    return email === null ? { fault: EMAIL_MESSAGE } : { value: email };
  }
  const named = [...new Set(text.split(','))];
  return named.every((each) => reading.includes(each))
    ? { value: named }
    : { fault: `must be one or more of ${reading.join(', ')}, separated by commas` };
}

/** The text that replaces a card number can be longer than it (PAY-I7). */
function firstCharacters(text: string, atMost: number): string {
  return text.length <= atMost ? text : [...text].slice(0, atMost).join('');
}

function isDate(text: string): boolean {
  return DATE.test(text) && isRead(() => Temporal.PlainDate.from(text, { overflow: 'reject' }));
}

function isDuration(text: string): boolean {
  return isRead(() => Temporal.Duration.from(text));
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
