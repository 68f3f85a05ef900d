/**
 * Orders every fault and prints what the partner sees and what the platform has afterwards: `npm run
 * fault-table`. Exit code 1 if something differs from what is expected.
 */
import { readArguments, readOrEnd } from '../../bench/src/command-line.ts';
import { differencesOf, trials } from '../../packages/server/test/faults/trials.ts';
import { openTrialStage } from '../../packages/server/test/faults/try-faults.ts';

const line = {
  command: 'npm run fault-table',
  about:
    'Orders every fault, and prints what the partner sees and what the platform has afterwards. ' +
    'Exit code 1 if something differs from what is expected.',
  words: 'fault',
  flags: {},
};
const { words } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const chosen = trials.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const stage = await openTrialStage();
let different = 0;
try {
  for (const trial of chosen) {
    const tried = await trial.run(stage);
    const { partner, latencyMs, platform } = tried;
    console.log(`\n${trial.name}`);
    console.log(`  partner   ${partner}`);
    if (latencyMs !== null) console.log(`  latency   ${latencyMs.toFixed(0)} ms`);
    console.log(`  platform  ${platform}`);
    const differences = differencesOf(trial, tried);
    for (const difference of differences) console.log(`  DIFFERS   ${difference}`);
    different += Number(differences.length > 0);
  }
} finally {
  await stage.close();
}
console.log(`\n${chosen.length} trials, ${different} differ from what is expected`);
process.exitCode = different === 0 && chosen.length > 0 ? 0 : 1;
