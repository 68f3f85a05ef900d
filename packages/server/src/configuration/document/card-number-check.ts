import { limits } from '@servery/contract';
import type { FaultList } from '../../document/faults.ts';
import { removeCardNumbers } from '../../text/card-number-removal.ts';

/**
 * Only texts that people write. Identifiers such as `sku` and `externalId` can look like card
 * numbers by chance.
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

const LONGEST = 2 * limits.words.maxLength;

/**
 * Notes card numbers, which are stored nowhere (PAY-I7), as faults. It doesn't remove them: a
 * document that is applied again must find what it says.
 */
export function checkCardNumbers(document: unknown, faults: FaultList): void {
  const path: (string | number)[] = [];
  const visit = (value: unknown, name: string | number): void => {
    if (typeof value === 'string') {
      // The length check refuses longer texts.
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
