/**
 * Prices random carts with the client and with a platform: `npm run price-carts`. Exit code 1 if
 * they differ anywhere, although the client was sure.
 */
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { comparePrices } from '../../packages/client/test/carts/compare-prices.ts';
import { openSandbox } from '../../packages/client/test/sandbox.ts';

const line = {
  command: 'npm run price-carts',
  about:
    'Fills random carts from the published menus of the demo group, at instants all over a week, ' +
    'and compares every amount that the client computes with what the platform answers. Exit code ' +
    '1 when they differ.',
  words: null,
  flags: {
    carts: wholeNumber('carts that both price', 10_000, 1),
    seed: wholeNumber('repeats the draws of another run (drawn)', null, -Infinity),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const seed = values.seed ?? Math.floor(Math.random() * 0x7fffffff);
console.log(`${values.carts} carts of seed ${seed}`);
const sandbox = await openSandbox({ SERVERY_ORDERS_STOCK: 'ignore' });
try {
  const found = await comparePrices(sandbox, values.carts, seed, ({ equal }) => {
    console.log(`${equal} carts`);
  });
  for (const [reason, times] of found.refused) console.log(`refused ${times} times: ${reason}`);
  for (const difference of found.different) console.log(`DIFFERENT: ${difference}\n`);
  const { equal, unsure, different } = found;
  console.log(
    `${equal} equal, ${unsure} that the client was unsure of, ${different.length} different`,
  );
  process.exitCode = different.length === 0 ? 0 : 1;
} finally {
  await sandbox.stop();
}
