import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newRandomId } from '@servery/support/ids.ts';
import { createGuestRetention } from '../../src/payments/due/retention.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { findGuest, listAttempts, listEvents, updateAlarmsSeen } from './fixture-store.ts';
import { beginLife } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const DAY_MS = 86_400_000;
const DECLINED_CARD = '4000000000000002';
const retention = (days = 180) =>
  createGuestRetention({ ...fixture.deps, guestRetentionDays: days });

const guestOf = (paymentUuid: string) =>
  findGuest(fixture.database.sql, fixture.merchant.guid, paymentUuid);

/** A declined payment, which is over at once. */
async function decline(): Promise<string> {
  const paymentUuid = newRandomId();
  const body = await fixture.body({ cardNumber: DECLINED_CARD });
  assert.equal((await fixture.put({ paymentUuid, body })).body.paymentState, 'DENIED');
  return paymentUuid;
}

test('guest retention: guest data go after the set time, never early; the rest stays', async () => {
  const paymentUuid = await decline();
  const cameMs = fixture.clock.nowMs();
  const work = retention();
  assert.equal(await work.nextDueMs(), cameMs + 180 * DAY_MS);
  fixture.clock.advance(180 * DAY_MS - 1);
  assert.deepEqual(await work.runDue(fixture.clock.nowMs(), { isSequential: true }), []);
  assert.ok(await guestOf(paymentUuid));
  fixture.clock.advance(1);
  assert.deepEqual(await work.runDue(fixture.clock.nowMs(), { isSequential: true }), [
    {
      dueMs: cameMs + 180 * DAY_MS,
      kind: 'guestRetention',
      merchantGuid: fixture.merchant.guid,
      paymentUuid,
      fromState: null,
      cause: null,
      toState: null,
    },
  ]);
  assert.equal(await guestOf(paymentUuid), null);
  assert.equal(await work.nextDueMs(), null);
  const { sql } = fixture.database;
  assert.equal((await listEvents(sql, fixture.merchant.guid, paymentUuid)).length, 2);
  assert.equal((await listAttempts(sql, fixture.merchant.guid, paymentUuid)).length, 1);
});

test('guest retention: a payment that is not over keeps its guest data', async () => {
  const life = beginLife(fixture);
  await life.put();
  const { paymentUuid } = life.key;
  const dueMs = fixture.clock.nowMs() + 180 * DAY_MS;
  const work = retention();
  fixture.clock.advance(200 * DAY_MS);
  assert.equal(await work.nextDueMs(), null, 'nothing that is due can be done');
  assert.deepEqual(await work.runDue(fixture.clock.nowMs(), { isSequential: false }), []);
  assert.ok(await guestOf(paymentUuid));
  await life.sweep();
  assert.equal(await life.state(), 'VOIDED');
  assert.equal(await work.nextDueMs(), dueMs, 'it is overdue now');
  const done = await work.runDue(fixture.clock.nowMs(), { isSequential: false });
  assert.deepEqual(
    done.map((piece) => piece.paymentUuid),
    [paymentUuid],
  );
});

test('guest retention: a payment in REVIEW keeps its guest data, others do not', async () => {
  const life = beginLife(fixture);
  await life.put();
  life.script('void', { outcome: 'declined', responseCode: '05' });
  await life.void().catch(() => undefined);
  await life.sweep();
  assert.equal(await life.state(), 'REVIEW');
  const later = await decline();
  fixture.clock.advance(365 * DAY_MS);
  const done = await retention().runDue(fixture.clock.nowMs(), { isSequential: true });
  assert.deepEqual(
    done.map((piece) => piece.paymentUuid),
    [later],
  );
  assert.ok(await guestOf(life.key.paymentUuid));
  await updateAlarmsSeen(fixture.database.sql, life.key, fixture.client.clientId);
  await retention().runDue(fixture.clock.nowMs(), { isSequential: true });
  assert.equal(await guestOf(life.key.paymentUuid), null, 'nobody needs them anymore');
});

test('guest retention: a shorter setting holds for payments that are there', async () => {
  const paymentUuid = await decline();
  fixture.clock.advance(31 * DAY_MS);
  assert.deepEqual(await retention(60).runDue(fixture.clock.nowMs(), { isSequential: true }), []);
  const done = await retention(30).runDue(fixture.clock.nowMs(), { isSequential: true });
  assert.deepEqual(
    done.map((piece) => piece.paymentUuid),
    [paymentUuid],
  );
});

test('guest retention: processes at once remove each row once, the oldest first', async () => {
  const { sql } = fixture.database;
  const model = await decline();
  // More than a batch, each a millisecond younger than the one before.
  await sql`
    with made as (
      select gen_random_uuid() as payment_uuid, n from generate_series(1, 1200) as n),
    event as (
      insert into payment_event (merchant_guid, payment_uuid, version, previous_version,
        from_state, cause, to_state, attempt, details, occurred_at, guid, previous_digest)
      select merchant_guid, made.payment_uuid, version, previous_version, from_state, cause,
        to_state, attempt, details, occurred_at, guid, previous_digest
      from payment_event e, made where e.payment_uuid = ${model}
      on conflict do nothing),
    copied as (
      insert into payment select (jsonb_populate_record(p, jsonb_build_object(
        'payment_uuid', made.payment_uuid, 'payment_id', made.payment_uuid))).*
      from payment p, made where p.payment_uuid = ${model})
    insert into payment_guest select (jsonb_populate_record(g, jsonb_build_object(
      'payment_uuid', made.payment_uuid,
      'created_at', g.created_at + made.n * interval '1 millisecond'))).*
    from payment_guest g, made where g.payment_uuid = ${model}`;
  fixture.clock.advance(181 * DAY_MS);
  const done = await Promise.all(
    [false, false, true].map((isSequential) =>
      retention().runDue(fixture.clock.nowMs(), { isSequential }),
    ),
  );
  const removed = done.flat().map((piece) => piece.paymentUuid);
  assert.equal(removed.length, 1201);
  assert.equal(new Set(removed).size, 1201);
  for (const pieces of done) {
    const instants = pieces.map(({ dueMs }) => dueMs);
    assert.deepEqual(
      instants,
      instants.toSorted((one, other) => one - other),
    );
  }
});
