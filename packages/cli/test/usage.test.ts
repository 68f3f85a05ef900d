import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fitted } from '../src/tell.ts';
import { findOldNode, servery } from './command.ts';
import { runHere } from './remote-platform.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const COLOUR = /\u001b/;

/** Tells at the end, on standard error, which packages were loaded. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({
  load(url, context, next) {
    loaded.add(/node_modules\\/([^/]+)/.exec(url)?.[1] ?? 'own');
    return next(url, context);
  },
});
process.on('exit', () => console.error(JSON.stringify([...loaded])));`)}`;

describe('servery usage', { concurrency: 2 }, () => {
  test('servery: errors and notes come in lines for a narrow terminal, and commands stay whole', async () => {
    const env = { COLUMNS: '60' };
    for (const args of [
      ['faults', 'add', 'lostAnswr'],
      ['sandbox', 'drop'],
      ['clok'],
      ['sandbox', 'drop', 'main'],
    ]) {
      const { code, err } = await runHere(args, env);
      assert.equal(code, 2, err);
      for (const line of err.split('\n')) assert.ok(line.length <= 60, line);
    }
    const text = 'A sentence of words:\n  servery a command\n  - an item of words';
    assert.equal(
      fitted(text, 12),
      'A sentence\nof words:\n  servery a command\n  - an item\n    of words',
    );
  });

  test('servery --help tells commands and exit codes in lines for a narrow terminal', async () => {
    const { code, out, err } = await runHere(['--help'], { COLUMNS: '60' });
    assert.equal(code, 0);
    assert.equal(err, '');
    for (const word of ['start', 'import', 'export', 'generate', 'Exit codes']) {
      assert.ok(out.includes(word), word);
    }
    const longest = Math.max(...out.split('\n').map((line) => line.length));
    assert.ok(longest <= 80, `a line has ${longest} characters`);
    assert.doesNotMatch(out, COLOUR);
  });

  test('servery ends as it would when nobody reads what it tells beside the result', async () => {
    const { code } = await servery(['imprt'], { onStart: (child) => child.stderr?.destroy() });
    assert.equal(code, 2);
  });

  test('servery loads only what a command needs, so that it is there at once', async () => {
    const env = { NODE_OPTIONS: `--import=${TELL_LOADED}` };
    const { code, err } = await servery(['--version'], { env, node: process.execPath });
    assert.equal(code, 0, err);
    const loaded = JSON.parse(err) as string[];
    assert.ok(loaded.includes('own') && loaded.includes('commander'), err);
    for (const heavy of ['postgres', 'jose', 'typebox', 'ajv', 'fastify', 'yaml']) {
      assert.ok(!loaded.includes(heavy), `${heavy} was loaded`);
    }
  });

  for (const [args, told] of [
    [['imprt', 'x.json'], 'unknown command \'imprt\'. Did you mean "import"?'],
    [['help', 'imprt'], 'unknown command \'imprt\'. Did you mean "import"?'],
    [['stcok', '--statsu'], 'unknown command \'stcok\'. Did you mean "stock"?'],
    [['stock', 'lits'], 'unknown command \'lits\'. Did you mean "list"?'],
    [['help', 'stock', 'lits'], 'unknown command \'lits\'. Did you mean "list"?'],
    [['stock', 'help', 'lits'], 'unknown command \'lits\'. Did you mean "list"?'],
    [['clients', 'secrets', 'ad'], 'unknown command \'ad\'. Did you mean "add"?'],
    [['import', 'x.json', '--relpace'], 'unknown option \'--relpace\'. Did you mean "--replace"?'],
    [['stock', '--statsu=out'], 'unknown option \'--statsu=out\'. Did you mean "--status"?'],
    [['stock', '--prfoile', 'x'], 'unknown option \'--prfoile\'. Did you mean "--profile"?'],
    [['help', 'zzzzzz'], "unknown command 'zzzzzz'."],
  ] as const) {
    test(`servery ${args.join(' ')} exits with 2 and suggests the nearest name`, async () => {
      const { code, out, err } = await runHere(args, { SERVERY_DATA_DIR: '/nowhere' });
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /^servery: (.*)\nFor help, run "servery[a-z ]* --help"\.\n$/);
      assert.equal(err.slice('servery: '.length, err.indexOf('\n')), told);
      assert.doesNotMatch(err, COLOUR);
    });
  }

  test('servery help shows the help of the command that all its words name', async () => {
    const { code, out } = await runHere(['help', 'clients', 'secrets', 'add'], {});
    assert.equal(code, 0);
    assert.match(out, /^Usage: servery clients secrets add /);
    assert.match((await runHere(['stock', 'help'], {})).out, /^Usage: servery stock /);
    assert.match((await runHere(['help'], {})).out, /^Usage: servery /);
  });

  test('servery generate exits with 2 for an unknown profile and lists the others', async () => {
    const { code, err } = await runHere(['generate', 'dmo'], {});
    assert.equal(code, 2);
    assert.match(
      err,
      /<profile> "dmo" is unknown\. Did you mean "demo"\? Use one of demo, empty, huge/,
    );
  });

  test('servery exits with 1 for a file that cannot be read or written, and says why', async () => {
    const written = await runHere(['generate', 'empty', '--out', '/nowhere/x.json'], {});
    assert.equal(written.code, 1);
    assert.match(written.err, /nowhere\/x\.json cannot be written: there is no such directory\n$/);
    const own = await mkdtemp(path.join(tmpdir(), 'servery-usage-'));
    const folder = await runHere(['generate', 'empty', '--out', own], {});
    await rm(own, { recursive: true });
    assert.match(folder.err, /cannot be written: it is a directory\n$/);
    const card = ['--card', '4111111111111111', '--amount', '1'];
    const origin = ['--origin-ip', '192.0.32.10'];
    const args = ['encrypt', ...card, ...origin, '--public-key', '/nowhere/key'];
    const read = await runHere(args, {});
    assert.equal(read.code, 1);
    assert.match(read.err, /nowhere\/key cannot be read: there is no such file\n$/);
  });

  test('servery exits with 2 and tells every faulty setting', async () => {
    const env = { DATABASE_URL: 'mysql://x', SERVERY_PORT: 'many' };
    const { code, err } = await runHere(['export'], env);
    assert.equal(code, 2);
    assert.match(err, /the settings are wrong:\n/);
    assert.match(err, /DATABASE_URL/);
    assert.match(err, /SERVERY_PORT/);
  });

  test('servery exits with 2 for a variable of ours that there is not', async () => {
    const env = { SERVERY_CLIENTID: 'operator', SERVERY_VELOCITY_LIMTS: 'on' };
    for (const args of [['clock'], ['export'], ['cards']]) {
      const { code, out, err } = await runHere(args, env);
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.match(err, /SERVERY_CLIENTID is not a setting: is SERVERY_CLIENT_ID meant\?/);
      assert.match(
        err,
        /SERVERY_VELOCITY_LIMTS is not a setting: is SERVERY_VELOCITY_LIMITS meant\?/,
      );
    }
  });

  test('servery export exits with 1 when the database cannot be reached, and says so', async () => {
    // Port 1 of this machine: nothing listens there.
    const { code, err } = await runHere(
      ['export', '--database-url', 'postgres://a:b@127.0.0.1:1/c'],
      {},
    );
    assert.equal(code, 1);
    assert.match(err, /DATABASE_URL .*127\.0\.0\.1:1.* cannot be used: nothing listens there/);
    assert.doesNotMatch(err, /:b@/);
  });

  for (const looks of [
    ['export'],
    ['clients', 'list', '--local'],
    ['clients', 'secrets', 'add', 'anyone', '--local'],
    ['clients', 'revoke', 'anyone', '--local'],
    ['backup', 'file'],
    ['migrate', 'status'],
  ]) {
    test(`servery ${looks.join(' ')} makes no database where there is none`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-none-'));
      const dataDir = path.join(folder, 'data');
      const { code, out, err } = await runHere(looks, { SERVERY_DATA_DIR: dataDir });
      assert.deepEqual([code, out], [1, ''], err);
      assert.match(
        err,
        /there is no database in \S+data yet\. Name another data directory with --data-d/,
      );
      assert.equal(existsSync(dataDir), false);
      await rm(folder, { recursive: true });
    });
  }

  test('servery start exits with 2 for a flag or a variable that there is not', async () => {
    const env = { SERVERY_CLIENTID: 'operator' };
    const { code, err } = await servery(['start', '--prot', '0'], { env });
    assert.equal(code, 2);
    assert.match(err, /SERVERY_CLIENTID is not a setting: is SERVERY_CLIENT_ID meant\?/);
    assert.match(err, /The flag --prot is not known: is --port meant\?/);
  });

  const node = findOldNode();
  const skip = node ? false : 'this machine has no older Node.js';
  test('servery on an older Node.js runs on the one of this repository', { skip }, async () => {
    const old = node ? { node } : {};
    const check = ['import', '-', '--check', '--json'];
    const { code, out, err } = await servery(check, { ...old, input: '{}' });
    assert.equal(code, 2, err);
    assert.equal(JSON.parse(out).valid, false);
  });
});
