import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathText, readPath } from './faults.ts';

test('readPath reads what pathText writes, and nothing else', () => {
  const step = fc.oneof(fc.string({ maxLength: 20, unit: 'binary' }), fc.nat(999_999));
  const path = fc.array(step, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(path, (steps) => {
      assert.deepEqual(readPath(pathText(steps)), steps);
    }),
  );
  for (const text of ['.a', 'a.', 'a..b', 'a[', 'a[-1]', 'a b', '[1]b', 'a["b]']) {
    assert.equal(readPath(text), null, text);
  }
});
