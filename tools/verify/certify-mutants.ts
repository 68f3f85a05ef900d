/**
 * Shows that the reference integration passes `servery certify`, and that one with a mistake fails
 * the scenario of this mistake alone: `npm run certify-mutants`. Exit code 1 if not.
 */
import { OWN_SETTINGS, startPlatform } from '../../acceptance/src/platform.ts';
import { readArguments, readOrEnd } from '../../bench/src/command-line.ts';
import { certified } from './certify-mutants/certify-mutant.ts';
import { mutants } from './certify-mutants/mutants.ts';

const line = {
  command: 'npm run certify-mutants',
  about:
    'Runs servery certify with the reference integration, then with one mistake in it after the ' +
    'other. Exit code 1 unless the reference passes, and each mistake fails its own scenario alone.',
  words: 'mutant',
  flags: {},
};
const { words } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const chosen = mutants.filter(({ name }) => words.length === 0 || words.includes(name));
const platform = await startPlatform({ settings: OWN_SETTINGS });
let right = 0;
try {
  const beganMs = performance.now();
  const reference = await certified(platform, null);
  const seconds = ((performance.now() - beganMs) / 1_000).toFixed(0);
  const passed = [...reference.values()].filter((outcome) => outcome === 'passed').length;
  console.log(`reference: ${passed} of ${reference.size} scenarios passed, in ${seconds} s`);
  for (const mutant of chosen) {
    const outcomes = await certified(platform, mutant);
    const failed = [...outcomes].filter(([, outcome]) => outcome === 'failed');
    const names = failed.map(([name]) => name);
    const isRight = names.length === 1 && names[0] === mutant.name;
    right += Number(isRight);
    console.log(
      `${isRight ? 'right' : 'WRONG'}  ${mutant.name}: failed ${names.join(', ') || '–'}`,
    );
  }
  console.log(`${right} of ${chosen.length} mutants fail their own scenario alone`);
  process.exitCode = right === chosen.length && passed === reference.size ? 0 : 1;
} finally {
  await platform.stop();
}
