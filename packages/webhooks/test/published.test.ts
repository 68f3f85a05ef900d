import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import manifest from '../package.json' with { type: 'json' };

const root = path.join(import.meta.dirname, '../../..');
/** What a reader may be told to install it by; decisions are about the code alone. */
const pages = globSync(['README.md', 'docs/**/*.md'], {
  cwd: root,
  exclude: ['docs/decisions/*'],
});

test('webhooks: each page that names the package says whether it can be installed', () => {
  const telling = pages.filter((page) => /@servery\/webhooks/.test(textOf(page)));
  assert.ok(telling.length > 0);
  for (const page of telling) {
    const says = /`@servery\/webhooks` (is|are) \*\*not published/.test(textOf(page));
    assert.equal(says, manifest.private, `${page} says that it cannot be installed: ${says}`);
  }
});

function textOf(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}
