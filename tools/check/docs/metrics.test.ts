import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const MADE = /\.(?:counter|pairCounter|times|gauge|waiting|countsOf|sums)(?:<[^(]*>)?\(\{\s*/;
const NAMED = /name: '(\w+)',[^}]*?labels?: (\[[^\]]*\]|'\w+')/;
const METRIC = new RegExp(MADE.source + NAMED.source, 'gs');

test('docs/reference/metrics.md: its table of metrics has each of ours, with its labels', () => {
  const page = readFileSync(path.join(root, 'docs/reference/metrics.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const files = globSync('packages/server/src/**/*.ts', { cwd: root });
  const found = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(path.join(root, file), 'utf8').matchAll(METRIC)]);
  assert.ok(found.length > 20, `only ${found.length} were found`);
  for (const [, name = '', labels = ''] of found) {
    const row = rows.find((one) => namesIn(one).some((known) => isNamed(name, known)));
    assert.ok(row, `${name} is in no row`);
    for (const [, label] of labels.matchAll(/'(\w+)'/g)) {
      assert.ok(row.split('|')[2]?.includes(`\`${label}\``), `${name} has the label ${label}`);
    }
  }
});

function namesIn(row: string): string[] {
  return [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** A row may name several by what they begin with. */
function isNamed(name: string, known: string): boolean {
  return known.endsWith('…') ? name.startsWith(known.slice(0, -1)) : name === known;
}
