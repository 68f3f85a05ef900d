import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { moves } from '@servery/server/payments/life/lifecycle.ts';
import { withParts } from './docs/parts.ts';
import { paymentLifeParts } from './docs/payment-life.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('docs: every written page is what the code says', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/docs.ts', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

test('docs: the diagram of a payment’s life has every move, and no other', () => {
  const { diagram = '' } = paymentLifeParts();
  const drawn = [...diagram.matchAll(/^ {2}(\S+) --> (\w+) : (.+)$/gm)].flatMap(
    ([, from, to, causes = '']) => causes.split(', ').map((cause) => `${from} ${cause} ${to}`),
  );
  const expected = moves.map(({ from, cause, to }) => {
    return `${from === 'NEW' ? '[*]' : from} ${cause} ${to}`;
  });
  assert.deepEqual(drawn.sort(), expected.sort());
});

test('docs: a part is written into its place, again and again, and nothing else changes', () => {
  const page = 'Before.\n<!-- moves: by a tool -->\nold\n<!-- end of moves -->\nAfter.\n';
  const renewed = withParts(page, { moves: 'costs $1 & $& more\n' });
  assert.equal(
    renewed,
    'Before.\n<!-- moves: by a tool -->\n\ncosts $1 & $& more\n\n<!-- end of moves -->\nAfter.\n',
  );
  assert.equal(withParts(renewed, { moves: 'costs $1 & $& more\n' }), renewed);
});

test('docs: a part without a place in its page, or with two, is told', () => {
  const place = '<!-- moves: by a tool -->\n<!-- end of moves -->\n';
  assert.throws(() => withParts('nothing', { moves: '' }), /0 places .* "moves"/);
  assert.throws(() => withParts(place + place, { moves: '' }), /2 places .* "moves"/);
});
