import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LATE, machineTimer, sleep, type Timer, within } from './timer.ts';

/** A timer that a test fires, with the waits that are not cancelled. */
function manualTimer() {
  const waits = new Set<() => void>();
  const timer: Timer = {
    after: (_durationMs, run) => {
      waits.add(run);
      return () => void waits.delete(run);
    },
    elapsedMs: () => 0,
  };
  return { timer, waits };
}

test('timer: work in time ends the wait, and its timer', async () => {
  const { timer, waits } = manualTimer();
  assert.equal(await within(Promise.resolve(7), 25_000, timer), 7);
  await assert.rejects(within(Promise.reject(new Error('no')), 25_000, timer), /no/);
  assert.equal(waits.size, 0);
});

test('timer: a sleep ends with its time or its signal, and leaves nothing behind', async () => {
  const { timer, waits } = manualTimer();
  const stop = new AbortController();
  const [over, broken] = [sleep(1, stop.signal, timer), sleep(1, stop.signal, timer)];
  const [first] = waits;
  first?.();
  await over;
  stop.abort(new Error('stopping'));
  await assert.rejects(broken, /stopping/);
  await assert.rejects(sleep(1, stop.signal, timer), /stopping/);
  waits.delete(first as () => void);
  assert.equal(waits.size, 0);
});

test('timer: the machine’s timer tells what is late, and only that', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const late = within(new Promise(() => {}), 25_000);
    const { promise, resolve } = Promise.withResolvers<number>();
    const inTime = within(promise, 25_000);
    mock.timers.tick(24_999);
    resolve(7);
    assert.equal(await inTime, 7);
    let said = 0;
    machineTimer.after(1, () => {
      said += 1;
    })();
    mock.timers.tick(1);
    assert.equal(await late, LATE);
    assert.equal(said, 0);
    const held = Promise.withResolvers<number>();
    const unread = within(held.promise, 25_000);
    mock.timers.tick(25_000);
    // It came while the machine held this process, and is read after the timers that are over.
    held.resolve(8);
    assert.equal(await unread, 8);
  } finally {
    mock.timers.reset();
  }
});
