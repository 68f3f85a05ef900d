import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantTimer, type Timer } from '@servery/support/timer.ts';
import { callWithDeadline } from './deadline.ts';

test('creditCards.authorize: a call that is late is unknown, and is told to end', async () => {
  let ended = false;
  const answer = await callWithDeadline(instantTimer, 15_000, (given) => {
    given.addEventListener('abort', () => {
      ended = true;
    });
    return new Promise(() => {});
  });
  assert.deepEqual(answer, { outcome: 'unknown', explanation: 'no answer within 15000 ms' });
  assert.ok(ended);
});

test('creditCards.authorize PAY-I7: a call that throws is unknown, its words dropped', async () => {
  const never: Timer = { after: () => () => {}, elapsedMs: () => 0 };
  const answer = await callWithDeadline(never, 1, async () => {
    throw new TypeError('cannot send 4111111111111111');
  });
  assert.deepEqual(answer, { outcome: 'unknown', explanation: 'the call broke off (TypeError)' });
});
