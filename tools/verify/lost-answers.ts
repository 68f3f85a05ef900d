/**
 * Loses the answer to a payment and sends it again, many times: `npm run lost-answers`. Exit code 1
 * unless the processor holds each payment exactly once.
 */
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { openFaultFixture } from '../../packages/server/test/faults/fixture.ts';
import { loseAnswers } from '../../packages/server/test/faults/lose-answers.ts';

const line = {
  command: 'npm run lost-answers',
  about:
    'Orders that the answer to a payment is lost, sends the same payment again, and counts what ' +
    'the processor holds. Exit code 1 unless it holds each payment exactly once.',
  words: null,
  flags: { payments: wholeNumber('how many payments', 10_000, 1) },
};
const { payments: count } = readOrEnd(() => readArguments(line, process.argv.slice(2))).values;
const fixture = await openFaultFixture();
try {
  const { states, holds, payments } = await loseAnswers(fixture, count);
  const seen = [...states].map(([state, times]) => `${state}: ${times}`).join(', ');
  console.log(`${count} lost answers, each sent again: ${seen}`);
  console.log(`${holds} holds of ${payments} payments`);
  const isRight = states.get('AUTHORIZED') === count && holds === count && payments === count;
  process.exitCode = isRight ? 0 : 1;
} finally {
  await fixture.close();
}
