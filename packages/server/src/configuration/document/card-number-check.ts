import { limits } from '@servery/contract';
import type { FaultList } from '../../document/faults.ts';
import { removeCardNumbers } from '../../text/card-number-removal.ts';

/**
 * Texts that people write. Identifiers such as `sku` and `externalId` are not among them: digits
 * that a system made may look like anything.
 */
const PROSE: ReadonlySet<string> = new Set([
  'name',
  'locationName',
  'description',
  'scheduleName',
  'specialRequestsMessage',
  'condition',
  'address1',
  'address2',
  'city',
]);

/** Every text of people has this limit at most; a character may take two units. */
const LONGEST = 2 * limits.words.maxLength;

/**
 * Walks a JSON value and notes the texts of people that hold a card number, which is stored nowhere
 * (PAY-I7). It is told and not taken out: a document that is applied again is to find what it says.
 */
export function checkCardNumbers(document: unknown, faults: FaultList): void {
  const path: (string | number)[] = [];
  const visit = (value: unknown, name: string | number): void => {
    if (typeof value === 'string') {
      // A text that is too long is refused for its length, so nobody needs to look at it.
      if (!PROSE.has(String(name)) || value.length > LONGEST) return;
      if (removeCardNumbers(value) === value) return;
      faults.add([...path], 'has the number of a payment card; take it out');
    } else if (typeof value === 'object' && value !== null) {
      const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
      for (const [inner, element] of entries) {
        path.push(inner);
        visit(element, inner);
        path.pop();
      }
    }
  };
  visit(document, '');
}
