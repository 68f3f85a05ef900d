import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { CardData } from '../cards/card-data.ts';
import { callWithDeadline, machineTimer, type Timer, within } from './deadline.ts';
import { ALREADY_CAPTURED, type AuthorizationOrder } from './processor.ts';
import { simulatedProcessor } from './simulator.ts';

const signal = new AbortController().signal;
const atOnce: Timer = { wait: async () => {} };

function order(key: string, cardNumber = '4111111111111111'): AuthorizationOrder {
  return {
    key,
    paymentId: key.split(':')[1] ?? key,
    merchantGuid: 'm',
    amountMinor: 1250,
    currencyCode: 'USD',
    card: new CardData({ cardNumber, zipCode: '', expMonth: '', expYear: '', country: '' }),
    cardNumberOrigin: 'END_USER',
    willSaveCard: false,
  };
}

test('creditCards.authorize: the simulator holds once per key, answers alike', async () => {
  const processor = simulatedProcessor(atOnce);
  const first = await processor.authorize(order('auth:1:1'), signal);
  const second = await processor.authorize(order('auth:1:1'), signal);
  assert.equal(first.outcome, 'approved');
  assert.deepEqual(second, first);
  assert.equal(processor.ledger().length, 1);
  assert.deepEqual(await processor.inquire({ key: 'auth:1:1' }, signal), first);
});

test('creditCards.authorize: the simulator tells of a hold whose answer was lost', async () => {
  const processor = simulatedProcessor(atOnce);
  await assert.rejects(processor.authorize(order('auth:1:1', '4000000000000341'), signal));
  assert.equal((await processor.inquire({ key: 'auth:1:1' }, signal)).outcome, 'approved');
  await assert.rejects(processor.authorize(order('auth:2:1', '4000000000003055'), signal));
  assert.equal((await processor.inquire({ key: 'auth:2:1' }, signal)).outcome, 'notFound');
});

test('creditCards.authorize: the simulator captures a hold once, and not beyond it', async () => {
  const processor = simulatedProcessor(atOnce);
  await processor.authorize(order('auth:1:1'), signal);
  const capture = (key: string, amountMinor: number) =>
    processor.capture(
      { key, authorizationKey: 'auth:1:1', amountMinor, currencyCode: 'USD' },
      signal,
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

test('creditCards.authorize PAY-I4: the simulator voids holds, but no captures', async () => {
  const processor = simulatedProcessor(atOnce);
  await processor.authorize(order('auth:1:1'), signal);
  await processor.authorize(order('auth:2:1'), signal);
  const first = await processor.void({ key: 'void:1', authorizationKey: 'auth:1:1' }, signal);
  assert.equal(first.outcome, 'approved');
  assert.deepEqual(
    await processor.void({ key: 'void:1', authorizationKey: 'auth:1:1' }, signal),
    first,
  );
  const taken = { authorizationKey: 'auth:2:1', amountMinor: 1250, currencyCode: 'USD' };
  await processor.capture({ key: 'capture:2', ...taken }, signal);
  assert.deepEqual(await processor.void({ key: 'void:2', authorizationKey: 'auth:2:1' }, signal), {
    outcome: 'declined',
    responseCode: ALREADY_CAPTURED,
  });
  const missing = await processor.void({ key: 'void:3', authorizationKey: 'auth:3:1' }, signal);
  assert.equal(missing.outcome, 'notFound');
});

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
