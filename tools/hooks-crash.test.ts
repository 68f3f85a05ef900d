import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOrder } from './hooks-crash/check.ts';
import { playHooksCrash } from './hooks-crash/run.ts';

const SEED = 20_261_121;
const KILLS = 8;
const EVENTS = 600;

test(`hooks-crash: ${KILLS} kills lose none of ${EVENTS} events, seed ${SEED}`, async (t) => {
  const report = await playHooksCrash({ kills: KILLS, events: EVENTS, seed: SEED }, (line) =>
    t.diagnostic(line),
  );
  t.diagnostic(`${report.requests} requests, ${report.duplicates} duplicates`);
  assert.deepEqual(report.violations, []);
  assert.ok(report.events >= EVENTS);
});

test('hooks-crash: what comes after something later is noticed, where order is wanted', () => {
  const endpoint = { path: '/one', isOrdered: true };
  assert.deepEqual(checkOrder(endpoint, [1, 2, 2, 3]), []);
  assert.deepEqual(checkOrder(endpoint, [1, 3, 2]), ['/one got 2 after 3']);
  assert.deepEqual(checkOrder({ ...endpoint, isOrdered: false }, [3, 1]), []);
});
