import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeTestFolder, removeTestFolder } from '../packages/server/test/test-folder.ts';
import { runWatchedTests, type TestLimits } from './watched-tests.ts';

const LIMITS = { testMs: 60_000, fileMs: 60_000, idleMs: 60_000, lookMs: 100 };

/** Runs files of tests, and gives what became of them and what was said. */
async function run(bodies: Record<string, string>, limits: Partial<TestLimits>) {
  const folder = await makeTestFolder();
  try {
    for (const [name, body] of Object.entries(bodies)) {
      writeFileSync(path.join(folder, name), `import { test } from 'node:test';\n${body}`);
    }
    const lines: string[] = [];
    // Who runs tests within a test is told so by a variable, and runs none then.
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const code = await runWatchedTests({
      cwd: folder,
      env,
      options: ['--test-reporter=tap', '--test-reporter-destination=said'],
      files: Object.keys(bodies),
      limits: { ...LIMITS, ...limits },
      tell: (line) => lines.push(line),
    });
    return { code, lines, said: readFileSync(path.join(folder, 'said'), 'utf8') };
  } finally {
    removeTestFolder(folder);
  }
}

const GOOD = "test('a good one', () => {});";
const LOOP = "test('it never yields', () => { for (;;); });";
const WAITS = "test('it waits for nothing', () => new Promise(() => setInterval(() => {}, 1000)));";

test('tests: a file that never ends is ended and named, and the others count', async () => {
  const { code, lines, said } = await run(
    { 'good.test.mjs': GOOD, 'loop.test.mjs': LOOP },
    { fileMs: 3_000 },
  );
  assert.deepEqual(lines, ['loop.test.mjs did not end within 3 s: it is ended']);
  assert.equal(code, 1);
  assert.match(said, /^ok \d+ - a good one$/m);
  assert.match(said, /^not ok \d+ - .*loop\.test\.mjs$/m);
});

test('tests: a test that never ends fails by its name', async () => {
  const { code, said } = await run({ 'waits.test.mjs': WAITS }, { testMs: 500, fileMs: 5_000 });
  assert.equal(code, 1);
  assert.match(said, /^not ok \d+ - it waits for nothing$/m);
  assert.match(said, /test timed out after 500ms/);
});

test('tests: what a file has left behind does not hold the run', async () => {
  const left = [
    "import { spawn } from 'node:child_process';",
    "const sleep = ['-e', 'setTimeout(() => {}, 20_000)'];",
    "test('it leaves one behind', () => {",
    "  spawn(process.execPath, sleep, { stdio: 'inherit', detached: true }).unref();",
    '});',
  ];
  const { code, lines } = await run({ 'left.test.mjs': left.join('\n') }, { idleMs: 3_000 });
  assert.equal(code, 1);
  assert.deepEqual(lines, ['no test runs for 3 s, and the run does not end: it is ended']);
});
