import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { nextTurn } from '@servery/support/runner.ts';
import { connectDatabase, type Database, type Sql } from '../../src/database/database.ts';
import { ANSWER_LIMIT_MS } from '../../src/payments/authorize/authorize.ts';
import { findEventGuid, type PaymentKey } from '../../src/payments/life/store.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { endOwnSession, listAttempts, listEvents, sendRefusedStatement } from './fixture-store.ts';

/** The outcome's window of 30 s less the margin of 8 s: the clock stands still. */
const RECORD_LIMIT_MS = 22_000;

let fixture: PaymentFixture;
let unreachable: Database;
before(async () => {
  fixture = await openPaymentFixture();
  // A port that was free a moment ago may be another test's by now; nobody listens on this one.
  unreachable = connectDatabase({ url: 'postgres://a:b@127.0.0.1:1/d' });
});
after(async () => {
  await unreachable.close();
  await fixture.close();
});

/** One of the ways in which a transaction can fail. */
type Failure = (run: (sql: Sql) => Promise<unknown>) => Promise<unknown>;

const refusesConnections: Failure = (run) => unreachable.transaction(run);
const endsTheSession: Failure = (run) =>
  fixture.database.transaction(async (sql) => {
    await endOwnSession(sql);
    return run(sql);
  });
const losesTheCommit: Failure = async () => {
  throw new CommitUnknownError(new Error('connection lost'));
};
const refusesTheStatement: Failure = () => fixture.database.transaction(sendRefusedStatement);
const hasADefect: Failure = async () => {
  throw new TypeError('a defect');
};

/** A database that is well for the intent and fails from the outcome on, until it is mended. */
function databaseWithOutage(failure: Failure) {
  let transactions = 0;
  let isAway = true;
  const database: Database = {
    ...fixture.database,
    async transaction<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
      transactions += 1;
      if (transactions > 1 && isAway) return (await failure(run)) as T;
      return fixture.database.transaction(run);
    },
  };
  return {
    database,
    end: () => {
      isAway = false;
    },
    tries: () => transactions - 1,
  };
}

async function until(holds: () => boolean): Promise<void> {
  const startedAtMs = performance.now();
  while (!holds()) {
    assert.ok(performance.now() - startedAtMs < 120_000, `never came: ${holds}`);
    await nextTurn();
  }
}

/** Lets a wait of that length be over, as soon as there is one. */
const fire = (durationMs: number) => until(() => fixture.timer.fire(durationMs) > 0);

const causesOf = async (paymentUuid: string) =>
  (await listEvents(fixture.database.sql, fixture.merchant.guid, paymentUuid)).map(
    ({ cause }) => cause,
  );

const guidOf = (key: PaymentKey, version: number) =>
  findEventGuid(fixture.database.sql, key, version);

const linesOf = (paymentUuid: string, text: RegExp) =>
  fixture.logged.filter((line) => line.includes(paymentUuid) && text.test(line));

for (const [what, failure] of Object.entries({
  'refuses connections': refusesConnections,
  'ends the session': endsTheSession,
  'loses the answer to COMMIT': losesTheCommit,
})) {
  test(`creditCards.authorize 200 PAY-I2: an approval outlasts a database that ${what}`, async () => {
    const paymentUuid = newRandomId();
    const outage = databaseWithOutage(failure);
    const put = fixture.put({ paymentUuid }, { database: outage.database });
    await fire(100);
    await fire(200);
    await until(() => fixture.timer.waits(400) === 1);
    assert.deepEqual(await causesOf(paymentUuid), ['submitted']);
    outage.end();
    await fire(400);
    assert.equal((await put).body.paymentState, 'AUTHORIZED');
    assert.deepEqual(await causesOf(paymentUuid), ['submitted', 'approved']);
    const [attempt] = await listAttempts(fixture.database.sql, fixture.merchant.guid, paymentUuid);
    assert.equal(attempt?.outcome, 'APPROVED');
    assert.equal(linesOf(paymentUuid, /not recorded yet/).length, 3);
    assert.equal(fixture.timer.waits(RECORD_LIMIT_MS), 0);
  });
}

