import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ALREADY_CAPTURED, type ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Database } from '../../src/database/database.ts';
import {
  claimDuePayments,
  updateLeaseGivenBack,
  updatePaymentDue,
} from '../../src/payments/due/due-store.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { inquiring } from '../../src/payments/life/inquire.ts';
import { TRIES_BEFORE_ALARM } from '../../src/payments/life/step.ts';
import type { PaymentRow } from '../../src/payments/life/store.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listAlarms, listAttempts } from './fixture-store.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'scripted silence' };
const notFound: ProcessorAnswer = { outcome: 'notFound', explanation: 'scripted: not known' };
const declined = (responseCode: string): ProcessorAnswer => ({ outcome: 'declined', responseCode });

const holdOf = async ({ row }: Life) => {
  const { paymentId } = await row();
  return fixture.processor.ledger().find((hold) => hold.paymentId === paymentId);
};
const alarmsOf = async ({ key }: Life) =>
  (await listAlarms(fixture.database.sql, key)).map(({ kind }) => kind);

/** A payment whose answer was lost: UNKNOWN, and nothing asked yet. */
async function unknownLife(): Promise<Life> {
  const life = beginLife(fixture);
  life.script('authorize', unknown);
  assert.equal((await life.put()).paymentState, 'ACKNOWLEDGED');
  return life;
}

test('creditCards.authorize PAY-I3: what no check took is voided after 5 minutes', async () => {
  const life = beginLife(fixture);
  await life.put();
  await life.advance(5 * MINUTE_MS - 1);
  assert.equal(await life.state(), 'AUTHORIZED', 'never early');
  await life.advance(1);
  assert.deepEqual((await life.causes()).slice(2), ['applyDeadlinePassed', 'voidAcknowledged']);
  assert.equal((await holdOf(life))?.state, 'VOIDED');
});

test('creditCards.authorize PAY-I3: what no order fulfilled is voided after 7 days', async () => {
  const life = beginLife(fixture);
  await life.put();
  await life.apply();
  await life.advance(7 * DAY_MS - 1);
  assert.equal(await life.state(), 'APPLIED', 'never early');
  await life.advance(1);
  assert.equal(await life.state(), 'VOIDED');
  assert.equal((await holdOf(life))?.state, 'VOIDED');
});

test('creditCards.authorize PAY-I4: a fulfilled order is captured at close-out', async () => {
  const life = beginLife(fixture);
  await life.put();
  await life.apply();
  const { captureAt } = await life.fulfil();
  // The clock stands at 12:30 in Chicago, where the business day ends at 4 in the morning.
  await life.advance(Number(captureAt) - fixture.clock.nowMs() - 1);
  assert.equal(await life.state(), 'CAPTURE_SCHEDULED', 'never early');
  await life.advance(1);
  assert.equal((await life.row()).capturedMinor, 1250);
  assert.deepEqual(
    [(await holdOf(life))?.state, (await holdOf(life))?.capturedMinor],
    ['CAPTURED', 1250],
  );
});

test('creditCards.authorize PAY-I3: a hold that outlasted its close-out is not captured', async () => {
  const life = beginLife(fixture);
  await life.put();
  await life.apply();
  await life.fulfil();
  // Nothing ran for a week: the hold may have lapsed.
  await life.advance(7 * DAY_MS);
  assert.deepEqual((await life.causes()).slice(4), ['captureDeadlinePassed', 'voidAcknowledged']);
  assert.deepEqual(await alarmsOf(life), ['CAPTURE_MISSED'], 'the restaurant is not paid');
});

test('creditCards.authorize PAY-8: an unknown outcome is asked for, and approved', async () => {
  const life = beginLife(fixture);
  life.script('authorize', unknown);
  // The hold is there; only the answer is not.
  const { authorize } = fixture.processor;
  fixture.deps.processor.authorize = async (order, signal) => {
    await authorize(order, signal);
    return unknown;
  };
  life.script('authorize', 'real');
  assert.equal((await life.put()).paymentState, 'ACKNOWLEDGED');
  fixture.deps.processor.authorize = authorize;
  await life.sweep();
  assert.deepEqual((await life.causes()).slice(1), ['outcomeLost', 'inquiryApproved']);
  const { applyDeadline, authorizedAt } = await life.row();
  assert.equal(Number(applyDeadline) - Number(authorizedAt), 5 * MINUTE_MS);
  assert.equal((await life.put()).paymentState, 'AUTHORIZED', 'the later repeat tells');
  await life.advance(5 * MINUTE_MS);
  assert.equal((await holdOf(life))?.state, 'VOIDED');
});

