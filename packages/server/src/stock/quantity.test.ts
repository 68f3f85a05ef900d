import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalQuantity } from './quantity.ts';

test('STK-7: a quantity keeps exactly the digits that the caller wrote', () => {
  assert.equal(decimalQuantity(0.1), '0.1');
  assert.equal(decimalQuantity(12.5), '12.5');
  assert.equal(decimalQuantity(1e3), '1000');
  assert.equal(decimalQuantity(0.0001), '0.0001');
  assert.equal(decimalQuantity(999_999_999_999), '999999999999');
  assert.equal(decimalQuantity(999_999_999_999.5), '999999999999.5');
});

test('STK-7: over 12 digits before or 4 after the point do not fit', () => {
  for (const quantity of [1e12, 0.00001, 1.00001, 0.1 + 0.2, 1e-7, 5e-324, 1e21, 1.7e308]) {
    assert.equal(decimalQuantity(quantity), null, String(quantity));
  }
});

test('STK-7 property: any decimal of the allowed size comes back as it was written', () => {
  const parts = fc.tuple(
    fc.integer({ min: 0, max: 99_999_999_999 }),
    fc.integer({ min: 1, max: 9999 }),
  );
  fc.assert(
    fc.property(parts, ([whole, tenThousandths]) => {
      const fraction = String(tenThousandths).padStart(4, '0').replace(/0+$/, '');
      const text = `${whole}.${fraction}`;
      assert.equal(decimalQuantity(Number(text)), text);
    }),
  );
});
