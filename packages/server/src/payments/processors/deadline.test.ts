import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timer } from '@servery/support/timer.ts';
import { callWithDeadline } from './deadline.ts';

const atOnce: Timer = { wait: async () => {} };

test('creditCards.authorize: a call that is late is unknown, and is told to end', async () => {
  let ended = false;
  const answer = await callWithDeadline(atOnce, 15_000, (given) => {
    given.addEventListener('abort', () => {
      ended = true;
    });
    return new Promise(() => {});
  });
  assert.deepEqual(answer, { outcome: 'unknown', explanation: 'no answer within 15000 ms' });
  assert.ok(ended);
});

test('creditCards.authorize PAY-I7: a call that throws is unknown, its words dropped', async () => {
  const never: Timer = { wait: () => new Promise(() => {}) };
  const answer = await callWithDeadline(never, 1, async () => {
    throw new TypeError('cannot send 4111111111111111');
  });
  assert.deepEqual(answer, { outcome: 'unknown', explanation: 'the call broke off (TypeError)' });
});
