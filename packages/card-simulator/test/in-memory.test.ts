import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantTimer } from '@servery/support/timer.ts';
import { inMemorySimulator } from '../src/in-memory.ts';
import { ALREADY_CAPTURED } from '../src/messages.ts';
import { authorizationOf, noDeadline } from './orders.ts';

test('creditCards.authorize: the simulator holds once per key, answers alike', async () => {
  const processor = inMemorySimulator(instantTimer);
  const first = await processor.authorize(authorizationOf('auth:1:1'), noDeadline);
  const second = await processor.authorize(authorizationOf('auth:1:1'), noDeadline);
  assert.equal(first.outcome, 'approved');
  assert.deepEqual(second, first);
  assert.equal(processor.ledger().length, 1);
  assert.deepEqual(await processor.inquire({ key: 'auth:1:1' }, noDeadline), first);
});

test('creditCards.authorize: the simulator tells of a hold whose answer was lost', async () => {
  const processor = inMemorySimulator(instantTimer);
  await assert.rejects(
    processor.authorize(authorizationOf('auth:1:1', '4000000000000341'), noDeadline),
  );
  assert.equal((await processor.inquire({ key: 'auth:1:1' }, noDeadline)).outcome, 'approved');
  await assert.rejects(
    processor.authorize(authorizationOf('auth:2:1', '4000000000003055'), noDeadline),
  );
  assert.equal((await processor.inquire({ key: 'auth:2:1' }, noDeadline)).outcome, 'notFound');
});

test('creditCards.authorize: the simulator captures a hold once, and not beyond it', async () => {
  const processor = inMemorySimulator(instantTimer);
  await processor.authorize(authorizationOf('auth:1:1'), noDeadline);
  const capture = (key: string, amountMinor: number) =>
    processor.capture(
      { key, authorizationKey: 'auth:1:1', amountMinor, currencyCode: 'USD' },
      noDeadline,
    );
  assert.equal((await capture('capture:too-much', 1251)).outcome, 'declined');
  const first = await capture('capture:1', 1250);
  assert.equal(first.outcome, 'approved');
  assert.deepEqual(await capture('capture:1', 1250), first);
  assert.equal((await capture('capture:2', 1)).outcome, 'declined');
  assert.deepEqual(
    processor.ledger().map(({ state, capturedMinor }) => ({ state, capturedMinor })),
    [{ state: 'CAPTURED', capturedMinor: 1250 }],
  );
});

test('creditCards.authorize PAY-17: the simulator captures less and releases the rest', async () => {
  const processor = inMemorySimulator(instantTimer);
  await processor.authorize(authorizationOf('auth:1:1'), noDeadline);
  const order = { key: 'capture:1', authorizationKey: 'auth:1:1', currencyCode: 'USD' };
  const less = await processor.capture({ ...order, amountMinor: 1100 }, noDeadline);
  assert.ok(less.outcome === 'approved' && less.amountMinor === 1100);
  assert.deepEqual(await processor.inquire({ key: 'capture:1' }, noDeadline), less);
  const rest = { ...order, key: 'capture:2', amountMinor: 150 };
  assert.equal((await processor.capture(rest, noDeadline)).outcome, 'declined');
  assert.deepEqual(
    processor.ledger().map(({ state, capturedMinor }) => ({ state, capturedMinor })),
    [{ state: 'CAPTURED', capturedMinor: 1100 }],
  );
});

test('creditCards.authorize PAY-I4: the simulator voids holds, but no captures', async () => {
  const processor = inMemorySimulator(instantTimer);
  await processor.authorize(authorizationOf('auth:1:1'), noDeadline);
  await processor.authorize(authorizationOf('auth:2:1'), noDeadline);
  const first = await processor.void({ key: 'void:1', authorizationKey: 'auth:1:1' }, noDeadline);
  assert.equal(first.outcome, 'approved');
  assert.deepEqual(
    await processor.void({ key: 'void:1', authorizationKey: 'auth:1:1' }, noDeadline),
    first,
  );
  const taken = { authorizationKey: 'auth:2:1', amountMinor: 1250, currencyCode: 'USD' };
  await processor.capture({ key: 'capture:2', ...taken }, noDeadline);
  assert.deepEqual(
    await processor.void({ key: 'void:2', authorizationKey: 'auth:2:1' }, noDeadline),
    {
      outcome: 'declined',
      responseCode: ALREADY_CAPTURED,
    },
  );
  const missing = await processor.void({ key: 'void:3', authorizationKey: 'auth:3:1' }, noDeadline);
  assert.equal(missing.outcome, 'notFound');
});
