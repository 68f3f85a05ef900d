import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { newGuid, newRandomId } from '@servery/support/ids.ts';
import { insertMove } from '../../src/payments/life/move-store.ts';
import { makeMove, movedPayment } from '../../src/payments/life/outcome.ts';
import { recordMove } from '../../src/payments/life/record.ts';
import { findPayment, type PaymentRow } from '../../src/payments/life/store.ts';
import { countWaiting } from '../database.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listEvents, updatePaymentLease } from './fixture-store.ts';
import { until } from './processors/orders.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

async function authorized(): Promise<PaymentRow> {
  const key = { merchantGuid: fixture.merchant.guid, paymentUuid: newRandomId() };
  await fixture.put({ paymentUuid: key.paymentUuid });
  const payment = await findPayment(fixture.database.sql, key);
  assert.equal(payment?.state, 'AUTHORIZED');
  return payment;
}

const applied = () =>
  makeMove('appliedToCheck', fixture.clock.nowMs(), {
    change: { checkGuid: newGuid() },
  });

test('recordMove PAY-I5: another lease does not keep a move off', async () => {
  const payment = await authorized();
  const release = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const leasing = fixture.database.transaction(async (sql) => {
    await updatePaymentLease(sql, payment, newGuid(), new Date(fixture.clock.nowMs() + 30_000));
    isHeld.resolve();
    await release.promise;
  });
  await isHeld.promise;
  const moving = recordMove(fixture.deps, payment, applied());
  await until('it waits', async () => (await countWaiting(fixture.database.sql)) === 1);
  release.resolve();
  await leasing;
  // The row it waited for is another than it read, in the same version.
  const { isOurs, payment: moved } = await moving;
  assert.ok(isOurs);
  assert.deepEqual(await findPayment(fixture.database.sql, payment), moved);
});

test('insertMove PAY-I5: an event without its payment is undone', async () => {
  const payment = await authorized();
  const { sql } = fixture.database;
  const before = await listEvents(sql, payment.merchantGuid, payment.paymentUuid);
  const move = applied();
  const after = movedPayment(payment, move);
  // A payment that is not as its events say cannot be made: so what is expected is made wrong.
  const expected = { ...payment, version: payment.version - 1 };
  await assert.rejects(
    async () => {
      await insertMove(sql, expected, after, { ...move, guid: newGuid() });
    },
    (error: Error) =>
      isSqlState(error, '22P02') &&
      error.message.includes('the payment is not in the version before its event 3'),
  );
  assert.deepEqual(await listEvents(sql, payment.merchantGuid, payment.paymentUuid), before);
  assert.deepEqual(await findPayment(sql, payment), payment);
});
