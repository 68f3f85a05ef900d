import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('./setup.mjs', import.meta.url));

/**
 * Stands in for npm: writes down how it was called, and installs what its environment says. The
 * pinned Node.js that it makes is a script that only knows its version.
 */
const FAKE_NPM = `
const fs = require('node:fs');
const { NPM_CALLS, NPM_FAILS, NPM_SKIPS_SCRIPTS, SCARF_ANALYTICS } = process.env;
const words = process.argv.slice(2).join(' ');
fs.appendFileSync(NPM_CALLS, words + ' scarf=' + SCARF_ANALYTICS + '\\n');
if (NPM_FAILS) { console.error('npm error ' + NPM_FAILS); process.exit(1); }
fs.mkdirSync('node_modules/node', { recursive: true });
fs.writeFileSync('node_modules/node/installArchSpecificPackage.js', process.env.NPM_SCRIPT ?? '');
if (!NPM_SKIPS_SCRIPTS) {
  fs.mkdirSync('node_modules/node/bin', { recursive: true });
  fs.writeFileSync('node_modules/node/bin/node', '#!/bin/sh\\necho v26.0.0\\n', { mode: 0o755 });
}
fs.writeFileSync('node_modules/.package-lock.json', '{}');
`;

let root: string;
let calls: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'setup-'));
  await chmod(root, 0o755);
  calls = path.join(root, 'calls');
  await mkdir(path.join(root, 'tools'));
  await copyFile(SETUP, path.join(root, 'tools', 'setup.mjs'));
  await writeFile(path.join(root, 'package-lock.json'), '{"packages": {}}');
  await writeFile(path.join(root, 'npm-cli.js'), FAKE_NPM);
});
afterEach(() => rm(root, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly output: string;
}

function start(env: Record<string, string> = {}, node = process.execPath, uid?: number) {
  return spawn(node, [path.join(root, 'tools', 'setup.mjs')], {
    env: {
      PATH: '/usr/bin:/bin',
      npm_execpath: path.join(root, 'npm-cli.js'),
      NPM_CALLS: calls,
      ...env,
    },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

async function finish(child: ChildProcess): Promise<Outcome> {
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

const setUp = (...parameters: Parameters<typeof start>) => finish(start(...parameters));
const readCalls = async () =>
  (await readFile(calls, 'utf8').catch(() => '')).split('\n').slice(0, -1);

test('a first set-up installs from the lock file, quietly, and the next does nothing', async () => {
  const first = await setUp();
  assert.equal(first.code, 0, first.output);
  assert.match(first.output, /^setup: +\d+ s {2}installing the packages.*\n(.*\n)*.* installed\n$/);
  const [call = ''] = await readCalls();
  assert.match(call, /^ci .*--no-audit.*--include=dev --include=optional.* scarf=false$/);
  assert.deepEqual(await setUp(), { code: 0, output: '' });
  assert.equal((await readCalls()).length, 1);
});

test('a changed lock file, and a lost pinned Node.js, are set up again', async () => {
  await setUp();
  await writeFile(path.join(root, 'package-lock.json'), '{"packages": {}, "version": 2}');
  assert.equal((await setUp()).code, 0);
  await rm(path.join(root, 'node_modules', 'node', 'bin'), { recursive: true });
  assert.equal((await setUp()).code, 0);
  assert.deepEqual(
    (await readCalls()).map((call) => call.split(' ')[0]),
    ['ci', 'install', 'install'],
  );
});

test('an installation that was killed half way is made from scratch', async () => {
  await mkdir(path.join(root, 'node_modules', 'half'), { recursive: true });
  assert.equal((await setUp()).code, 0);
  assert.match((await readCalls())[0] ?? '', /^ci /);
});

test('processes that set up at once install once', async () => {
  const outcomes = await Promise.all([setUp(), setUp(), setUp()]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.code),
    [0, 0, 0],
  );
  assert.equal((await readCalls()).length, 1);
});

test('the lock of a killed process is taken over, that of a living one is waited for', async () => {
  const lock = path.join(root, '.servery-setup.lock');
  const dead = spawn(process.execPath, ['-e', '']);
  await once(dead, 'close');
  await mkdir(lock);
  await writeFile(path.join(lock, 'pid'), String(dead.pid));
  assert.equal((await setUp()).code, 0);

  await rm(path.join(root, 'node_modules'), { recursive: true });
  await mkdir(lock);
  await writeFile(path.join(lock, 'pid'), String(process.pid));
  const waiting = start();
  const ended = finish(waiting);
  const [said] = await once(waiting.stdout, 'data');
  assert.match(String(said), /another process is installing, waiting/);
  await rm(lock, { recursive: true });
  assert.equal((await ended).code, 0);

  await rm(path.join(root, 'node_modules'), { recursive: true });
  // Killed between making the folder and writing its number.
  await mkdir(lock);
  await utimes(lock, 1, 1);
  assert.equal((await setUp()).code, 0);
  await assert.rejects(stat(lock));
});

test("npm's failures are told by what to do about them", async () => {
  const cases: [string, RegExp][] = [
    ['code ENOTFOUND', /npm ci failed: the npm registry cannot be reached.*\n.*ENOTFOUND/],
    ['code ENOSPC', /the disk is full/],
    ['code EACCES', /cannot be written; run this as their owner/],
    ['code EBADPLATFORM', /a package does not support/],
    ['something new', /see above|something new/],
  ];
  for (const [failure, expected] of cases) {
    const { code, output } = await setUp({ NPM_FAILS: failure });
    assert.equal(code, 1);
    assert.match(output, expected);
    assert.doesNotMatch(output, /at .*setup\.mjs/, 'no stack trace');
  }
  await assert.rejects(stat(path.join(root, '.servery-setup.lock')), 'no lock stays behind');
});

test('a folder that cannot be written is refused before anything is tried', async () => {
  const isRoot = process.getuid?.() === 0;
  // Root may write everywhere; whom it tries this as may not be able to enter the checkout.
  const node = isRoot ? path.join(root, 'node') : process.execPath;
  if (isRoot) await cp(process.execPath, node);
  await chmod(root, 0o555);
  const { code, output } = await setUp({}, node, isRoot ? 65_534 : undefined);
  await chmod(root, 0o755);
  assert.equal(code, 1);
  assert.match(
    output,
    /packages must be installed, but .* cannot be written; run this as its owner/,
  );
  assert.deepEqual(await readCalls(), []);
});

test('where install scripts are off, a new enough Node.js of the system does', async () => {
  const first = await setUp({ NPM_SKIPS_SCRIPTS: '1' });
  assert.equal(first.code, 0, first.output);
  assert.match(first.output, /using the Node\.js of this system/);
  assert.deepEqual(await setUp(), { code: 0, output: '' });
});

test('where it is too old, the pinned one is fetched by itself, or asked for', async () => {
  // As in `npm start`: the script runs on the pinned Node.js, npm on the old one of the system.
  const pinned = path.join(root, 'node_modules', 'own-node');
  await mkdir(path.dirname(pinned));
  await cp(process.execPath, pinned);
  const old = path.join(root, 'old-node');
  const version = '[ "$1" = --version ] && echo v18.20.0 && exit';
  const script = `#!/bin/sh\n${version}\nexec ${process.execPath} "$@"\n`;
  await writeFile(old, script, { mode: 0o755 });
  const env = { npm_node_execpath: old, NPM_SKIPS_SCRIPTS: '1' };

  const refused = await setUp(env, pinned);
  assert.equal(refused.code, 1);
  assert.match(refused.output, /cannot run on .* install Node\.js 24 or newer/);

  const fetches = `const fs = require('node:fs'); fs.mkdirSync('bin');
    fs.writeFileSync('bin/node', '#!/bin/sh\\necho v26.0.0\\n', { mode: 0o755 });`;
  const fetched = await setUp({ ...env, NPM_SCRIPT: fetches }, pinned);
  assert.equal(fetched.code, 0, fetched.output);
  assert.match(fetched.output, /fetching the pinned Node\.js by itself/);
});
