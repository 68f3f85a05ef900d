import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readArguments, readOrEnd } from '../../bench/src/command-line.ts';
import { globalSetup, globalTeardown } from '../../packages/postgres/test/global-setup.ts';
import { useRunFolder } from '../run-folder.ts';
import type { Defect } from './defects/defect.ts';
import { environmentWith } from './defects/environment.ts';
import { faultOf } from './defects/fault.ts';
import { defects } from './defects/list.ts';

const TEST = fileURLToPath(new URL('../test.ts', import.meta.url));
/** A defect may make a test wait forever. */
const TEST_TIMEOUT_MS = 60_000;

const line = {
  command: 'npm run defects',
  about:
    'Plants one defect after another while the product runs, or those with a word in their names, ' +
    "and runs the tests that must notice it. Exit code 1 when a defect isn't noticed.",
  words: 'defect',
  flags: {},
};
const { words } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const chosen = defects.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const faults = chosen.flatMap((defect) => faultOf(defect) ?? []);
if (chosen.length === 0) faults.push(`no defect has ${words.join(' or ')} in its name`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.once('exit', useRunFolder());
// All runs share this PostgreSQL.
await globalSetup();
let noticed = 0;
const byTests = Map.groupBy(chosen, ({ tests }) => tests.join(' '));
for (const group of byTests.values()) {
  const [first] = group as [Defect];
  const unplanted = await failureOf(first.tests, {});
  for (const defect of group) {
    const said =
      unplanted === null ? await failureOf(defect.tests, environmentWith(defect.name)) : null;
    if (said !== null) noticed += 1;
    const verdict = unplanted !== null ? 'UNUSABLE' : said === null ? 'NOT NOTICED' : 'noticed';
    const because = unplanted !== null ? `without it: ${unplanted}` : (said ?? defect.why);
    console.log(`${verdict.padEnd(11)}  ${defect.name.padEnd(40)}  ${because}`);
  }
}
await globalTeardown();
console.log(`${noticed} of ${chosen.length} defects noticed`);
process.exit(noticed === chosen.length ? 0 : 1);

/** Runs tests; gives the first one that failed, or null when all pass. */
async function failureOf(
  tests: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string | null> {
  const args = [TEST, `--test-timeout=${TEST_TIMEOUT_MS}`, '--test-force-exit', ...tests];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [output, [code]] = await Promise.all([readText(child.stdout), once(child, 'close')]);
  if (code === 0) return null;
  return /^\s*✖ (.*)$/m.exec(output)?.[1] ?? `the tests ended with ${code}`;
}
