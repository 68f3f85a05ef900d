import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renewAt, type StoredToken, Tokens } from './tokens.ts';

const DAY_MS = 86_400_000;

/** Tokens of an account at a time that the test moves. */
function account(lifetimeMs = DAY_MS) {
  const clock = { nowMs: 1_000 };
  let issued = 0;
  const logIn = async (): Promise<StoredToken> => {
    issued += 1;
    const { nowMs } = clock;
    const renewAtMs = renewAt(nowMs, lifetimeMs);
    const expiresInSeconds = lifetimeMs / 1_000;
    return { accessToken: `t${issued}`, expiresInSeconds, renewAtMs, brand: 'acme' };
  };
  const tokens = new Tokens({ key: 'k', store: undefined, nowMs: () => clock.nowMs, logIn });
  const current = async () => (await tokens.current()).accessToken;
  const replace = async (refused: string) => (await tokens.replace(refused)).accessToken;
  return { clock, tokens, current, replace };
}

test('tokens: one is kept until its last minute', async () => {
  const { clock, current } = account();
  assert.equal(await current(), 't1');
  clock.nowMs += DAY_MS - 60_001;
  assert.equal(await current(), 't1');
  clock.nowMs += 1;
  assert.equal(await current(), 't2');
});

test('tokens: one that lives for seconds is used for half of them', async () => {
  const { clock, current } = account(30_000);
  await current();
  clock.nowMs += 14_999;
  assert.equal(await current(), 't1');
  clock.nowMs += 1;
  assert.equal(await current(), 't2');
});

test('tokens: however many ask, there is one login at a time', async () => {
  const { tokens, current, replace } = account();
  assert.deepEqual(await Promise.all([current(), current(), current()]), ['t1', 't1', 't1']);
  assert.deepEqual(await Promise.all([replace('t1'), replace('t1')]), ['t2', 't2']);
  // A call that was sent with the old one comes late.
  assert.equal(await replace('t1'), 't2');
  assert.equal(tokens.logins, 2);
});

test('tokens: a failed login is tried again by the next call', async () => {
  let isDown = true;
  const token = { accessToken: 't', expiresInSeconds: 9, renewAtMs: 9, brand: 'acme' };
  const tokens = new Tokens({
    ...{ key: 'k', store: undefined, nowMs: () => 1 },
    logIn: async () => {
      if (isDown) throw new Error('down');
      return token;
    },
  });
  await assert.rejects(tokens.current(), /down/);
  isDown = false;
  assert.equal(await tokens.current(), token);
});
