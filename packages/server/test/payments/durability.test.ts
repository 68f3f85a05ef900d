import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { nextTurn } from '@servery/support/runner.ts';
import type { Database } from '../../src/database/database.ts';
import { ANSWER_LIMIT_MS, PROCESSOR_DEADLINE_MS } from '../../src/payments/authorize/authorize.ts';
import { makeMove } from '../../src/payments/life/outcome.ts';
import { recordMove } from '../../src/payments/life/record.ts';
import { findPayment } from '../../src/payments/life/store.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { findDeadlines, listAttempts, listEvents } from './fixture-store.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const causesOf = async (paymentUuid: string) =>
  (await listEvents(fixture.database.sql, fixture.merchant.guid, paymentUuid)).map(
    ({ cause }) => cause,
  );

/** A database that fails the n-th transactions that `fails` names, before or after they commit. */
function failingDatabase(fails: (nth: number) => 'before' | 'after' | 'lost' | null): Database {
  let nth = 0;
  return {
    ...fixture.database,
    async transaction(run, options) {
      nth += 1;
      const failure = fails(nth);
      if (failure === 'lost') throw new Error('the database is gone');
      if (failure === 'before') throw new CommitUnknownError(new Error('connection lost'));
      const result = await fixture.database.transaction(run, options);
      if (failure === 'after') throw new CommitUnknownError(new Error('connection lost'));
      return result;
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

test('creditCards.authorize 200 PAY-8: 15 s of silence give ACKNOWLEDGED', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '4000000000000259' });
  const put = fixture.put({ paymentUuid, body });
  await until(() => fixture.timer.fire(PROCESSOR_DEADLINE_MS) === 1);
  const answer = await put;
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    paymentState: 'ACKNOWLEDGED',
    authorizationMetadata: null,
    amount: 10.5,
    tipAmount: 2,
    denialReason: null,
    error: null,
  });
  assert.deepEqual(await causesOf(paymentUuid), ['submitted', 'outcomeLost']);
  assert.equal(
    (await fixture.put({ paymentUuid, body })).text,
    answer.text,
    'PAY-7: still unknown',
  );
  const deadlines = await findDeadlines(fixture.database.sql, fixture.merchant.guid, paymentUuid);
  assert.equal(deadlines?.dueAt?.getTime(), fixture.clock.nowMs(), 'to be inquired at once');
});

test('creditCards.authorize 200 PAY-8: an approval of another amount is not believed', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '5577000055770004' });
  const answer = await fixture.put({ paymentUuid, body });
  assert.equal(answer.body.paymentState, 'ACKNOWLEDGED');
  const [attempt] = await listAttempts(fixture.database.sql, fixture.merchant.guid, paymentUuid);
  assert.equal(attempt?.outcome, 'UNKNOWN');
});

test('creditCards.authorize PAY-I1: the intent is committed before the call', async () => {
  const paymentUuid = newRandomId();
  const atCalls: string[][] = [];
  let openTransactions = 0;
  const database: Database = {
    ...fixture.database,
    async transaction(run, options) {
      openTransactions += 1;
      try {
        return await fixture.database.transaction(run, options);
      } finally {
        openTransactions -= 1;
      }
    },
  };
  let openAtCall = -1;
  const processor = {
    ...fixture.processor,
    authorize: async (...given: Parameters<typeof fixture.processor.authorize>) => {
      openAtCall = openTransactions;
      atCalls.push(await causesOf(paymentUuid));
      return fixture.processor.authorize(...given);
    },
  };
  const answer = await fixture.put({ paymentUuid }, { database, processor });
  assert.equal(answer.body.paymentState, 'AUTHORIZED');
  assert.deepEqual(atCalls, [['submitted']]);
  assert.equal(openAtCall, 0);
});

test('creditCards.authorize PAY-I1: the processor gets the key that was recorded', async () => {
  const paymentUuid = newRandomId();
  const keys: string[] = [];
  const processor = {
    ...fixture.processor,
    authorize: (...given: Parameters<typeof fixture.processor.authorize>) => {
      keys.push(given[0].key);
      return fixture.processor.authorize(...given);
    },
  };
  await fixture.put({ paymentUuid }, { processor });
  const attempts = await listAttempts(fixture.database.sql, fixture.merchant.guid, paymentUuid);
  assert.equal(keys.length, 1);
  assert.deepEqual(
    attempts.map(({ processorKey }) => processorKey),
    keys,
  );
});

test('creditCards.authorize 200 PAY-I2: a lost COMMIT of the intent is read back', async () => {
  for (const failure of ['before', 'after'] as const) {
    const paymentUuid = newRandomId();
    const database = failingDatabase((nth) => (nth === 1 ? failure : null));
    const answer = await fixture.put({ paymentUuid }, { database });
    assert.equal(answer.body.paymentState, 'AUTHORIZED', failure);
    assert.deepEqual(await causesOf(paymentUuid), ['submitted', 'approved'], failure);
  }
});

test('creditCards.authorize 503 PAY-8: an intent of unknown COMMIT is to be repeated', async () => {
  for (const failure of ['before', 'after'] as const) {
    const paymentUuid = newRandomId();
    const database = failingDatabase(() => failure);
    const holds = fixture.processor.ledger().length;
    const refused = await fixture.put({ paymentUuid }, { database });
    assert.equal(refused.status, 503);
    assert.match(refused.text, /same paymentUuid .* not carried out twice/);
    assert.equal(fixture.processor.ledger().length, holds, 'nobody was asked');
    const answer = await fixture.put({ paymentUuid });
    const state = failure === 'before' ? 'AUTHORIZED' : 'ACKNOWLEDGED';
    assert.equal(answer.body.paymentState, state, failure);
  }
});

