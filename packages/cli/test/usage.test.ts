import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { servery } from './command.ts';

const OLD_NODE = '/usr/bin/node';
const oldVersion = spawnSync(OLD_NODE, ['-p', 'process.versions.node'], {
  encoding: 'utf8',
}).stdout;
const hasOldNode = oldVersion !== null && Number.parseInt(oldVersion, 10) < 24;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const COLOUR = /\u001b/;

describe('servery usage', { concurrency: 2 }, () => {
  test('servery --help tells commands and exit codes in lines for a narrow terminal', async () => {
    const { code, out, err } = await servery(['--help'], { env: { COLUMNS: '60' } });
    assert.equal(code, 0);
    assert.equal(err, '');
    for (const word of ['start', 'import', 'export', 'generate', 'Exit codes']) {
      assert.ok(out.includes(word), word);
    }
    const longest = Math.max(...out.split('\n').map((line) => line.length));
    assert.ok(longest <= 80, `a line has ${longest} characters`);
    assert.doesNotMatch(out, COLOUR);
  });

  test('servery exits with 2 and suggests the nearest command', async () => {
    const { code, out, err } = await servery(['imprt', 'x.json']);
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(err, /unknown command 'imprt'\n\(Did you mean import\?\)/);
    assert.doesNotMatch(err, COLOUR);
  });

  test('servery import exits with 2 and suggests the nearest flag', async () => {
    const { code, err } = await servery(['import', 'x.json', '--relpace']);
    assert.equal(code, 2);
    assert.match(err, /unknown option '--relpace'\n\(Did you mean --replace\?\)/);
  });

  test('servery generate exits with 2 for an unknown profile and lists the others', async () => {
    const { code, err } = await servery(['generate', 'dmo']);
    assert.equal(code, 2);
    assert.match(err, /Allowed choices are demo, empty, huge/);
  });

  test('servery exits with 2 and tells every faulty setting', async () => {
    const env = { DATABASE_URL: 'mysql://x', SERVERY_PORT: 'many' };
    const { code, err } = await servery(['export'], { env });
    assert.equal(code, 2);
    assert.match(err, /the settings are not right:\n/);
    assert.match(err, /DATABASE_URL/);
    assert.match(err, /SERVERY_PORT/);
  });

  test('servery export exits with 1 when the database cannot be reached, and says so', async () => {
    // Port 1 of this machine: nothing listens there.
    const { code, err } = await servery([
      'export',
      '--database-url',
      'postgres://a:b@127.0.0.1:1/c',
    ]);
    assert.equal(code, 1);
    assert.match(err, /the database cannot be reached .*is DATABASE_URL right\?/);
    assert.doesNotMatch(err, /:b@/);
  });

  test('servery start exits with 2 for a flag that there is not', async () => {
    const { code, err } = await servery(['start', '--prot', '0']);
    assert.equal(code, 2);
    assert.match(err, /flag --prot is not known/);
  });

  const skip = hasOldNode ? false : `${OLD_NODE} is not an older Node.js`;
  test('servery started by an older Node.js runs on the one of this repository', {
    skip,
  }, async () => {
    const document = await servery(['generate', 'empty'], { node: OLD_NODE });
    assert.equal(document.code, 0, document.err);
    assert.equal(JSON.parse(document.out).format, 'servery.group/1');
    const args = ['import', '-', '--check'];
    const input = document.out;
    assert.equal((await servery(args, { node: OLD_NODE, input })).code, 0);
    assert.equal((await servery(args, { node: OLD_NODE, input: '{}' })).code, 2);
  });
});
