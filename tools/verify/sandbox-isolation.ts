/**
 * Takes random steps in the main environment and in sandboxes beside it, and checks that nobody sees
 * the steps of others: `npm run sandbox-isolation -- --steps 10000 --seed 7`. Exit code 1 when
 * somebody does.
 */
import { randomInt } from 'node:crypto';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { spawnPlatform } from '../../packages/server/test/payments/hunt/spawned-platform.ts';
import { makeSandboxes, playIsolation } from '../../packages/server/test/sandboxes/isolation.ts';
import { Place } from '../../packages/server/test/sandboxes/place.ts';

const SEEDS = 2 ** 32;
const line = {
  command: 'npm run sandbox-isolation',
  about:
    'Takes random steps in the main environment and in sandboxes beside it, and checks that ' +
    'nobody sees the steps of others. Exit code 1 when somebody does.',
  words: null,
  flags: {
    steps: wholeNumber('how many steps', 10_000, 1),
    seed: wholeNumber('repeats the draws of another run (drawn)', null),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const seed = values.seed ?? randomInt(SEEDS);
console.log(`${values.steps} steps, seed ${seed}`);
const platform = await spawnPlatform([
  ...['--profile', 'demo', '--kind', 'sandbox'],
  ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'],
]);
try {
  const main = new Place(platform.url, platform.demo);
  const sandboxes = await makeSandboxes(main);
  const options = { count: values.steps, seed };
  const { steps, comparisons } = await playIsolation(main, sandboxes, options);
  for (const [step, count] of steps) console.log(`${step}: ${count}`);
  console.log(`${comparisons} comparisons: nobody saw the steps of others`);
} finally {
  await platform.end();
  await platform.remove();
}
