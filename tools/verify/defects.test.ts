import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOf } from './defects/fault.ts';
import { defects } from './defects/list.ts';

test('npm run defects: each defect can still be planted where it belongs', () => {
  assert.deepEqual(
    defects.flatMap((defect) => faultOf(defect) ?? []),
    [],
  );
});
