import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '../../src/http/errors.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const OTHER_CHECK = '9c1d2f9a-4b35-4a9b-8e60-7c3f2b8c1e5d';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function authorized(): Promise<Life> {
  const life = beginLife(fixture);
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  return life;
}

async function assertConflict(work: Promise<unknown>, words: RegExp): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.errorClass, 'conflict');
    assert.match(error.message, words);
    return true;
  });
}

test('backOffice.payments.apply 200 PAY-12: applying keeps an authorization, once', async () => {
  const life = await authorized();
  const applied = await life.apply();
  assert.equal(applied.state, 'APPLIED');
  assert.equal(Number(applied.dueAt), Number(applied.captureDeadline));
  assert.deepEqual((await life.apply()).version, applied.version, 'a repeat does nothing');
  assert.equal((await life.put()).paymentState, 'AUTHORIZED', 'the partner sees no difference');
});

test('backOffice.payments.apply 409: another check is refused, legal moves named', async () => {
  const life = await authorized();
  await life.apply();
  await assertConflict(life.apply(OTHER_CHECK), /APPLIED.*Legal now: fulfil, void, tip\.$/);
});

test('backOffice.payments.apply 409 PAY-I3: nothing is legal past the deadline', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  await assertConflict(life.apply(), /AUTHORIZED, past its deadline.*No move is legal now/);
  await life.sweep();
  await assertConflict(life.apply(), /The payment is VOIDED, so apply is not possible/);
});

test('backOffice.payments.apply 404: a payment that is not there', async () => {
  const life = beginLife(fixture);
  await assert.rejects(life.apply(), { errorClass: 'notFound' });
});

test('backOffice.payments.fulfil 200: a fulfilled order waits for its close-out', async () => {
  const life = await authorized();
  await assertConflict(life.fulfil(), /AUTHORIZED.*Legal now: apply, void\.$/);
  await life.apply();
  const fulfilled = await life.fulfil();
  assert.equal(fulfilled.state, 'CAPTURE_SCHEDULED');
  // Four o'clock in Chicago, whatever the offset is that night.
  const local = fulfilled.captureAt?.toLocaleString('en-GB', { timeZone: 'America/Chicago' });
  assert.match(local ?? '', /04:00:00$/);
  assert.equal((await life.fulfil()).version, fulfilled.version, 'a repeat does nothing');
  assert.equal((await life.apply()).version, fulfilled.version, 'a late repeat neither');
  await assertConflict(life.void(), /CAPTURE_SCHEDULED.*Legal now: capture, tip\.$/);
});

test('backOffice.payments.fulfil 200 PAY-I3: a late one is captured before its deadline', async () => {
  const life = await authorized();
  await life.apply();
  fixture.clock.advance(
    7 * DAY_MS - 30 * MINUTE_MS - (fixture.clock.nowMs() - (await authorizedMs(life))),
  );
  const { captureAt } = await life.fulfil();
  assert.equal(captureAt?.getTime(), fixture.clock.nowMs());
  await life.sweep();
  assert.equal(await life.state(), 'CAPTURED');
});

async function authorizedMs(life: Life): Promise<number> {
  return Number((await life.row()).authorizedAt);
}

test('backOffice.payments.void 200: the hold is given up at once', async () => {
  const life = await authorized();
  const voided = await life.void('guest left');
  assert.equal(voided.state, 'VOIDED');
  assert.equal(voided.voidReason, 'guest left');
  assert.equal((await life.void('guest left')).version, voided.version, 'a repeat does nothing');
  await assertConflict(life.void('another reason'), /VOIDED.*No move is legal now/);
  assert.equal((await life.put()).status, 409, 'PAY-7: changed since');
});

test('backOffice.payments.void 200: a processor that is away is asked later', async () => {
  const life = await authorized();
  await life.apply();
  life.script('void', new Error('away'));
  assert.equal((await life.void()).state, 'VOID_PENDING');
  await life.advance(1_000);
  assert.equal(await life.state(), 'VOIDED');
});

test('backOffice.payments.capture 200: the money is taken now, once', async () => {
  const life = await authorized();
  await life.apply();
  await assertConflict(life.capture(), /APPLIED.*Legal now: fulfil, void, tip\.$/);
  await life.fulfil();
  const captured = await life.capture();
  assert.deepEqual([captured.state, captured.capturedMinor], ['CAPTURED', 1250]);
  assert.equal((await life.capture()).version, captured.version, 'a repeat does nothing');
  assert.equal(life.calls.filter((call) => call.startsWith('capture')).length, 1);
});

test('backOffice.payments.void 409 PAY-I4: of a void and a fulfillment at once, one wins', async () => {
  for (let round = 0; round < 10; round += 1) {
    const life = await authorized();
    await life.apply();
    const [fulfilled, voided] = await Promise.allSettled([life.fulfil(), life.void()]);
    assert.notEqual(fulfilled.status, voided.status);
    const expected = fulfilled.status === 'fulfilled' ? 'CAPTURE_SCHEDULED' : 'VOIDED';
    assert.equal(await life.state(), expected);
  }
});

test('backOffice.payments.apply PAY-I3: at the deadline, of apply and void one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const life = await authorized();
    fixture.clock.advance(5 * MINUTE_MS - 1);
    const apply = life.apply();
    fixture.clock.advance(1);
    const [applied] = await Promise.allSettled([apply, life.sweep()]);
    assert.equal(await life.state(), applied.status === 'fulfilled' ? 'APPLIED' : 'VOIDED');
  }
});
