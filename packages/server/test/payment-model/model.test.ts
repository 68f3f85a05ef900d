import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playRound } from './rounds.ts';

/** Enough for most ways of a life; the long form, `npm run model`, goes all of them. */
const SHORT_RUNS = 100;

test('creditCards.authorize property PAY-I1–PAY-I8 PAY-I9 PAY-I10 PAY-I11: lives agree with the model', async (t) => {
  const seed = Math.floor(Math.random() * 0x7fffffff);
  const { runs, failure } = await playRound({ runs: SHORT_RUNS, seed });
  t.diagnostic(`${runs} runs of seed ${seed}`);
  assert.equal(failure, null, failure ?? '');
});
