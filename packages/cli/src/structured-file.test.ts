import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readStructured } from './structured-file.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-structured-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function read(name: string, text: string) {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return readStructured(file);
}

test('servery files: YAML and JSON are read, and tell the line of each part', async () => {
  const yaml = await read('a.yaml', '# menu\nmenuItems:\n  - name: Soup\n  - name: Pie\n');
  assert.deepEqual(yaml.value, { menuItems: [{ name: 'Soup' }, { name: 'Pie' }] });
  assert.match(yaml.placeOf(['menuItems', 1, 'name']), /a\.yaml:4$/);
  assert.match(yaml.placeOf(['menuItems', 0, 'price']), /a\.yaml:3$/, 'the nearest there is');
  assert.match(yaml.placeOf([]), /a\.yaml:2$/);
  const json = await read('a.json', '\ufeff{\n  "a": [1,\n    2]\n}');
  assert.deepEqual(json.value, { a: [1, 2] });
  assert.match(json.placeOf(['a', 1]), /a\.json:3$/);
});

test('servery files: dates and words such as no stay text', async () => {
  const { value } = await read('b.yaml', 'day: 2026-01-31\nword: no\nhour: 04:00\n');
  assert.deepEqual(value, { day: '2026-01-31', word: 'no', hour: '04:00' });
});

const faults: readonly (readonly [name: string, text: string, told: RegExp])[] = [
  ['twice.yaml', 'a: 1\nb: 2\na: 3\n', /twice\.yaml:3:1: Map keys must be unique/],
  ['twice.json', '{"a": 1,\n "a": 2}', /twice\.json:2:2: Map keys must be unique/],
  ['syntax.yaml', 'a: [1, 2\nb: 3\n', /syntax\.yaml:\d+:\d+: /],
  ['cut.json', '{"a": [1, 2', /cut\.json:\d+:\d+: /],
  ['empty.yaml', '', /empty\.yaml is empty\. Write a JSON or YAML document/],
  ['two.yaml', 'a: 1\n---\nb: 2\n', /two\.yaml:\d: a second document begins here\. Write only one/],
  ['tag.yaml', 'a: !!js/function "x"\n', /tag\.yaml:1:4: Unresolved tag/],
  ['alias.yaml', 'a: *nothing\n', /alias\.yaml:1:4: \*nothing has no anchor/],
];

for (const [name, text, told] of faults) {
  test(`servery files: ${name} is refused with its line`, async () => {
    await assert.rejects(read(name, text), told);
  });
}

test('servery files: aliases that would fill the memory are refused', async () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let at = 1; at < 9; at += 1) {
    const before = Array.from({ length: 9 }, () => `*a${at - 1}`).join(', ');
    lines.push(`a${at}: &a${at} [${before}]`);
  }
  await assert.rejects(read('bomb.yaml', lines.join('\n')), /far too many aliases/);
  const few = await read('few.yaml', 'a: &a {x: 1}\nb: *a\n');
  assert.deepEqual(few.value, { a: { x: 1 }, b: { x: 1 } });
});

test('servery files: a file that is not there is told', async () => {
  await assert.rejects(readStructured('/nowhere/x.yaml'), /cannot be read: there is no such file/);
});
