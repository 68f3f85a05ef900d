import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isRunning } from '../packages/postgres/src/postgres-cluster.ts';
import { makeTestFolder, removeTestFolder } from '../packages/postgres/test/test-folder.ts';
import { runWatchedTests, type TestLimits } from './watched-tests.ts';

const NEVER = Number.POSITIVE_INFINITY;
const HOUR_MS = 3_600_000;

/** A run of test files, how far it is, and what it is given beside them. */
interface Played {
  readonly limits: Partial<TestLimits>;
  /** Asked in each look, which has listed the processes before: whether an hour is over now. */
  readonly isLate: (folder: string) => boolean;
}

/** Runs files of tests, and gives what became of them and what was said. */
async function run(bodies: Record<string, string>, { limits, isLate }: Played) {
  const folder = await makeTestFolder();
  try {
    for (const [name, body] of Object.entries(bodies)) {
      writeFileSync(path.join(folder, name), HEAD + body);
    }
    const lines: string[] = [];
    // Who runs tests within a test is told so by a variable, and runs none then.
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    let nowMs = 0;
    const code = await runWatchedTests({
      cwd: folder,
      env,
      options: ['--test-reporter=tap', '--test-reporter-destination=said'],
      files: Object.keys(bodies),
      limits: { ...{ testMs: 600_000, fileMs: NEVER, idleMs: NEVER, lookMs: 100 }, ...limits },
      tell: (line) => lines.push(line),
      nowMs: () => {
        // Real time would count against whoever the machine holds up.
        nowMs += isLate(folder) ? HOUR_MS : 0;
        return nowMs;
      },
    });
    return { code, lines, said: textOf(folder, 'said') };
  } finally {
    removeTestFolder(folder);
  }
}

/** What a file holds; nothing while it is not there. */
function textOf(folder: string, name: string): string {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Whether the process that wrote its number into a file has ended. */
function hasEnded(folder: string, name: string): boolean {
  const pid = Number(textOf(folder, name));
  return pid > 0 && !isRunning(pid);
}

/** The same from the second time on that it is asked for: then it was so before the look began. */
function sinceBefore(isSo: (folder: string) => boolean): (folder: string) => boolean {
  let wasSo = false;
  return (folder) => {
    const before = wasSo;
    wasSo ||= isSo(folder);
    return before;
  };
}

const HEAD = [
  "import { spawn } from 'node:child_process';",
  "import { existsSync, renameSync, writeFileSync } from 'node:fs';",
  "import { test } from 'node:test';",
  "import { setTimeout as sleep } from 'node:timers/promises';",
  'function begins(name) {',
  "  writeFileSync(name + '.new', String(process.pid));",
  "  renameSync(name + '.new', name);",
  '}\n',
].join('\n');
const GOOD = "begins('good'); test('a good one', () => {});";
const LOOP = "begins('loop'); test('it never yields', () => { for (;;); });";
const FAILED = /^not ok \d+ - it waits for nothing$/m;
const WAITS = "test('it waits for nothing', () => new Promise(() => setInterval(() => {}, 1000)));";

test('tests: a file that never ends is ended and named, and the others count', async () => {
  const isLoopAlone = (folder: string) => textOf(folder, 'loop') !== '' && hasEnded(folder, 'good');
  const { code, lines, said } = await run(
    { 'good.test.mjs': GOOD, 'loop.test.mjs': LOOP },
    { limits: { fileMs: 3_000 }, isLate: sinceBefore(isLoopAlone) },
  );
  assert.deepEqual(lines, ['loop.test.mjs did not end within 3 s: it is ended']);
  assert.equal(code, 1);
  assert.match(said, /^ok \d+ - a good one$/m);
  assert.match(said, /^not ok \d+ - .*loop\.test\.mjs$/m);
});

test('tests: a test that never ends fails by its name', async () => {
  const { code, said } = await run(
    { 'waits.test.mjs': WAITS },
    {
      limits: { testMs: 500, fileMs: 5_000 },
      // Not before all is told of the test: its name may be written by itself.
      isLate: (folder) => FAILED.test(textOf(folder, 'said')),
    },
  );
  assert.equal(code, 1);
  assert.match(said, FAILED);
  assert.match(said, /test timed out after 500ms/);
});

test('tests: what a file has left behind does not hold the run', async () => {
  const left = [
    "begins('left');",
    // It goes when the folder does.
    "const stays = 'setInterval(() => fs.existsSync(`left`) || process.exit(), 50)';",
    "test('it leaves one behind', async () => {",
    "  spawn(process.execPath, ['-e', stays], { stdio: 'inherit', detached: true }).unref();",
    "  while (!existsSync('seen')) await sleep(10);",
    '});',
  ];
  const isListed = sinceBefore(sinceBefore((folder) => textOf(folder, 'left') !== ''));
  const { code, lines } = await run(
    { 'left.test.mjs': left.join('\n') },
    {
      limits: { idleMs: 3_000 },
      isLate: (folder) => {
        if (isListed(folder)) writeFileSync(path.join(folder, 'seen'), '');
        return hasEnded(folder, 'left');
      },
    },
  );
  assert.equal(code, 1);
  assert.deepEqual(lines, ['no test runs for 3 s, and the run does not end: it is ended']);
});
