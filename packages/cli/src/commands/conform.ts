import { command } from '../command.ts';
import { levels } from '../conform/levels.ts';
import { invalidUsage } from '../exit-codes.ts';
import { reportOptions } from '../judged/report.ts';
import { quoted } from '../readers.ts';
import { argument, text } from '../values.ts';

export const conformCommand = command({
  name: 'conform',
  summary: 'Check that a platform conforms to the contract',
  examples: [
    'servery conform http://127.0.0.1:4400',
    'servery conform https://platform.example --platform platform.json --level write --junit checks.xml',
  ],
  on: 'nothing',
  arguments: { address: argument('base address of the platform') },
  options: {
    level: {
      ...{ placeholder: '<level>', help: 'how far the checks go', choices: levels },
      ...{ fallback: 'read', type: () => '' },
    },
    platform: text('<file>', 'accounts, restaurants, and test cards, as in demo.json'),
    only: text('<pattern>', 'only checks whose titles match, for example STK-5', pattern),
    expectedFailures: text('<file>', 'titles of checks that are known to fail, one per line'),
    ...reportOptions,
  },
  run: async (call) =>
    (await import('../conform/conform.ts')).conform(call, call.args.address, call.options),
});

/** A regular expression, as it was written; throws CommandFailure for other text. */
function pattern(written: string, flag = ''): string {
  try {
    new RegExp(written);
    return written;
  } catch {
    throw invalidUsage(`${flag}${quoted(written)} is not a regular expression.`);
  }
}
