import { limits } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { type FaultList, pathText } from '../../../document/faults.ts';
import { checkTexts } from '../../../document/text-check.ts';
import { ApiError, type Fault } from '../../../http/errors.ts';
import { isJsonObject } from '../../../http/json-object.ts';
import { removeCardNumbers } from '../../../text/card-number-removal.ts';

/** A JSON object as it was sent. */
export type Sent = Readonly<Record<string, unknown>>;

/** Faults that are told one by one; of more than these only the number is told. */
const SHOWN_FAULTS = 50;
const SHOWN_PATH = 200;
/** Each text but that of the delivery area has this limit at most, in characters of two units. */
const LONGEST = 2 * limits.words.maxLength;

/** The fields of an answer that a change may repeat: they are ignored. */
const ignored = ['publishNumber', 'createdAt', 'modifiedAt'];

/** What stands in the body of a change beside the fields that it is about. */
export interface SentDocument {
  /** Undefined when it was not sent. */
  readonly guid: unknown;
  readonly version: unknown;
  /** The fields, without card numbers (PAY-I7). */
  readonly fields: Sent;
}

/**
 * Takes the body of a change apart. Throws ApiError `unprocessable` when it is no JSON object, and
 * notes texts that cannot be stored.
 */
export function openDocument(body: unknown, faults: FaultList): SentDocument {
  if (!isJsonObject(body)) {
    throw new ApiError('unprocessable', 'The body must be a JSON object with the fields to set.');
  }
  checkTexts(body, faults);
  const { guid, version, ...rest } = body;
  const fields = Object.entries(rest).filter(([name]) => !ignored.includes(name));
  return { guid, version, fields: withoutCardNumbers(Object.fromEntries(fields)) as Sent };
}

function withoutCardNumbers(value: unknown, name = ''): unknown {
  // The digits of a GUID may look like anything.
  if (typeof value === 'string') {
    // A text as long as no field may have it is refused, so nobody needs to look at it.
    const isLong = value.length > LONGEST && name !== 'area';
    return isLong || /guid$/i.test(name) ? value : removeCardNumbers(value);
  }
  if (Array.isArray(value)) return value.map((element) => withoutCardNumbers(element));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutCardNumbers(inner, key)]),
  );
}

/** The GUID that something new is to have; null when the platform makes one, or it is no GUID. */
export function readNewGuid({ guid }: SentDocument, faults: FaultList): string | null {
  if (guid === undefined || guid === null) return null;
  const parsed = typeof guid === 'string' ? parseGuid(guid) : null;
  if (parsed === null) faults.add(['guid'], 'must be a UUID; leave it out and one is made');
  return parsed;
}

/** The version that a change was made for; undefined when none was sent. */
export function readVersion({ version }: SentDocument, faults: FaultList): number | undefined {
  if (version === undefined) return undefined;
  if (typeof version === 'number' && Number.isInteger(version) && version > 0) return version;
  faults.add(['version'], 'must be the version that you have read, or be left out');
  return undefined;
}

/**
 * Throws when there are faults: ApiError `badRequest` when `isMissing` says so of one of them, else
 * `unprocessable`.
 */
export function refuseFaults(
  faults: FaultList,
  isMissing: (path: readonly (string | number)[]) => boolean = () => false,
): void {
  if (faults.count === 0) return;
  const shown = faults.kept.slice(0, SHOWN_FAULTS).map(
    ({ path, message }): Fault => ({
      where: pathText(path).slice(0, SHOWN_PATH) || 'The body',
      message,
    }),
  );
  const hidden = faults.count - shown.length;
  const reasons = shown.map(({ where, message }) => `${where} ${message}`);
  if (hidden > 0) reasons.push(`and ${hidden} more`);
  const isAnyMissing = faults.kept.some(({ path }) => isMissing(path));
  throw new ApiError(isAnyMissing ? 'badRequest' : 'unprocessable', `${reasons.join('; ')}.`, {
    faults: shown,
  });
}
