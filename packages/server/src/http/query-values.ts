import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from './errors.ts';

/** A query parameter that holds a GUID; null when it was not sent. Throws ApiError `badRequest`. */
export function readGuid(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const guid = parseGuid(text);
  if (guid !== null) return guid;
  throw new ApiError('badRequest', `${name} is not a GUID: check it.`);
}

/**
 * A query parameter that holds a text of at most `atMost` characters; null when it was not sent.
 * Throws ApiError `badRequest`.
 */
export function readText(name: string, text: string | undefined, atMost = 200): string | null {
  if (text === undefined) return null;
  if (text.length <= atMost && !text.includes('\0')) return text;
  throw new ApiError('badRequest', `${name} must have at most ${atMost} characters, none NUL.`);
}
