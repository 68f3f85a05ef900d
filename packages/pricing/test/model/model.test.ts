import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceRound } from './rounds.ts';

const SEED = 20_261_123;
/** The long form is `npm run price-model`. */
const RUNS = 1_000;

test(`pricing ORD-25 to ORD-43: prices agree with an independent model, seed ${SEED}`, () => {
  const { failure, runs, counts } = priceRound({ runs: RUNS, seed: SEED });
  assert.equal(failure, null);
  assert.equal(runs, RUNS);
  assert.ok(Object.keys(counts).length > 90, `met few features: ${JSON.stringify(counts)}`);
});
