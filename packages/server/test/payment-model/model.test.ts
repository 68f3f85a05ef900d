import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defects } from './defects.ts';
import { playRound } from './rounds.ts';

/** Enough for most ways of a life; the long form, `npm run model`, goes all of them. */
const SHORT_RUNS = 100;

/** So many runs at most are spent on finding a defect. */
const DEFECT_RUNS = 400;

test('creditCards.authorize property PAY-I1–PAY-I8: lives of payments agree with the model', async (t) => {
  const seed = Math.floor(Math.random() * 0x7fffffff);
  const { runs, failure } = await playRound({ runs: SHORT_RUNS, seed });
  t.diagnostic(`${runs} runs of seed ${seed}`);
  assert.equal(failure, null, failure ?? '');
});

for (const { name, sabotage, finding, seed = 1 } of defects) {
  test(`creditCards.authorize property PAY-I1–PAY-I8: the model finds ${name}`, async () => {
    // A fixed seed: what is shown is that the model can fail, and no luck should be needed.
    const { failure } = await playRound({
      ...{ runs: DEFECT_RUNS, seed, sabotage, shrinks: false },
    });
    assert.match(failure ?? 'nothing was found', finding);
  });
}
