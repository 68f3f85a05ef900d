import { unknownField } from '../document/unknown-field.ts';
import { removeCardNumbers } from '../text/card-number-removal.ts';
import { parseInstant } from '../text/instant.ts';
import { ApiError, type Fault } from './errors.ts';
import { Fields, Findings, isJsonObject } from './fields.ts';

/** Unknown fields that are told one by one, and characters of a path. */
const SHOWN_UNKNOWN = 20;
const SHOWN_PATH = 100;

/**
 * Reads a JSON object in which every field counts, with all of its faults at once: a field that
 * `read` does not look at is a fault too, here and in the objects that it reads. Whoever mistypes
 * `restaurantGuid` would otherwise give a role for the whole platform. Throws ApiError `badRequest`
 * when a required field is missing, else `unprocessable` when one is wrong or the body is no
 * object.
 */
export function readKnownFields<Result>(body: unknown, read: (fields: Fields) => Result): Result {
  if (!isJsonObject(body)) {
    throw new ApiError('unprocessable', 'The body must be a JSON object.');
  }
  const findings = new Findings();
  const fields = new Fields(body, '', findings);
  const result = read(fields);
  const { missing } = findings;
  const faults = [...missing, ...findings.invalid, ...unknownFaults(fields)];
  if (faults.length === 0) return result;
  const reasons = faults.map(({ where, message }) => `${where} ${message}`).join('; ');
  throw new ApiError(missing.length > 0 ? 'badRequest' : 'unprocessable', `${reasons}.`, {
    faults,
  });
}

function unknownFaults(fields: Fields): Fault[] {
  const unread = fields.unread();
  const faults = unread.slice(0, SHOWN_UNKNOWN).map(({ where, name, known }) => ({
    // The name of a field may be anything, also a card number (PAY-I7).
    where: removeCardNumbers(where.slice(0, SHOWN_PATH)),
    message: unknownField(name.slice(0, SHOWN_PATH), known),
  }));
  const others = unread.length - faults.length;
  if (others === 0) return faults;
  return [...faults, { where: 'The body', message: `has ${others} more such fields` }];
}

/** A required text in a person's words, as `readOptionalWords` takes it. */
export function readNeededWords(fields: Fields, name: string, atMost: number): string {
  return withoutCardNumbers(
    fields.text(name, (text) => wordsFault(text, atMost)),
    atMost,
  );
}

/**
 * A text in a person's words, of 1 to `atMost` characters that are not all blank, null, or
 * undefined where it is left out. It is stored, so card numbers are taken out of it (PAY-I7).
 */
export function readOptionalWords(
  fields: Fields,
  name: string,
  atMost: number,
): string | null | undefined {
  if (fields.lacks(name)) return undefined;
  const text = fields.optionalText(name);
  if (text === null) return null;
  const fault = wordsFault(text, atMost);
  if (fault !== null) fields.fault(name, fault);
  return withoutCardNumbers(text, atMost);
}

/** An instant after `nowMs`, in epoch milliseconds; null where there is none. */
export function readFutureInstant(fields: Fields, name: string, nowMs: number): number | null {
  const text = fields.optionalText(name);
  if (text === null) return null;
  const instantMs = parseInstant(text);
  if (instantMs === null) {
    fields.fault(name, 'must be an instant such as 2027-01-31T00:00:00.000Z');
  } else if (instantMs <= nowMs) {
    fields.fault(name, 'must be in the future');
  }
  return instantMs;
}

function wordsFault(text: string, atMost: number): string | null {
  if (text.includes('\0')) return 'must not hold a NUL character';
  if (text.trim() !== '' && text.length <= atMost) return null;
  return `must have 1 to ${atMost} characters`;
}

/** What stands for a number may be longer than it. */
function withoutCardNumbers(text: string, atMost: number): string {
  return removeCardNumbers(text.trim()).slice(0, atMost);
}
