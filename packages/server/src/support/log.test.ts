import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLog } from './log.ts';

/** What the log writes on a terminal of that many columns. */
function onTerminal(columns: number, write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const terminal = {
    columns,
    write: (part: string) => {
      text += part;
    },
  };
  write(createLog('debug', terminal));
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'AT');
}

test('log: on a terminal an entry is one line of text where it has room', () => {
  const facts = { clientId: 'partner', count: 3 };
  assert.equal(
    onTerminal(80, (log) => log.info(facts, 'a key was issued')),
    'servery: AT a key was issued (clientId: partner, count: 3)\n',
  );
  assert.equal(
    onTerminal(80, (log) => log.warn('it is late')),
    'servery: AT WARN it is late\n',
  );
  const unknownWidth = onTerminal(0, (log) => log.info(facts, 'a key was issued'));
  assert.equal(unknownWidth, 'servery: AT a key was issued (clientId: partner, count: 3)\n');
});

test('log: on a narrow terminal each fact has a line of its own', () => {
  assert.equal(
    onTerminal(40, (log) =>
      log.error({ kind: 'REVIEW', of: { a: 1 } }, 'a payment needs a person'),
    ),
    'servery: AT ERROR a payment needs a person\n  kind: REVIEW\n  of: {"a":1}\n',
  );
});

test('log: on a terminal an error shows where it comes from', () => {
  const text = onTerminal(80, (log) => log.error({ err: new Error('broken'), tries: 2 }, 'failed'));
  assert.match(
    text,
    /^servery: AT ERROR failed\n {2}tries: 2\n {2}Error: broken\n {6}at .*log\.test/,
  );
});

test('log: on a terminal nobody’s text is a command', () => {
  const text = onTerminal(80, (log) => log.info({ name: 'a\u001b[2Jb\u009bc' }, '\u001b[31mred'));
  assert.equal(text, 'servery: AT \u{fffd}[31mred (name: a\u{fffd}[2Jb\u{fffd}c)\n');
});

test('log: in a pipe it is JSON lines', () => {
  const file = JSON.stringify(fileURLToPath(new URL('./log.ts', import.meta.url)));
  const script = `(await import(${file})).createLog('info').info({ count: 3 }, 'done')`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.equal(stdout, '');
  const { time, ...entry } = JSON.parse(stderr);
  assert.ok(time > 0);
  assert.deepEqual(entry, { level: 30, count: 3, msg: 'done' });
});
