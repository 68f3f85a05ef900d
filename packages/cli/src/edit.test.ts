import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assigned, patchOf } from './edit.ts';

test('servery --set: a path becomes objects, a value JSON where it can be', () => {
  assert.deepEqual(assigned('general.closeoutHour=5'), { general: { closeoutHour: 5 } });
  assert.deepEqual(assigned('name=The Early Wren'), { name: 'The Early Wren' });
  assert.deepEqual(assigned('code="007"'), { code: '007' });
  assert.deepEqual(assigned('urls.website=null'), { urls: { website: null } });
  assert.deepEqual(assigned('a=b=c'), { a: 'b=c' });
  assert.deepEqual(assigned('name='), { name: '' });
  for (const text of ['name', '=5', 'a..b=1', 'a b=1', '']) {
    assert.throws(() => assigned(text), /is not an assignment\. Use field=value/, text);
  }
});

test('servery --set overrides --file, and options of their own override both', () => {
  const file = { general: { name: 'One', closeoutHour: 4 }, urls: { website: 'x' } };
  const set = { general: { name: 'Two' }, urls: null };
  assert.deepEqual(patchOf({ file, set }, { general: { locationCode: 'C' } }), {
    general: { name: 'Two', closeoutHour: 4, locationCode: 'C' },
    urls: null,
  });
});
