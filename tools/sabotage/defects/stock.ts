import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/stock';
const TESTS = 'packages/server/test/stock';

/** Defects of the stock of a kitchen. */
export const stockDefects: readonly Defect[] = [
  {
    name: 'stock-partial-apply',
    file: `${SOURCE}/rules.ts`,
    find: "refuseFaults(faults, 'The list has malformed elements and nothing was applied');",
    replace: '',
    why: 'Half of a list would be applied, and nobody could say which half.',
    caughtBy: { file: `${TESTS}/update.test.ts`, name: /400 S5: a malformed element is named/ },
  },
  {
    name: 'stock-first-wins',
    file: `${SOURCE}/update.ts`,
    find: "if (resolution?.kind === 'item') levels.set",
    replace: "if (resolution?.kind === 'item' && !levels.has(resolution.item.guid)) levels.set",
    why: 'A correction later in the same list would be lost.',
    caughtBy: { file: `${TESTS}/update.test.ts`, name: /S5: of one item twice the last wins/ },
  },
  {
    name: 'stock-lists-mix',
    file: `${SOURCE}/update.ts`,
    find: 'findRestaurantForUpdate(sql, restaurantGuid),',
    replace: '',
    why: 'Two lists at once could leave a stock that neither of them says.',
    caughtBy: { file: `${TESTS}/update.test.ts`, name: /S5: lists that cross each other/ },
  },
  {
    name: 'stock-zero-quantity-accepted',
    file: `${SOURCE}/rules.ts`,
    find: "if (zeroQuantity === 'outOfStock') return",
    replace: 'return',
    why: 'A quantity of nothing would be taken although the contract refuses it.',
    caughtBy: { file: `${TESTS}/update.test.ts`, name: /S7: a quantity that does not go/ },
  },
  {
    name: 'stock-contradiction-accepted',
    file: `${SOURCE}/items.ts`,
    find: 'if (guid !== null && multiLocationId !== null && named !== alsoNamed) {',
    replace: 'if (false) {',
    why: 'An element that names two items would change one of them.',
    caughtBy: { file: `${TESTS}/update.test.ts`, name: /S6: guid and multiLocationId must name/ },
  },
  {
    name: 'stock-limit-off-by-one',
    file: `${SOURCE}/rules.ts`,
    find: 'if (count <= MAX_ELEMENTS) return;',
    replace: 'if (count <= MAX_ELEMENTS + 1) return;',
    why: 'The documented limit would not be the one that is kept.',
    caughtBy: { file: `${TESTS}/update.test.ts`, name: /S8: 5,000 elements are applied/ },
  },
  {
    name: 'stock-archived-item-valid',
    file: `${SOURCE}/items.ts`,
    find: 'return !item || item.archived ?',
    replace: 'return !item ?',
    why: 'An item that is off the menu would be told as one that can be ordered.',
    caughtBy: { file: `${TESTS}/search.test.ts`, name: /S3: unknown and archived items/ },
  },
  {
    name: 'stock-lost-commit-swallowed',
    file: `${SOURCE}/update.ts`,
    find: 'if (await isStored(database, restaurantGuid, rows)) return;',
    replace: 'return;',
    why: 'A kitchen would believe in a stock that was never stored.',
    caughtBy: { file: `${TESTS}/lost-commit.test.ts`, name: /503: a lost COMMIT that did not/ },
  },
  {
    name: 'stock-quantity-as-double',
    file: `${SOURCE}/quantity.ts`,
    find: 'return match && fits ? match[0] : null;',
    replace: 'return fits ? quantity.toFixed(2) : null;',
    why: 'A third of a cake would be rounded in the store.',
    caughtBy: { file: `${SOURCE}/quantity.test.ts`, name: /S7: a quantity keeps exactly/ },
  },
];
