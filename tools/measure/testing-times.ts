/**
 * Measures `@servery/testing` as it is published: the first passing test from an empty folder, and
 * 1,000 tests on 8 workers, none of which may see an order of another sandbox: `npm run
 * testing-times`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readArguments, readOrEnd, toggle, wholeNumber } from '../../bench/src/command-line.ts';
import { tarballOf } from '../package/manifest.ts';
import { ROOT } from '../package/programs.ts';

const line = {
  command: 'npm run testing-times',
  about:
    'Packs and installs @servery/testing, and prints how long a first test takes from an empty ' +
    'folder, and how long many tests take on several workers, which share no sandbox.',
  words: null,
  flags: {
    files: wholeNumber('how many test files', 40, 1),
    tests: wholeNumber('how many tests in each', 25, 1),
    workers: wholeNumber('how many of the files run at once', 8, 1),
    'per-test': toggle('opens a sandbox for each test, not for each file'),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const { files, tests, workers, 'per-test': isPerTest } = values;

const run = promisify(execFile);
const FIXTURE = path.join(ROOT, 'packages/testing/fixtures/node');
const MANY = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useSandbox } from '@servery/testing/node';
import { listOwnOrders, orderLunch } from './shop.js';

const shared = SHARED ? await useSandbox() : null;
const placed = [];
for (let number = 0; number < TESTS; number += 1) {
  test(\`order \${number}\`, async (t) => {
    const { servery } = shared ?? (await useSandbox({ test: t }));
    const name = \`shop:FILE-\${number}\`;
    placed.push(name);
    await orderLunch(servery, name);
    assert.deepEqual((await listOwnOrders(servery)).sort(), shared ? placed.toSorted() : [name]);
  });
}
`;

const folder = await mkdtemp(path.join(tmpdir(), 'servery-testing-times-'));
try {
  await run(process.execPath, ['tools/package.ts'], { cwd: ROOT });
  const tarballs = ['servery', '@servery/client', '@servery/testing'].map(tarballOf);
  await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  const installed = await timed(() =>
    run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: folder }),
  );
  const first = await readFile(path.join(FIXTURE, 'first.test.js'), 'utf8');
  await writeFile(path.join(folder, 'first.test.js'), first);
  const passed = await timed(() => runTests(['first.test.js'], 1, 1));
  const lines = first.split('\n').filter((each) => each.trim() !== '').length;
  console.log(`first test: ${lines} lines, ${installed} s to install, ${passed} s to pass`);

  await cp(path.join(FIXTURE, 'shop.js'), path.join(folder, 'shop.js'));
  const names = await writeMany();
  const seconds = await timed(() => runTests(names, workers, files * tests));
  const each = isPerTest ? 'test' : 'file';
  console.log(
    `${files * tests} tests on ${workers} workers, a sandbox for each ${each}: ${seconds} s`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeMany(): Promise<string[]> {
  const names: string[] = [];
  for (let file = 0; file < files; file += 1) {
    const name = `many-${file}.test.js`;
    const text = MANY.replace('SHARED', String(!isPerTest))
      .replace('TESTS', String(tests))
      .replace('FILE', String(file));
    await writeFile(path.join(folder, name), text);
    names.push(name);
  }
  return names;
}

/** Throws an Error with what the runner said unless as many tests pass, and all. */
async function runTests(names: readonly string[], atOnce: number, count: number): Promise<void> {
  const args = ['--test', '--test-reporter=tap', `--test-concurrency=${atOnce}`, ...names];
  const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 1e9 }).catch(
    ({ stdout: said }) => {
      throw new Error(said);
    },
  );
  assert.ok(stdout.includes(`\n# pass ${count}\n`) && stdout.includes('\n# fail 0\n'), stdout);
}

async function timed(work: () => Promise<unknown>): Promise<string> {
  const beganMs = performance.now();
  await work();
  return ((performance.now() - beganMs) / 1_000).toFixed(1);
}
