import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

const quick = { status: 200, durationMs: 20 };
const steady = { status: 200, durationMs: 300 };
const slow = { status: 200, durationMs: 2_000 };
const overloaded = { status: 503, durationMs: 5 };
const refused = { status: 422, durationMs: 5 };
const silent = { status: null, durationMs: 4_000 };

const times = (pace: Pace, count: number, end: Parameters<Pace['end']>[1]) => {
  for (let number = 0; number < count; number += 1) pace.end(pace.begin(), end);
  return pace.window;
};

test('pace: quick answers widen the window to a bound', () => {
  const pace = new Pace();
  assert.equal(pace.window, 4);
  assert.equal(times(pace, 4, quick), 8);
  assert.equal(times(pace, 1_000, quick), 512);
});

test('pace: what failed together halves it once, down to one delivery', () => {
  const pace = new Pace();
  times(pace, 60, quick);
  const together = Array.from({ length: 32 }, () => pace.begin());
  for (const number of together) pace.end(number, overloaded);
  assert.equal(pace.window, 32);
  assert.equal(times(pace, 20, silent), 1);
});

test('pace: where it was too wide once, it widens slowly', () => {
  const pace = new Pace();
  times(pace, 12, quick);
  assert.equal(times(pace, 1, overloaded), 8);
  assert.equal(times(pace, 8, quick), 8);
  assert.equal(times(pace, 1, quick), 9);
});

test('pace: a refused event says nothing of the load, and slow answers never stop all', () => {
  const pace = new Pace();
  assert.equal(times(pace, 10, refused), 4);
  times(pace, 28, quick);
  assert.equal(times(pace, 10, slow), 4);
});

test('pace: whatever takes events has its first window back, however long it takes', () => {
  for (const [end, least] of [
    [quick, 6],
    [steady, 4],
    [slow, 4],
  ] as const) {
    const pace = new Pace();
    assert.equal(times(pace, 20, overloaded), 1);
    assert.ok(times(pace, 20, end) >= least);
  }
});

test('pace: what takes its time grows to what is under way at once, and no further', () => {
  const pace = new Pace();
  assert.equal(times(pace, 1_000, steady), 32);
  times(pace, 1_000, quick);
  assert.equal(times(pace, 1_000, steady), 512);
});

test('pace: what only waits for its turn is claimed as fast as ever after an overload', () => {
  const pace = new Pace();
  assert.equal(times(pace, 20, overloaded), 1);
  assert.ok(times(pace, 100, quick) < 32, 'carefully as far as it is under way at once');
  times(pace, 500, quick);
  assert.equal(times(pace, 500, quick), 512);
});
