import { ApiError } from '../../http/errors.ts';
import { Fields, Findings, isJsonObject, type TextRule } from '../../payments/fields.ts';
import { parseGuid } from '../../support/ids.ts';

const REASON_LENGTH = 200;

const guid: TextRule = (text) => (parseGuid(text) === null ? 'must be a GUID' : null);

const reason: TextRule = (text) =>
  text.trim() !== '' && text.length <= REASON_LENGTH
    ? null
    : `must have 1 to ${REASON_LENGTH} characters`;

/** The check of a body `{"checkGuid"}`; throws ApiError `badRequest` and `unprocessable`. */
export function readCheckGuid(body: unknown): string {
  return readText(body, 'checkGuid', guid).toLowerCase();
}

/** The reason of a body `{"reason"}`; throws ApiError `badRequest` and `unprocessable`. */
export function readReason(body: unknown): string {
  return readText(body, 'reason', reason);
}

function readText(body: unknown, name: string, rule: TextRule): string {
  if (!isJsonObject(body)) {
    throw new ApiError('unprocessable', `The body must be a JSON object: send {"${name}"}.`);
  }
  const findings = new Findings();
  const text = new Fields(body, '', findings).text(name, rule);
  const [fault] = [...findings.missing, ...findings.invalid];
  if (!fault) return text;
  throw new ApiError(
    findings.missing.length > 0 ? 'badRequest' : 'unprocessable',
    `${fault.where} ${fault.message}.`,
    { faults: [fault] },
  );
}