test('creditCards.authorize 200 PAY-I5: COMMITs that were done but not answered count', async () => {
  const paymentUuid = newRandomId();
  const moved: string[] = [];
  const nothing = () => {};
  const observer = { moved: (cause: string) => moved.push(cause), alarmed: nothing };
  const losesTheAnswer: Failure = async (run) => {
    await fixture.database.transaction(run);
    throw new CommitUnknownError(new Error('connection lost'));
  };
  const outage = databaseWithOutage(losesTheAnswer);
  const put = fixture.put(
    { paymentUuid },
    { database: outage.database, observer: { ...observer, velocityRefused: nothing } },
  );
  await fire(100);
  await fire(200);
  await until(() => fixture.timer.waits(400) === 1);
  assert.equal(outage.tries(), 9, 'three rounds of three');
  outage.end();
  await fire(400);
  assert.equal((await put).body.paymentState, 'AUTHORIZED');
  assert.deepEqual(moved, ['submitted', 'approved'], 'each is recognised, and counted once');
  const key = { merchantGuid: fixture.merchant.guid, paymentUuid };
  const [first, second] = [await guidOf(key, 1), await guidOf(key, 2)];
  assert.ok(first && second && first !== second, 'two moves never share a guid');
});

test('creditCards.authorize 200 PAY-I2: an approval outlasts an outage without a caller', async () => {
  const paymentUuid = newRandomId();
  const outage = databaseWithOutage(refusesConnections);
  const put = fixture.put({ paymentUuid }, { database: outage.database });
  await until(() => fixture.timer.waits(100) === 1);
  fixture.timer.fire(ANSWER_LIMIT_MS);
  assert.equal((await put).body.paymentState, 'ACKNOWLEDGED');
  outage.end();
  await fire(100);
  await fixture.underWay.settled();
  assert.equal((await fixture.put({ paymentUuid })).body.paymentState, 'AUTHORIZED');
});

test('creditCards.authorize 200 PAY-8: a long outage is given up, with the reference', async () => {
  const paymentUuid = newRandomId();
  const outage = databaseWithOutage(refusesConnections);
  const put = fixture.put({ paymentUuid }, { database: outage.database });
  for (const pauseMs of [100, 200, 400, 800, 1600, 2000, 2000]) await fire(pauseMs);
  await until(() => fixture.timer.waits(2000) === 1);
  assert.equal(outage.tries(), 8);
  assert.equal(fixture.timer.fire(RECORD_LIMIT_MS), 1);
  assert.equal((await put).body.paymentState, 'ACKNOWLEDGED');
  await fixture.underWay.settled();
  assert.equal(fixture.timer.waits(2000), 0, 'no other try');
  assert.equal(outage.tries(), 8);
  const lines = linesOf(paymentUuid, /could not be recorded/);
  assert.equal(lines.length, 1);
  const [facts] = JSON.parse(lines[0] ?? '');
  assert.match(facts.reference, /^sim-[0-9a-f]{16}$/);
  assert.equal(facts.attempt, 1);
  assert.equal(facts.outcome, 'approved');
  assert.equal(facts.merchantGuid, fixture.merchant.guid);
});

for (const [what, failure] of Object.entries({
  'refuses the statement': refusesTheStatement,
  'meets a defect': hasADefect,
})) {
  test(`creditCards.authorize 200 PAY-8: a database that ${what} is not tried again`, async () => {
    const paymentUuid = newRandomId();
    const outage = databaseWithOutage(failure);
    const answer = await fixture.put({ paymentUuid }, { database: outage.database });
    assert.equal(answer.body.paymentState, 'ACKNOWLEDGED');
    assert.equal(outage.tries(), 1);
    assert.equal(linesOf(paymentUuid, /could not be recorded/).length, 1);
  });
}

test('creditCards.authorize 503 PAY-8: what is not recorded in time may be repeated', async () => {
  const paymentUuid = newRandomId();
  const failing = Promise.withResolvers<never>();
  let isWaiting = false;
  const database: Database = {
    ...fixture.database,
    transaction: () => {
      isWaiting = true;
      return failing.promise;
    },
  };
  const waitedMs = 4_000;
  const put = fixture.put({ paymentUuid, waitedMs }, { database });
  await until(() => isWaiting);
  assert.equal(fixture.timer.fire(ANSWER_LIMIT_MS - waitedMs), 1, 'the checks before it count');
  const answer = await put;
  assert.equal(answer.status, 503);
  assert.match(answer.body.message, /could not be recorded in time.*same paymentUuid/);
  assert.equal(answer.headers['retry-after'], '2');
  assert.equal(linesOf(paymentUuid, /./).length, 0);
  failing.reject(new Error('the intent was lost'));
  await fixture.underWay.settled();
  const lines = linesOf(paymentUuid, /./);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /failed after its caller had been answered/);
  assert.match(lines[0] ?? '', /the intent was lost/);
  assert.ok(lines[0]?.includes(fixture.merchant.guid));
});
