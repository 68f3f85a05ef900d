import { limits } from '@servery/contract';
import type { FaultList } from '../../document/faults.ts';
import { visitTexts } from '../../document/text-check.ts';
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
  visitTexts(document, (text, path, isName) => {
    // The length check refuses longer texts.
    if (isName || text.length > LONGEST || !PROSE.has(String(path.at(-1)))) return;
    if (removeCardNumbers(text) === text) return;
    faults.add(path, 'has the number of a payment card; take it out');
  });
}
