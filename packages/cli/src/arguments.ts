import { invalidUsage } from './exit-codes.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,128}$/;
const KEY_ID = /^[A-Z0-9-]{1,32}::[A-Za-z0-9._~-]{1,128}$/;
const FOUR_DIGIT_YEAR = /^\d{4}-/;

/** Whether the text has the form of a GUID. */
export function isGuid(text: string): boolean {
  return GUID.test(text);
}

/** The GUID of a payment in lower case; throws CommandFailure for text that is none. */
export function readPayment(text: string): string {
  return guidOf(text, 'is no payment: write its paymentUuid. "servery payments list" shows them.');
}

/** The GUID of an alarm in lower case; throws CommandFailure for text that is none. */
export function readAlarm(text: string): string {
  return guidOf(text, 'is no alarm: write its GUID. "servery alarms" shows those that are open.');
}

/** Reads the GUID of a thing of that kind, which `listed` shows; throws CommandFailure for none. */
export function readGuidOf(kind: string, listed: string): (text: string) => string {
  return (text) => guidOf(text, `is no ${kind}: write its GUID. "${listed}" shows them.`);
}

/** The GUID of a check in lower case; throws CommandFailure for text that is none. */
export function readCheck(text: string): string {
  return guidOf(
    text,
    'is no check: write its GUID, such as --check 91d0f3a2-6a4e-4b1c-9d3a-2f8e5c7b6a10.',
  );
}

/** The text, when it can be the id of a card key; throws CommandFailure when it cannot. */
export function readKeyId(text: string): string {
  if (KEY_ID.test(text)) return text;
  throw invalidUsage(
    `${JSON.stringify(text)} is no card key: write its id, <ALGORITHM>::<identifier>. ` +
      '"servery keys list" shows those of a client.',
  );
}

/** The text, when it can name a client; throws CommandFailure when it cannot. */
export function readClient(text: string): string {
  if (CLIENT_ID.test(text)) return text;
  throw invalidUsage(
    `${JSON.stringify(text)} is no client: write its clientId, of up to 128 letters, digits, ` +
      'dots, tildes, _ and -, or its name in demo.json.',
  );
}

/** Reads what a person says in words, such as a reason; throws CommandFailure for blanks alone. */
export function wordsOf(flag: string): (text: string) => string {
  return (text) => {
    if (text.trim() !== '') return text;
    throw invalidUsage(`${flag} is empty: say it in a few words.`);
  };
}

/**
 * The instant that a person wrote in ISO 8601, in UTC with milliseconds. Throws CommandFailure for
 * text that is none, or that leaves open where on Earth it is meant.
 */
export function readInstant(text: string): string {
  return instantAfter('', text);
}

/** The same for the value of a flag, which the refusal names. */
export function readInstantOf(flag: string): (text: string) => string {
  return (text) => instantAfter(`${flag} `, text);
}

/** A day of the calendar for a flag; throws CommandFailure for text that is none. */
export function readDayOf(flag: string): (text: string) => string {
  return (text) => {
    if (/^\d{4}-\d\d-\d\d$/.test(text) && isDay(text)) return text;
    throw invalidUsage(`${flag} ${JSON.stringify(text)} is no day: write one such as 2026-01-31.`);
  };
}

function isDay(text: string): boolean {
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A place in a list that is read from front to back; throws CommandFailure for other text. */
export function readPositionOf(flag: string): (text: string) => string {
  return (text) => {
    if (/^\d{1,15}$/.test(text)) return text;
    throw invalidUsage(
      `${flag} ${JSON.stringify(text)} is no position: write a whole number from 0.`,
    );
  };
}

/** The status of an answer, or a class of them; throws CommandFailure for other text. */
export function readStatus(text: string): string {
  if (/^[1-5](\d\d|xx)$/i.test(text)) return text.toLowerCase();
  throw invalidUsage(
    `--status ${JSON.stringify(text)} is none: write one such as 403, or a class such as 4xx.`,
  );
}

function instantAfter(where: string, text: string): string {
  const instant = instantOf(text);
  if (instant !== null && FOUR_DIGIT_YEAR.test(instant)) return instant;
  throw invalidUsage(
    `${where}${JSON.stringify(text)} is no instant: write date and time in ISO 8601 with Z or an ` +
      'offset, such as 2026-03-29T03:30:00Z or 2026-03-29T03:30:00+02:00.',
  );
}

function instantOf(text: string): string | null {
  try {
    return Temporal.Instant.from(text).toString({ smallestUnit: 'millisecond' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * States of a payment, separated by commas and in any case, in capitals. Throws CommandFailure that
 * lists the `known` ones.
 */
export function readStates(text: string, known: readonly string[]): string {
  const words = text.split(',').map((word) => word.trim().toUpperCase());
  const wrong = words.find((word) => !known.includes(word));
  if (wrong === undefined) return words.join(',');
  throw invalidUsage(
    `--payment-state ${JSON.stringify(wrong)} is no state of a payment: write one or more of ` +
      `${known.join(', ')}, separated by commas.`,
  );
}

function guidOf(text: string, whatIsWrong: string): string {
  if (isGuid(text)) return text.toLowerCase();
  throw invalidUsage(`${JSON.stringify(text)} ${whatIsWrong}`);
}
