/**
 * Shows that `servery conform` finds nothing wrong with this platform, and every fault of a faulty
 * one: `npm run conform-faults`. Exit code 1 if not.
 */

import { OWN_SETTINGS, startPlatform } from '../../acceptance/src/platform.ts';
import { readArguments, readOrEnd } from '../../bench/src/command-line.ts';
import { faults } from './conform-faults/faults.ts';
import { conformTo, findFault } from './conform-faults/find-fault.ts';

const line = {
  command: 'npm run conform-faults',
  about:
    'Checks a sandbox with servery conform, then the same one behind a proxy with one fault after ' +
    'the other. Exit code 1 unless nothing is found without a fault, and each fault is found.',
  words: 'fault',
  flags: {},
};
const { words } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const chosen = faults.filter(
  ({ name, rule }) => words.length === 0 || words.some((word) => `${rule} ${name}`.includes(word)),
);
const platform = await startPlatform({ settings: OWN_SETTINGS });
const { baseUrl, demoPath } = platform;
try {
  if (words.length === 0) {
    const { checks } = await conformTo(demoPath, baseUrl, ['--level', 'full']);
    const wrong = checks.filter(({ outcome }) => outcome === 'failed');
    console.log(`without a fault: ${checks.length} checks, ${wrong.length} failed`);
    for (const { title } of wrong) console.log(`  ${title}`);
    process.exitCode = wrong.length === 0 && checks.length > 0 ? 0 : 1;
  }
  let found = 0;
  for (const fault of chosen) {
    const titles = await findFault(demoPath, baseUrl, fault);
    found += Number(titles.length > 0);
    console.log(`${titles.length > 0 ? 'found' : 'NOT FOUND'}  ${fault.rule}  ${fault.name}`);
    for (const title of titles.slice(0, 1)) console.log(`  by: ${title}`);
  }
  console.log(`${found} of ${chosen.length} faults found`);
  if (found < chosen.length) process.exitCode = 1;
} finally {
  await platform.stop();
}
