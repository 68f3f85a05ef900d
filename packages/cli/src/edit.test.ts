import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { assigned, editOf, patchOf } from './edit.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-edit-'));
});
after(() => rm(folder, { recursive: true, force: true }));

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

test('servery --set overrides --file, and options of their own override both', async () => {
  const file = path.join(folder, 'edit.yaml');
  await writeFile(file, 'general:\n  name: One\n  closeoutHour: 4\nurls: {website: x}\n');
  const set = ['general.name=Two', 'urls=null'];
  assert.deepEqual(await patchOf({ file, set }, { general: { locationCode: 'C' } }), {
    general: { name: 'Two', closeoutHour: 4, locationCode: 'C' },
    urls: null,
  });
});

test('servery edit: nothing to change, and a file without fields, are refused', async () => {
  await assert.rejects(
    editOf({ options: {}, request: {} } as never),
    /nothing to change\. Use --set/,
  );
  const file = path.join(folder, 'list.json');
  await writeFile(file, '[1]');
  await assert.rejects(
    editOf({ options: { file }, request: {} } as never),
    /has no fields\. Write field: value/,
  );
});