test('creditCards.authorize PAY-I3: an approval that is learnt too late is voided', async () => {
  const life = await unknownLife();
  fixture.clock.advance(5 * MINUTE_MS + 1);
  life.script('inquire', approvalOf(1250));
  life.script('void', approvalOf(1250));
  await life.sweep();
  assert.deepEqual((await life.causes()).slice(2), ['inquiryApprovedLate', 'voidAcknowledged']);
  assert.equal((await life.put()).status, 409, 'PAY-7: changed since');
});

test('creditCards.authorize PAY-8: an unknown outcome that was a refusal is denied', async () => {
  const life = await unknownLife();
  life.script('inquire', declined('51'));
  await life.sweep();
  assert.equal(await life.state(), 'DENIED');
  const { responseCode, denialReason } = await life.row();
  assert.equal(responseCode, '51');
  assert.match(denialReason ?? '', /insufficient funds/);
});

test('creditCards.authorize PAY-8: what is not found is believed after 20 s, then free', async () => {
  const life = await unknownLife();
  life.script('inquire', notFound, notFound, notFound);
  await life.sweep();
  await life.advance(19_999);
  assert.equal(await life.state(), 'UNKNOWN', 'the call may still be under way');
  await life.advance(1);
  assert.equal(await life.state(), 'ABORTED');
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  assert.equal((await life.row()).attempt, 2);
});

test('creditCards.authorize PAY-8: a call that began late is given its 20 s as well', async () => {
  const life = await unknownLife();
  const startedMs = fixture.clock.nowMs();
  const attempt = { startedAt: new Date(startedMs), sentBefore: null, followUps: 0 };
  // Recording the attempt took 7 s and the call 15 s.
  fixture.clock.advance(22_000);
  const payment = { ...(await life.row()), modifiedAt: new Date(fixture.clock.nowMs()) };
  life.script('inquire', notFound, notFound);
  const early = await inquiring(life.deps, payment, attempt);
  assert.deepEqual('retry' in early && early.atMs, startedMs + 27_000);
  fixture.clock.advance(5_000);
  const late = await inquiring(life.deps, payment, attempt);
  assert.equal('move' in late && late.move.cause, 'inquiryNotFound');
});

test('creditCards.authorize PAY-8: an outcome not learnt within 60 s is reversed', async () => {
  const life = await unknownLife();
  life.script('inquire', ...Array<ProcessorAnswer>(40).fill(unknown));
  for (let second = 0; second < 59; second += 1) await life.advance(1_000);
  assert.equal(await life.state(), 'UNKNOWN');
  life.script('void', unknown, approvalOf(1250));
  await life.advance(1_000);
  assert.equal(await life.state(), 'REVERSAL_PENDING');
  assert.equal((await life.put()).paymentState, 'ACKNOWLEDGED');
  await life.advance(1_000);
  assert.equal(await life.state(), 'REVERSED');
  const { paymentId, denialReason, error } = await life.row();
  assert.ok(denialReason && error);
  assert.equal((await life.put()).paymentState, 'DENIED');
  const voids = life.calls.filter((call) => call.startsWith('void'));
  assert.deepEqual(new Set(voids), new Set([`void reversal:${paymentId}:1`]), 'always one key');
});

test('creditCards.authorize PAY-I8: an approval of another amount is reversed', async () => {
  const life = beginLife(fixture);
  await life.put('5577000055770004');
  await life.sweep();
  assert.deepEqual((await life.causes()).slice(1), [
    'outcomeLost',
    'inquiryGivenUp',
    'reversalAcknowledged',
  ]);
  assert.equal((await holdOf(life))?.state, 'VOIDED');
});

