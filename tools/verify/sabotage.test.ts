import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { applyDefect, type Defect } from './sabotage/defect.ts';
import { defects } from './sabotage/defects.ts';
import { testTitles } from './sabotage/titles.ts';
import { judge } from './sabotage/verdict.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What is wrong with a row of the table; empty for nothing. */
function faultsOf(defect: Defect): string[] {
  const { name, file, caughtBy } = defect;
  const missing = [file, caughtBy.file].filter((path) => !existsSync(join(ROOT, path)));
  if (missing.length > 0) return missing.map((path) => `${name}: there is no ${path}`);
  const faults: string[] = [];
  try {
    const text = read(file);
    if (applyDefect(defect, text) === text) faults.push(`${name}: it changes nothing`);
  } catch (error) {
    faults.push((error as Error).message);
  }
  const titles = testTitles(caughtBy.file, read(caughtBy.file));
  const count = titles.filter((title) => caughtBy.name.test(title)).length;
  if (count !== 1) faults.push(`${name}: ${count} titles in ${caughtBy.file} are ${caughtBy.name}`);
  return faults;
}

test('sabotage: each defect has its place in the code and one test that is to catch it', () => {
  assert.deepEqual(defects.flatMap(faultsOf), []);
});

test('sabotage: each defect has a name of its own and says why it matters', () => {
  const names = defects.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, why } of defects) {
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)+$/);
    assert.match(why, /^[A-Z].*\.$/, name);
  }
});

const sample: Defect = {
  ...{ name: 'sample-defect', file: 'sample.ts', find: 'a > b', replace: 'a >= b' },
  why: 'One too many.',
  caughtBy: { file: 'sample.test.ts', name: /sample/ },
};

test('sabotage: a defect whose text is gone, or stands there twice, must be renewed', () => {
  assert.equal(applyDefect(sample, 'if (a > b) c();'), 'if (a >= b) c();');
  for (const text of ['if (a < b) c();', 'a > b || a > b']) {
    assert.throws(() => applyDefect(sample, text), /sample-defect: .* must be renewed/);
  }
});

test('sabotage: only a named test that fails by itself is a catch', () => {
  const passed = { title: 'stock S1', passed: true, failureType: null, complaint: null };
  const failed = { ...passed, passed: false, failureType: 'testCodeFailure', complaint: '1 != 2' };
  assert.equal(judge([failed], /S1/).outcome, 'failed');
  assert.equal(judge([passed, failed], /S1/).outcome, 'failed', 'one of several');
  assert.equal(judge([passed, { ...failed, title: 'stock S2' }], /S1/).outcome, 'passed');
  for (const failureType of ['hookFailed', 'cancelledByParent']) {
    assert.equal(judge([{ ...failed, failureType }], /S1/).outcome, 'not run', failureType);
  }
  const unloaded = { ...failed, title: 'stock.test.ts', complaint: 'no such module' };
  assert.deepEqual(judge([unloaded], /S1/), { outcome: 'not run', complaint: 'no such module' });
});

test('sabotage: titles are read from any kind of text, with … for what is inserted', () => {
  const text = `test('a', f); test(\`b \${c} d\`, f); for (const g of h) test("e", f); test(i, f);`;
  assert.deepEqual(testTitles('x.test.ts', text), ['a', 'b … d', 'e']);
});
