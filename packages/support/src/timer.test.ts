import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { machineTimer, type Timer, within } from './timer.ts';

test('creditCards.authorize: work in time ends the wait, and its timer', async () => {
  let cancelled = false;
  const timer: Timer = {
    wait: (_durationMs, given) =>
      new Promise((_resolve, reject) => {
        given.addEventListener('abort', () => {
          cancelled = true;
          reject(given.reason);
        });
      }),
  };
  assert.deepEqual(await within(timer, 25_000, Promise.resolve(7)), { inTime: true, value: 7 });
  assert.ok(cancelled);
});

test('creditCards.authorize: the machine’s timer tells what is late, and only that', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const late = within(machineTimer, 25_000, new Promise(() => {}));
    const { promise, resolve } = Promise.withResolvers<number>();
    const inTime = within(machineTimer, 25_000, promise);
    mock.timers.tick(24_999);
    resolve(7);
    assert.deepEqual(await inTime, { inTime: true, value: 7 });
    let said = 0;
    machineTimer.after?.(1, () => {
      said += 1;
    })();
    mock.timers.tick(1);
    assert.deepEqual(await late, { inTime: false });
    assert.equal(said, 0);
    const held = Promise.withResolvers<number>();
    const unread = within(machineTimer, 25_000, held.promise);
    mock.timers.tick(25_000);
    // It came while the machine held this process, and is read after the timers that are over.
    held.resolve(8);
    assert.deepEqual(await unread, { inTime: true, value: 8 });
  } finally {
    mock.timers.reset();
  }
});