test('creditCards.authorize PAY-I8: a process that dies with a call under way is taken over', async () => {
  const realClock = new FixedClock(fixture.clock.nowMs());
  const life = beginLife(fixture);
  const { processor } = fixture.deps;
  const asked = Promise.withResolvers<void>();
  const authorize = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const body = await fixture.body();
  const { paymentUuid } = life.key;
  const overrides = { processor: { ...processor, authorize }, realClock };
  const died = fixture.put({ paymentUuid, body }, overrides);
  died.catch(() => {});
  // The row is there before: who has not asked yet, and finds the lease over, asks no more.
  await asked.promise;
  const sweep = createPaymentSweep({ ...life.deps, realClock });
  const run = () => sweep.runDue(fixture.clock.nowMs(), { isSequential: false });
  realClock.advance(29_999);
  await run();
  assert.equal(await life.state(), 'PENDING', 'the lease holds');
  realClock.advance(1);
  await run();
  assert.equal(await life.state(), 'UNKNOWN', 'although the sandbox’s clock stands');
  fixture.clock.advance(20_000);
  await run();
  assert.equal(await life.state(), 'ABORTED');
  fixture.timer.fire(15_000);
  await assert.doesNotReject(died, 'a caller that still waits gets an answer');
});

test('creditCards.authorize PAY-I4: a void that meets a capture is for a person', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', declined(ALREADY_CAPTURED));
  await life.advance(5 * MINUTE_MS);
  assert.equal(await life.state(), 'REVIEW');
  assert.deepEqual(await alarmsOf(life), ['FOUND_CAPTURED']);
  assert.ok(fixture.logged.some((line) => line.includes('needs a person')));
});

test('creditCards.authorize PAY-I3: a void that is refused is for a person', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', declined('12'));
  await life.advance(5 * MINUTE_MS);
  assert.equal(await life.state(), 'REVIEW');
  assert.deepEqual(await alarmsOf(life), ['VOID_DECLINED']);
});

test('creditCards.authorize PAY-I8: a void of a hold that nobody knows raises an alarm', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', notFound);
  await life.advance(5 * MINUTE_MS);
  assert.equal(await life.state(), 'VOIDED');
  assert.deepEqual(await alarmsOf(life), ['HOLD_MISSING']);
});

test('creditCards.authorize PAY-I8: a hold that a void did not find is given up later', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', notFound);
  await life.advance(5 * MINUTE_MS);
  assert.equal((await holdOf(life))?.state, 'HELD', 'the processor only did not find it');
  await life.advance(MINUTE_MS);
  assert.equal((await holdOf(life))?.state, 'VOIDED');
  assert.equal(await life.state(), 'VOIDED');
  const { paymentId } = await life.row();
  assert.equal(life.calls.at(-1), `void reversal:${paymentId}:1`);
  await life.advance(2 * DAY_MS);
  assert.equal(life.calls.at(-1), `void reversal:${paymentId}:1`, 'that was all');
});

test('creditCards.authorize PAY-I3: a void without answer is sent again, with its key', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', unknown, new Error('broken'), unknown);
  await life.advance(5 * MINUTE_MS);
  for (const waitMs of [1_000, 2_000, 4_000]) {
    assert.equal(await life.state(), 'VOID_PENDING');
    await life.advance(waitMs);
  }
  assert.equal(await life.state(), 'VOIDED');
  const voids = life.calls.filter((call) => call.startsWith('void'));
  assert.deepEqual([voids.length, new Set(voids).size], [4, 1]);
});

test('creditCards.authorize PAY-I3: what is not settled for minutes raises one alarm', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', ...Array<ProcessorAnswer>(12).fill(unknown));
  await life.advance(5 * MINUTE_MS);
  for (let tries = 0; tries < 11; tries += 1) await life.advance(5 * MINUTE_MS);
  assert.deepEqual(await alarmsOf(life), ['UNSETTLED']);
  await life.advance(5 * MINUTE_MS);
  assert.equal(await life.state(), 'VOIDED', 'and it is never given up');
});

/** A payment that is to be captured at once. */
async function capturable(): Promise<Life> {
  const life = beginLife(fixture);
  await life.put();
  await life.apply();
  await life.fulfil();
  return life;
}

