import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseClock } from './clock.ts';

test('clock: it runs on from the last reading, and a machine that slept catches up', async () => {
  let monotonicMs = 0;
  const clock = databaseClock(1_000_000, () => monotonicMs);
  monotonicMs += 250;
  assert.equal(clock.nowMs(), 1_000_250);
  // Five minutes of sleep: the machine's own count stood still meanwhile.
  await clock.follow(async () => 1_300_250);
  assert.equal(clock.nowMs(), 1_300_250);
  monotonicMs += 10;
  assert.equal(clock.nowMs(), 1_300_260);
});

test('clock: no noise of a reading takes it back, a database that was set back does', async () => {
  let monotonicMs = 0;
  const clock = databaseClock(1_000_000, () => monotonicMs);
  clock.nowMs();
  await clock.follow(async () => 999_997);
  assert.equal(clock.nowMs(), 1_000_000);
  monotonicMs += 5;
  assert.equal(clock.nowMs(), 1_000_002);
  await clock.follow(async () => 900_000);
  assert.equal(clock.nowMs(), 900_000);
});

test('clock: a reading that was held up on its way takes it back no more than noise', async () => {
  let monotonicMs = 0;
  const clock = databaseClock(1_000_000, () => monotonicMs);
  /** The database reads its clock in between. */
  const readSlowly = (beforeMs: number, readMs: number, afterMs: number) => async () => {
    monotonicMs += beforeMs;
    await null;
    monotonicMs += afterMs;
    return readMs;
  };
  await clock.follow(readSlowly(10, 1_000_010, 3_000));
  assert.equal(clock.nowMs(), 1_003_010);
  await clock.follow(readSlowly(3_000, 1_006_010, 10));
  assert.equal(clock.nowMs(), 1_006_020);
  // What no delay explains is taken, as little of it as the reading proves.
  await clock.follow(readSlowly(10, 1_009_030, 10));
  assert.equal(clock.nowMs(), 1_009_030);
  await clock.follow(readSlowly(10, 900_000, 10));
  assert.equal(clock.nowMs(), 900_020);
});
