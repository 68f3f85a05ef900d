import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from './session.ts';
import { SessionPool } from './session-pool.ts';

test('a pool that rests gives back all connections but one, and a busy one none', async () => {
  let nowMs = 0;
  let open = 0;
  const answers: (() => void)[] = [];
  const openSession = () => {
    open += 1;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const session = {
      ended,
      hasEnded: () => false,
      limitStatements: () => {},
      send: () => new Promise((answer) => answers.push(() => answer([]))),
      end: async () => {
        open -= 1;
        resolve();
      },
    };
    return session as unknown as Session;
  };
  const pool = new SessionPool(openSession, 8, 1_000, () => nowMs);
  const ask = async (count: number) => {
    const sent = Array.from({ length: count }, () => pool.send('select', null));
    // All are sent before one is answered.
    while (answers.length < count) await Promise.resolve();
    for (const answer of answers.splice(0)) answer();
    await Promise.all(sent);
  };
  await ask(8);
  assert.equal(open, 8);
  for (let minute = 0; minute < 10; minute += 1) {
    nowMs += 50_000;
    await ask(8);
  }
  assert.equal(open, 8, 'all are used');
  for (let second = 0; second <= 61; second += 1) {
    nowMs += 1_000;
    await ask(1);
  }
  assert.equal(open, 1);
});