test('creditCards.authorize PAY-I1: a silent capture is asked for, then sent again', async () => {
  const life = await capturable();
  life.script('capture', unknown);
  await life.capture();
  assert.equal(await life.state(), 'CAPTURE_PENDING');
  await life.advance(1_000);
  assert.equal(await life.state(), 'CAPTURED');
  const { paymentId } = await life.row();
  assert.deepEqual(life.calls.slice(1), [
    `capture capture:${paymentId}`,
    `inquire capture:${paymentId}`,
    `capture capture:${paymentId}`,
  ]);
});

test('creditCards.authorize PAY-I1: a capture that took effect is not repeated', async () => {
  const life = await capturable();
  life.script('capture', unknown);
  await life.capture();
  life.script('inquire', approvalOf(1250));
  await life.advance(1_000);
  assert.equal(await life.state(), 'CAPTURED');
  assert.equal(life.calls.filter((call) => call.startsWith('capture')).length, 1);
});

test('creditCards.authorize PAY-I4: a capture that is refused is for a person', async () => {
  const life = await capturable();
  life.script('capture', declined('05'));
  await life.capture();
  assert.equal(await life.state(), 'REVIEW');
  assert.deepEqual(await alarmsOf(life), ['CAPTURE_DECLINED']);
});

test('creditCards.authorize PAY-I3: a capture that never arrived is voided', async () => {
  const life = await capturable();
  life.script('capture', ...Array<ProcessorAnswer>(9).fill(unknown));
  await life.capture();
  await life.advance(7 * DAY_MS);
  await life.advance(19_999);
  assert.equal(await life.state(), 'CAPTURE_PENDING', 'it may have been sent a moment before');
  await life.advance(1);
  assert.equal(await life.state(), 'VOIDED');
  assert.equal((await holdOf(life))?.state, 'VOIDED');
});

test('creditCards.authorize PAY-I8: a capture and a hold nobody knows are for a person', async () => {
  const life = await capturable();
  life.script('capture', unknown);
  life.script('void', notFound);
  await life.capture();
  await life.advance(7 * DAY_MS + 20_000);
  assert.equal(await life.state(), 'REVIEW', 'the capture may still arrive');
  assert.deepEqual((await life.causes()).slice(5), ['captureDeadlinePassed', 'holdNotFound']);
  assert.deepEqual(await alarmsOf(life), ['CAPTURE_MISSED', 'HOLD_MISSING']);
  const [, missing] = await listAlarms(fixture.database.sql, life.key);
  assert.match(String(missing?.explanation), /a capture was begun before/);
});

test('creditCards.authorize PAY-I3: a capture of unknown outcome is not voided', async () => {
  const life = await capturable();
  life.script('capture', unknown);
  await life.capture();
  life.script('inquire', unknown, approvalOf(1250));
  await life.advance(7 * DAY_MS);
  assert.equal(await life.state(), 'CAPTURE_PENDING');
  await life.advance(MINUTE_MS);
  assert.equal(await life.state(), 'CAPTURED');
});

test('creditCards.authorize PAY-I1: two sweeps at once do each piece of work once', async () => {
  const lives = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const life = beginLife(fixture);
      await life.put();
      return life;
    }),
  );
  fixture.clock.advance(5 * MINUTE_MS);
  const deps = { ...fixture.deps, timer: fixture.timer };
  const sweeps = [createPaymentSweep(deps), createPaymentSweep(deps)];
  const nowMs = fixture.clock.nowMs();
  const done = await Promise.all(sweeps.map((one) => one.runDue(nowMs, { isSequential: false })));
  for (const life of lives) {
    const moves = done.flat().filter(({ paymentUuid }) => paymentUuid === life.key.paymentUuid);
    assert.deepEqual(
      moves.map(({ toState }) => toState),
      ['VOID_PENDING', 'VOIDED'],
    );
  }
});

test('creditCards.authorize PAY-I8: a refused reversal of a refused card is no fault', async () => {
  const life = await unknownLife();
  life.script('inquire', ...Array<ProcessorAnswer>(7).fill(unknown));
  for (const second of [0, 1, 3, 7, 15, 31]) await life.advance(second * 1_000);
  life.script('inquire', unknown, declined('51'));
  life.script('void', declined('12'));
  await life.advance(MINUTE_MS);
  assert.equal(await life.state(), 'REVERSED');
  assert.deepEqual(await alarmsOf(life), []);
  assert.equal((await life.put()).paymentState, 'DENIED');
});

