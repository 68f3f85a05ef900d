import { removeCardNumbers } from '../text/card-number-removal.ts';
import { ApiError } from './errors.ts';
import { Fields, Findings, isJsonObject, type TextRule } from './fields.ts';

/**
 * A text in a person's words, of 1 to `atMost` characters that are not all blank. It is stored, so
 * card numbers are taken out of it (PAY-I7). Throws what `readBodyText` throws.
 */
export function readWords(body: unknown, name: string, atMost: number): string {
  // What stands for a number may be longer than it.
  return removeCardNumbers(readBodyText(body, name, words(atMost))).slice(0, atMost);
}

function words(atMost: number): TextRule {
  return (text) =>
    text.trim() !== '' && text.length <= atMost ? null : `must have 1 to ${atMost} characters`;
}

/**
 * The text of a body `{"<name>"}` that keeps the rule. Throws ApiError `badRequest` when it is
 * missing, and `unprocessable` when it or the body is wrong.
 */
export function readBodyText(body: unknown, name: string, rule: TextRule): string {
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
