import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantTimer } from '@servery/support/timer.ts';
import { type Fault, ruleFault } from '../src/faults.ts';
import { inMemorySimulator } from '../src/in-memory.ts';
import type { ProcessorAnswer } from '../src/messages.ts';
import { authorizationOf, noDeadline } from './orders.ts';

const refused: ProcessorAnswer = { outcome: 'declined', responseCode: '91' };

const captureOf = (id: string) => ({
  key: `capture:${id}`,
  authorizationKey: `auth:${id}:1`,
  amountMinor: 1250,
  currencyCode: 'USD',
});
const voidOf = (id: string) => ({ key: `void:${id}`, authorizationKey: `auth:${id}:1` });

test('creditCards.authorize: a fault meets its count of calls, then none', async () => {
  const processor = inMemorySimulator(instantTimer);
  const fault: Fault = { kind: 'declined', responseCode: '91' };
  processor.addFault({ operation: 'authorize', count: 2, fault });
  assert.deepEqual(await processor.authorize(authorizationOf('auth:1:1'), noDeadline), refused);
  assert.equal(processor.listFaults()[0]?.count, 1);
  assert.deepEqual(await processor.authorize(authorizationOf('auth:2:1'), noDeadline), refused);
  assert.deepEqual(processor.listFaults(), []);
  assert.equal(
    (await processor.authorize(authorizationOf('auth:3:1'), noDeadline)).outcome,
    'approved',
  );
});

test('creditCards.authorize: faults meet by key, payment and last digits', async () => {
  const processor = inMemorySimulator(instantTimer);
  const fault: Fault = { kind: 'declined', responseCode: '91' };
  const put = (match: object) => processor.addFault({ operation: 'any', match, count: 1, fault });
  const outcome = async (call: Promise<ProcessorAnswer>) => (await call).outcome;
  put({ key: 'auth:1:1' });
  put({ last4: '4242' });
  assert.equal(
    await outcome(processor.authorize(authorizationOf('auth:2:1'), noDeadline)),
    'approved',
  );
  assert.equal(
    await outcome(processor.authorize(authorizationOf('auth:1:1'), noDeadline)),
    'declined',
  );
  const other = authorizationOf('auth:3:1', '4242424242424242');
  assert.equal(await outcome(processor.authorize(other, noDeadline)), 'declined');
  put({ paymentId: '2' });
  assert.equal(await outcome(processor.capture(captureOf('2'), noDeadline)), 'declined');
  assert.equal(
    await outcome(processor.capture(captureOf('2'), noDeadline)),
    'declined',
    'its answer',
  );
  put({ last4: '1111' });
  assert.equal(await outcome(processor.void(voidOf('2'), noDeadline)), 'declined');
  put({ paymentId: '9' });
  assert.equal(processor.clearFaults(), 1);
  assert.equal(
    await outcome(processor.authorize(authorizationOf('auth:9:1'), noDeadline)),
    'approved',
  );
});

test('creditCards.authorize: a fault is before the effect or after it', async () => {
  const cases = [
    ['droppedConnectionBefore', 'notFound'],
    ['droppedConnectionAfter', 'approved'],
    ['brokenAnswer', 'approved'],
    ['notProcessed', 'notFound'],
  ] as const;
  for (const [kind, known] of cases) {
    const processor = inMemorySimulator(instantTimer);
    processor.addFault({ operation: 'authorize', count: 1, fault: { kind } });
    const call = processor.authorize(authorizationOf('auth:1:1'), noDeadline);
    const outcome = await call.then(
      (answer) => answer.outcome,
      () => 'unknown',
    );
    assert.equal(outcome, kind === 'notProcessed' ? kind : 'unknown');
    assert.equal((await processor.inquire({ key: 'auth:1:1' }, noDeadline)).outcome, known, kind);
  }
});