test('creditCards.authorize PAY-I8: a refused reversal of a hold is for a person', async () => {
  const life = await unknownLife();
  life.script('inquire', approvalOf(7), approvalOf(7));
  life.script('void', declined('12'));
  await life.sweep();
  assert.equal(await life.state(), 'REVIEW');
  assert.deepEqual(await alarmsOf(life), ['REVERSAL_DECLINED']);
});

test('creditCards.authorize PAY-I3: each state that is not settled raises its alarm', async () => {
  const life = await capturable();
  life.script('capture', unknown);
  life.script('inquire', ...Array<ProcessorAnswer>(10).fill(unknown), notFound);
  await life.capture();
  for (let tries = 0; tries < 10; tries += 1) await life.advance(5 * MINUTE_MS);
  assert.deepEqual(await alarmsOf(life), ['UNSETTLED']);
  life.script('inquire', notFound);
  life.script('void', ...Array<ProcessorAnswer>(12).fill(unknown));
  await life.advance(7 * DAY_MS);
  for (let tries = 0; tries < 10; tries += 1) await life.advance(5 * MINUTE_MS);
  assert.deepEqual(await alarmsOf(life), ['UNSETTLED', 'CAPTURE_MISSED', 'UNSETTLED']);
});

test('clock set: what waits for the processor comes along when the clock goes back', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', unknown, unknown);
  await life.advance(5 * MINUTE_MS);
  assert.equal(await life.state(), 'VOID_PENDING');
  fixture.clock.advance(-30 * DAY_MS);
  await life.sweep();
  assert.equal(await life.state(), 'VOID_PENDING', 'due in a month');
  await createPaymentSweep(life.deps).clockWentBack?.(fixture.clock.nowMs());
  await life.sweep();
  await life.advance(2_000);
  assert.equal(await life.state(), 'VOIDED');
});

test('clock set: an unknown outcome is asked about for 20 s anew', async () => {
  const life = await unknownLife();
  life.script('inquire', notFound, notFound, notFound);
  await life.sweep();
  fixture.clock.advance(-DAY_MS);
  await createPaymentSweep(life.deps).clockWentBack?.(fixture.clock.nowMs());
  await life.sweep();
  assert.equal(await life.state(), 'UNKNOWN', 'the call left a moment ago');
  await life.advance(20_000);
  assert.equal(await life.state(), 'ABORTED');
});

test('clock set: a call sent just before a jump is given its 20 s as well', async () => {
  const life = await unknownLife();
  const startedMs = fixture.clock.nowMs();
  const attempt = { startedAt: new Date(startedMs), sentBefore: null, followUps: 0 };
  // The sending process did not know of the jump yet when it wrote the intent.
  const jumpedMs = startedMs + 20_001;
  const payment = { ...(await life.row()), modifiedAt: new Date(jumpedMs) };
  fixture.clock.advance(19_001);
  life.script('inquire', notFound);
  const step = await inquiring(life.deps, payment, attempt);
  assert.deepEqual('retry' in step && step.atMs, jumpedMs - 15_000 + 20_000);
});

test('clock set: a deadline whose work was put off is no further away than before', async () => {
  const life = beginLife(fixture);
  await life.put();
  const payment = await life.row();
  fixture.clock.advance(5 * MINUTE_MS);
  // Its work failed, and was put off.
  const later = new Date(fixture.clock.nowMs() + 1_000);
  await updatePaymentDue(fixture.database.sql, payment, later, 1);
  fixture.clock.advance(-3 * MINUTE_MS);
  await createPaymentSweep(life.deps).clockWentBack?.(fixture.clock.nowMs());
  assert.deepEqual((await life.row()).dueAt, payment.applyDeadline);
});

test('clock advance: a sequential run ends after the pieces it may do', async () => {
  for (let count = 0; count < 3; count += 1) await beginLife(fixture).put();
  fixture.clock.advance(5 * MINUTE_MS);
  const sweep = createPaymentSweep({ ...fixture.deps, timer: fixture.timer });
  const options = { isSequential: true, piecesAtMost: 2 };
  const done = await sweep.runDue(fixture.clock.nowMs(), options);
  assert.equal(new Set(done.map(({ paymentUuid }) => paymentUuid)).size, 2);
  await sweep.runDue(fixture.clock.nowMs(), { isSequential: true });
});