test('creditCards.authorize 200 PAY-I2: a lost COMMIT of the outcome is read back', async () => {
  for (const failure of ['before', 'after'] as const) {
    const paymentUuid = newRandomId();
    const database = failingDatabase((nth) => (nth === 2 ? failure : null));
    const answer = await fixture.put({ paymentUuid }, { database });
    assert.equal(answer.body.paymentState, 'AUTHORIZED', failure);
    assert.deepEqual(await causesOf(paymentUuid), ['submitted', 'approved'], failure);
    assert.equal((await fixture.put({ paymentUuid })).text, answer.text, 'PAY-I6');
  }
});

test('creditCards.authorize 200 PAY-I2: an unrecorded outcome is ACKNOWLEDGED', async () => {
  const paymentUuid = newRandomId();
  const database = failingDatabase((nth) => (nth >= 2 ? 'lost' : null));
  const answer = await fixture.put({ paymentUuid }, { database });
  assert.equal(answer.body.paymentState, 'ACKNOWLEDGED');
  assert.deepEqual(await causesOf(paymentUuid), ['submitted']);
  assert.match(fixture.logged.at(-1) ?? '', /could not be recorded/);
});

test('creditCards.authorize 500: an intent that cannot be recorded holds nothing', async () => {
  const paymentUuid = newRandomId();
  const held = fixture.processor.ledger().length;
  const database = failingDatabase(() => 'lost');
  await assert.rejects(fixture.put({ paymentUuid }, { database }), /the database is gone/);
  assert.equal(fixture.processor.ledger().length, held);
  assert.deepEqual(await causesOf(paymentUuid), []);
});

test('creditCards.authorize 500 PAY-I1: a payment recorded too late is not asked for', async () => {
  const paymentUuid = newRandomId();
  const held = fixture.processor.ledger().length;
  const realClock = new FixedClock(fixture.clock.nowMs());
  const database: Database = {
    ...fixture.database,
    async transaction(run, options) {
      // The database takes its time: soon another process may take over.
      realClock.advance(8_000);
      return await fixture.database.transaction(run, options);
    },
  };
  const answer = await fixture.put({ paymentUuid }, { database, realClock });
  assert.equal(answer.status, 500);
  assert.equal(fixture.processor.ledger().length, held);
  assert.deepEqual(await causesOf(paymentUuid), ['submitted', 'notProcessed']);
  assert.equal((await fixture.put({ paymentUuid })).body.paymentState, 'AUTHORIZED');
});

test('creditCards.authorize 200 PAY-I5: a late outcome obeys the first one', async () => {
  const paymentUuid = newRandomId();
  const processor = {
    ...fixture.processor,
    authorize: async (...given: Parameters<typeof fixture.processor.authorize>) => {
      const answer = await fixture.processor.authorize(...given);
      // Meanwhile another process found the lease expired.
      const key = { merchantGuid: fixture.merchant.guid, paymentUuid };
      const payment = await findPayment(fixture.database.sql, key);
      assert.ok(payment);
      const move = makeMove('outcomeLost', fixture.clock.nowMs());
      await recordMove(fixture.deps, payment, move);
      return answer;
    },
  };
  const answer = await fixture.put({ paymentUuid }, { processor });
  assert.equal(answer.body.paymentState, 'ACKNOWLEDGED');
  assert.deepEqual(await causesOf(paymentUuid), ['submitted', 'outcomeLost']);
});

test('creditCards.authorize 200 PAY-8: after 25 s the answer is ACKNOWLEDGED', async () => {
  const paymentUuid = newRandomId();
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let nth = 0;
  const database: Database = {
    ...fixture.database,
    async transaction(run, options) {
      nth += 1;
      if (nth === 2) await gate;
      return fixture.database.transaction(run, options);
    },
  };
  const put = fixture.put({ paymentUuid }, { database });
  await until(() => nth === 2);
  assert.equal(fixture.timer.fire(ANSWER_LIMIT_MS), 1);
  assert.equal((await put).body.paymentState, 'ACKNOWLEDGED');
  letGo();
  await fixture.underWay.settled();
  assert.equal((await fixture.put({ paymentUuid })).body.paymentState, 'AUTHORIZED');
});

test('creditCards.authorize 503 PAY-8 PAY-I1: after 25 s without a record, repeat', async () => {
  const paymentUuid = newRandomId();
  const held = fixture.processor.ledger().length;
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isWaiting = false;
  const database: Database = {
    ...fixture.database,
    async transaction(run, options) {
      isWaiting = true;
      await gate;
      return fixture.database.transaction(run, options);
    },
  };
  const put = fixture.put({ paymentUuid }, { database });
  await until(() => isWaiting);
  fixture.timer.fire(ANSWER_LIMIT_MS);
  const answer = await put;
  assert.equal(answer.status, 503);
  assert.match(answer.body.message, /Repeat the request with the same paymentUuid/);
  letGo();
  await fixture.underWay.settled();
  assert.equal(fixture.processor.ledger().length, held, 'the caller may pay in another way');
  assert.equal((await fixture.put({ paymentUuid })).body.paymentState, 'AUTHORIZED');
});

test('creditCards.authorize 200: the work of a caller that is gone goes on', async () => {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: '4000000000000077' });
  fixture.put({ paymentUuid, body }).catch(() => {});
  await until(() => fixture.timer.waits(3_000) === 1);
  let isSettled = false;
  const settled = fixture.underWay.settled().then(() => {
    isSettled = true;
  });
  await nextTurn();
  assert.equal(isSettled, false);
  fixture.timer.fire(3_000);
  await settled;
  assert.deepEqual(await causesOf(paymentUuid), ['submitted', 'approved']);
});
