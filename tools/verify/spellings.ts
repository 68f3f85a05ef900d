/**
 * Pays with a new card for each spelling of its number in each text field of a payment, and looks
 * for all of them in tables, files, a backup, logs and metrics: `npm run spellings`. Exit code 1
 * when one is found, or the files of the database are not.
 */
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { huntSpellings } from '../../packages/server/test/payments/hunt/spelling-hunt.ts';

const line = {
  command: 'npm run spellings',
  about:
    'Writes the number of the paid card into every text field of a payment in many spellings, ' +
    'and looks for it wherever the platform writes. Exit code 1 when it is found.',
  words: null,
  flags: {
    spellings: wholeNumber('how many spellings', 200, 1),
  },
};
const { values } = readOrEnd(() => readArguments(line, process.argv.slice(2)));
const report = await huntSpellings({ ...values, isWhole: true }, console.log);
const { payments, fields, statuses, looked, found } = report;
const answers = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
console.log(`${payments} payments: ${values.spellings} spellings in ${fields} fields`);
console.log(`answered with ${answers.join(', ')}`);
for (const place of looked) {
  const here = found.filter((each) => each.place === place);
  console.log(`found in ${place}: ${here.length}`);
  for (const { what } of here.slice(0, 20)) console.log(`  ${what}`);
}
const unseen = ['base', 'pg_wal'].filter((folder) => !looked.includes(`the files of ${folder}`));
if (unseen.length > 0) console.log(`there were no files of ${unseen.join(' and ')} to look into`);
process.exitCode = found.length + unseen.length === 0 ? 0 : 1;
