import assert from 'node:assert/strict';
import { test } from 'node:test';
import cardValidator from 'card-validator';
import fc from 'fast-check';
import { cardTypeOf } from './card-types.ts';

const { creditCardType } = cardValidator;

/** The numbers that begin as a brand's do, and those right beside them. */
const edges = Object.values(creditCardType.types)
  .flatMap((name) => creditCardType.getTypeInfo(name).patterns)
  .flatMap((pattern) => (Array.isArray(pattern) ? pattern : [pattern]))
  .flatMap((leading) => [Number(leading) - 1, Number(leading), Number(leading) + 1])
  .map(String);

function check(digits: string): void {
  const { card } = cardValidator.number(digits);
  const wanted = card && { name: card.type, lengths: card.lengths, codeLength: card.code.size };
  assert.deepEqual(cardTypeOf(digits), wanted, digits);
}

test('creditCards.authorize 200 PAY-11: a number has the brand that the library gives it', () => {
  const rest = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 19 });
  for (const leading of edges) {
    for (const filled of ['0', '9']) check(leading.padEnd(16, filled));
  }
  fc.assert(
    fc.property(fc.constantFrom('', ...edges), rest, (leading, digits) => {
      check(`${leading}${digits.join('')}`.slice(0, Math.max(12, digits.length)));
    }),
    { numRuns: 2_000 },
  );
});
