/**
 * Runs every test: `npm test`, or only the files whose path contains a word: `npm test -- stock`.
 * Options of Node's test runner are passed on: `npm test -- --test-name-pattern=STK-5`.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shareCompileCache } from '../acceptance/src/settings.ts';
import { useRunFolder } from './run-folder.ts';
import { groupFiles } from './test-group.ts';
import { usePrograms } from './test-programs.ts';
import { WITHOUT_PLATFORM_VARIABLE } from './test-setup.ts';
import { runWatchedTests, TEST_LIMITS } from './watched-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLACES = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'acceptance/src/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'tools/**/*.test.ts',
];

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const words = given.filter((argument) => !argument.startsWith('-'));
const files = globSync(PLACES, { cwd: ROOT })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

if (files.length === 0) {
  console.error(`no test file has ${words.join(' or ')} in its path`);
  process.exit(1);
}
const hasAcceptance = files.some((file) => file.startsWith('acceptance'));
// More than there are processors: many files wait for processes and pages that they have started.
const concurrency = `--test-concurrency=${2 * availableParallelism()}`;
// A test runs much that is run once: most of its garbage is young.
const youngSpace = '--max-semi-space-size=32';
shareCompileCache(join(ROOT, 'node_modules/.cache/node-compile'));
const removeRunFolder = useRunFolder();
if (words.length === 0) await usePrograms(join(ROOT, 'node_modules/.cache/test-programs'));
const grouped = groupFiles(files);
const withoutPlatform = hasAcceptance ? {} : { [WITHOUT_PLATFORM_VARIABLE]: '1' };
// The runner hears a Ctrl-C too, and says what it interrupts.
process.on('SIGINT', () => {});
process.exitCode = await runWatchedTests({
  cwd: ROOT,
  env: { ...process.env, ...withoutPlatform },
  options: [
    '--test-reporter=spec',
    concurrency,
    youngSpace,
    '--test-global-setup=tools/test-setup.ts',
    ...options,
  ],
  files: grouped.files,
  limits: TEST_LIMITS,
  tell: (line) => console.error(`tools/test.ts: ${line}`),
});
grouped.remove();
removeRunFolder();