test('creditCards.authorize: a call that times out ends with its deadline', async () => {
  const cases = [
    ['timeOutBefore', 0],
    ['timeOutAfter', 1],
  ] as const;
  for (const [kind, holds] of cases) {
    const processor = inMemorySimulator(instantTimer);
    processor.addFault({ operation: 'authorize', count: 1, fault: { kind } });
    const deadline = new AbortController();
    const call = processor.authorize(authorizationOf('auth:1:1'), deadline.signal);
    deadline.abort();
    await assert.rejects(call);
    assert.equal(processor.ledger().length, holds, kind);
  }
});

test('creditCards.authorize PAY-I1: a call that arrives twice holds once', async () => {
  const processor = inMemorySimulator(instantTimer);
  processor.addFault({ operation: 'any', count: 3, fault: { kind: 'duplicate' } });
  assert.equal(
    (await processor.authorize(authorizationOf('auth:1:1'), noDeadline)).outcome,
    'approved',
  );
  assert.equal((await processor.capture(captureOf('1'), noDeadline)).outcome, 'approved');
  assert.deepEqual(
    processor.ledger().map(({ state, capturedMinor }) => ({ state, capturedMinor })),
    [{ state: 'CAPTURED', capturedMinor: 1250 }],
  );
});

test('creditCards.authorize: two calls at once with one slow card hold once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const processor = inMemorySimulator({
    ...instantTimer,
    after: (_durationMs, run) => {
      void promise.then(run);
      return () => {};
    },
  });
  const slow = () =>
    processor.authorize(authorizationOf('auth:1:1', '4000000000000077'), noDeadline);
  const both = [slow(), slow()];
  await processor.capture(captureOf('1'), noDeadline);
  resolve();
  const [one, other] = await Promise.all(both);
  assert.deepEqual(one, other);
  assert.equal(processor.ledger().length, 1);
});

test('creditCards.authorize PAY-I3: a late approval turns up after its questions', async () => {
  for (const questions of [1, 3]) {
    const processor = inMemorySimulator(instantTimer);
    const fault: Fault = { kind: 'lateApproval', questions };
    processor.addFault({ operation: 'authorize', count: 1, fault });
    await assert.rejects(processor.authorize(authorizationOf('auth:1:1'), noDeadline));
    for (let asked = 0; asked < questions; asked += 1) {
      assert.deepEqual(processor.ledger(), []);
      const isVoid = asked % 2 === 1;
      const answer = isVoid
        ? await processor.void(voidOf('1'), noDeadline)
        : await processor.inquire({ key: 'auth:1:1' }, noDeadline);
      assert.equal(answer.outcome, 'notFound');
    }
    assert.equal(processor.ledger()[0]?.state, 'HELD');
    assert.equal((await processor.inquire({ key: 'auth:1:1' }, noDeadline)).outcome, 'approved');
    assert.equal((await processor.void(voidOf('1'), noDeadline)).outcome, 'approved');
  }
});

test('creditCards.authorize: a fault delays a call before its effect', async () => {
  const waited: number[] = [];
  const processor = inMemorySimulator({
    ...instantTimer,
    after: (durationMs, run) => {
      assert.deepEqual(processor.ledger(), []);
      waited.push(durationMs);
      return instantTimer.after(durationMs, run);
    },
  });
  const fault: Fault = { kind: 'delay', delayMs: 700 };
  processor.addFault({ operation: 'authorize', count: 1, fault });
  assert.equal(
    (await processor.authorize(authorizationOf('auth:1:1'), noDeadline)).outcome,
    'approved',
  );
  assert.deepEqual(waited, [700]);
});

test('creditCards.authorize: faults that make no sense are told', () => {
  const declined: Fault = { kind: 'declined', responseCode: '05' };
  assert.match(ruleFault({ operation: 'inquire', count: 1, fault: declined }) ?? '', /inquire/);
  const late: Fault = { kind: 'lateApproval' };
  assert.match(ruleFault({ operation: 'void', count: 1, fault: late }) ?? '', /void/);
  assert.equal(ruleFault({ operation: 'any', count: 1, fault: late }), null);
});
