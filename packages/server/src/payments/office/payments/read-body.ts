import { parseGuid } from '@servery/support/ids.ts';
import { readBodyText, readWords } from '../../../http/body-text.ts';
import type { TextRule } from '../../../http/fields.ts';

const REASON_LENGTH = 200;

const guid: TextRule = (text) => (parseGuid(text) === null ? 'must be a GUID' : null);

/** The check of a body `{"checkGuid"}`; throws ApiError `badRequest` and `unprocessable`. */
export function readCheckGuid(body: unknown): string {
  return readBodyText(body, 'checkGuid', guid).toLowerCase();
}

/** The reason of a body `{"reason"}`; throws ApiError `badRequest` and `unprocessable`. */
export function readReason(body: unknown): string {
  return readWords(body, 'reason', REASON_LENGTH);
}
