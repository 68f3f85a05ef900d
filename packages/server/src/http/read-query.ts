import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from './errors.ts';

const NAME_LENGTH = 100;

/** A text to be looked for in names; empty for none. Throws ApiError `badRequest`. */
export function readNameFilter(text: string | undefined): string {
  if (text === undefined) return '';
  if (text.length <= NAME_LENGTH && !text.includes('\0')) return text;
  throw new ApiError('badRequest', `name must have at most ${NAME_LENGTH} characters.`);
}

/** The GUID of a query parameter, null where there is none. Throws ApiError `badRequest`. */
export function readGuidFilter(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const guid = parseGuid(text);
  if (guid !== null) return guid;
  throw new ApiError('badRequest', `${name} must be a GUID.`);
}

/** True or false, null where there is none. Throws ApiError `badRequest`. */
export function readFlagFilter(name: string, text: string | undefined): boolean | null {
  if (text === undefined) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ApiError('badRequest', `${name} must be true or false.`);
}
