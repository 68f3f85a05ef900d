import { isIP } from 'node:net';
import type { Reading } from '@servery/contract';
import { isUuid } from '@servery/support/ids.ts';
import { removeCardNumbers } from '../text/card-number-removal.ts';
import { readEmail } from '../text/email.ts';
import { parseAnyInstant, parseInstant } from '../text/instant.ts';

interface Format {
  readonly fits: (text: string) => boolean;
  readonly message: string;
}

const INSTANT_MESSAGE = 'must be an instant, for example 2026-01-31T18:30:00.000Z';
/** RFC 3986. URL also accepts other characters, but rewrites them. */
const ADDRESS = /^[a-z][a-z\d+.-]*:([\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i;
// Years that calendars of all time zones can handle.
const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;

const formats: Readonly<Record<string, Format>> = {
  uuid: { fits: isUuid, message: 'must be a GUID' },
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

export type ReadText = { readonly value: string | readonly string[] } | { readonly fault: string };

export function readText(text: string, reading: Reading, atMost: number): ReadText {
  if (reading === 'asSent') return { value: text };
  if (reading === 'instant') {
    const instantMs = parseAnyInstant(text);
    if (instantMs === null) return { fault: INSTANT_MESSAGE };
    return { value: Temporal.Instant.fromEpochMilliseconds(instantMs).toString() };
  }
  if (reading === 'trimmed' || reading === 'words') {
    const trimmed = text.trim();
    if (trimmed === '') return { fault: `must have 1 to ${atMost} characters` };
    // The text that replaces a card number can be longer than it (PAY-I7).
    const isStored = reading === 'words';
    // The database couldn't return it unchanged.
    if (isStored && !trimmed.isWellFormed())
      return { fault: 'must not have half a surrogate pair' };
    return { value: isStored ? removeCardNumbers(trimmed).slice(0, atMost) : trimmed };
  }
  if (reading === 'email') {
    const email = readEmail(text);
    return email === null
      ? { fault: 'must be an e-mail address, for example ada@example.com' }
      : { value: email };
  }
  const named = [...new Set(text.split(','))];
  return named.every((each) => reading.includes(each))
    ? { value: named }
    : { fault: `must be one or more of ${reading.join(', ')}, separated by commas` };
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