/**
 * A database that loses the answer to every second COMMIT, the first one included;
 * `whenLost` happens before that is noticed.
 */
function losingCommits(whenLost = async () => {}): {
  readonly database: Database;
  lost(): number;
} {
  let commits = 0;
  const database: Database = {
    ...fixture.database,
    async transaction(run, options) {
      const result = await fixture.database.transaction(run, options);
      commits += 1;
      if (commits % 2 === 0) return result;
      await whenLost();
      throw new CommitUnknownError(new Error('connection lost'));
    },
  };
  return { database, lost: () => Math.ceil(commits / 2) };
}

test('creditCards.authorize PAY-I5: a lost COMMIT is read back, and the work goes on', async () => {
  const life = beginLife(fixture);
  await life.put();
  fixture.clock.advance(5 * MINUTE_MS);
  const { database, lost } = losingCommits();
  const sweep = createPaymentSweep({ ...life.deps, database });
  const done = await sweep.runDue(fixture.clock.nowMs(), { isSequential: true });
  const ours = done.filter(({ paymentUuid }) => paymentUuid === life.key.paymentUuid);
  assert.deepEqual(
    ours.map(({ cause }) => cause),
    ['applyDeadlinePassed', 'voidAcknowledged'],
  );
  assert.ok(lost() >= 2, 'that of each move');
});

test('creditCards.authorize PAY-I5: a lost COMMIT of what is put off is read back too', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', ...Array<ProcessorAnswer>(TRIES_BEFORE_ALARM).fill(unknown));
  fixture.clock.advance(5 * MINUTE_MS);
  const { database, lost } = losingCommits();
  const sweep = createPaymentSweep({ ...life.deps, database });
  for (let tries = 1; tries <= TRIES_BEFORE_ALARM; tries += 1) {
    await sweep.runDue(fixture.clock.nowMs(), { isSequential: true });
    assert.equal((await life.row()).tries, tries, 'counted once');
    fixture.clock.advance(60 * MINUTE_MS);
  }
  assert.deepEqual(await alarmsOf(life), ['UNSETTLED']);
  assert.ok(lost() > TRIES_BEFORE_ALARM, 'that of the move, and of each time it was put off');
});

test('creditCards.authorize PAY-I1: what is put off twice stays with the process that took over', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', unknown, unknown);
  await life.advance(5 * MINUTE_MS);
  fixture.clock.advance(MINUTE_MS);
  const realNow = new Date(fixture.deps.realClock.nowMs());
  const leaseExpiresAt = new Date(Number(realNow) + MINUTE_MS);
  const lease = { leaseHolder: newGuid(), leaseExpiresAt, realNow };
  const later = new Date(fixture.clock.nowMs() + MINUTE_MS);
  const { sql } = fixture.database;
  let claimed: PaymentRow[] = [];
  const { database } = losingCommits(async () => {
    claimed = await claimDuePayments(sql, later, lease, 100);
  });
  await createPaymentSweep({ ...life.deps, database }).runDue(fixture.clock.nowMs(), {
    isSequential: true,
  });
  const { leaseHolder, tries } = await life.row();
  assert.deepEqual(
    [leaseHolder, tries],
    [lease.leaseHolder, 2],
    'neither taken away nor counted again',
  );
  for (const row of claimed) await updateLeaseGivenBack(sql, row);
});

test('creditCards.authorize PAY-7: an attempt says what became of it', async () => {
  const life = await unknownLife();
  life.script('inquire', notFound, notFound);
  await life.advance(20_000);
  const { merchantGuid, paymentUuid } = life.key;
  const [attempt] = await listAttempts(fixture.database.sql, merchantGuid, paymentUuid);
  assert.equal(attempt?.outcome, 'NOT_FOUND');
});

function approvalOf(amountMinor: number): ProcessorAnswer {
  const reference = 'scripted';
  const authorizationCode = '123456';
  return { outcome: 'approved', authorizationCode, amountMinor, currencyCode: 'USD', reference };
}
