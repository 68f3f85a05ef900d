import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseClock } from './clock.ts';

test('clock: it runs on from the last reading, and a machine that slept catches up', () => {
  let monotonicMs = 0;
  const clock = databaseClock(1_000_000, () => monotonicMs);
  monotonicMs += 250;
  assert.equal(clock.nowMs(), 1_000_250);
  // Five minutes of sleep: the machine's own count stood still meanwhile.
  clock.follow(1_300_250);
  assert.equal(clock.nowMs(), 1_300_250);
  monotonicMs += 10;
  assert.equal(clock.nowMs(), 1_300_260);
});

test('clock: the noise of a reading never takes it back, a database that was set back does', () => {
  let monotonicMs = 0;
  const clock = databaseClock(1_000_000, () => monotonicMs);
  clock.nowMs();
  clock.follow(999_997);
  assert.equal(clock.nowMs(), 1_000_000);
  monotonicMs += 5;
  assert.equal(clock.nowMs(), 1_000_002);
  clock.follow(900_000);
  assert.equal(clock.nowMs(), 900_000);
});
