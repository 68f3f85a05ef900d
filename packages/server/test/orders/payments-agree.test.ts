import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database } from '../../src/database/database.ts';
import { orderHandlers } from '../../src/orders/partner/handlers.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { changeTip, voidPayment } from '../../src/payments/life/orders.ts';
import { findPayment } from '../../src/payments/life/store.ts';
import { callOperation } from '../request.ts';
import { type OrderFixture, openOrderFixture, orderOf } from './fixture.ts';
import { item, select } from './menu.ts';

let fixture: OrderFixture;
before(async () => {
  fixture = await openOrderFixture({ menu: { items: [item('Soup', 8)] } });
});
after(() => fixture.close());

const DAY_MS = 86_400_000;

async function placePaid(tipAmount: number) {
  const guid = await fixture.authorize(8, tipAmount);
  const payments = [{ type: 'CREDIT', guid, amount: 8, tipAmount }];
  const { status, body } = await fixture.place(orderOf([select('Soup')], { payments }));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const shownOf = ({ checks: [check] }: Awaited<ReturnType<typeof placePaid>>) => [
  check.paymentStatus,
  check.payments[0].paymentStatus,
  check.payments[0].tipAmount,
];

test('orders.get PAY-I10: an order shows the tip and the end of its payment', async () => {
  const { payments, get, restaurant } = fixture;
  const order = await placePaid(2);
  assert.deepEqual(shownOf(order), ['CLOSED', 'AUTHORIZED', 2]);
  const paymentUuid = order.checks[0].payments[0].guid;
  const key = { merchantGuid: restaurant.guid, paymentUuid };
  const settling = { ...payments.deps, timer: payments.timer };
  await changeTip(settling, key, 50, 'another orders system');
  assert.deepEqual(shownOf((await get(order.guid)).body), ['CLOSED', 'AUTHORIZED', 0.5]);
  payments.clock.advance(7 * DAY_MS);
  await createPaymentSweep(settling).runDue(payments.clock.nowMs(), { isSequential: true });
  assert.deepEqual(shownOf((await get(order.guid)).body), ['OPEN', 'VOIDED', 0.5]);
});

test('orders.payments.update PAY-I10: a change whose COMMIT was lost is not taken for another', async () => {
  const { deps, restaurant, partner, call, payments } = fixture;
  const order = await placePaid(2);
  const params = {
    orderGuid: order.guid,
    checkGuid: order.checks[0].guid,
    paymentGuid: order.checks[0].payments[0].guid,
  };
  const { database } = deps;
  const losing: Database = {
    ...database,
    transaction: async (run) => {
      const undone = new Error('undone');
      await database
        .transaction(async (sql) => {
          await run(sql);
          throw undone;
        })
        .catch((error: unknown) => assert.equal(error, undone));
      const other = await call('orders.payments.update', { params, body: { tipAmount: 1 } });
      assert.equal(other.status, 200);
      throw new CommitUnknownError(undone);
    },
  };
  const answer = await callOperation(
    orderHandlers({ ...deps, database: losing }),
    'orders.payments.update',
    {
      restaurant,
      principal: partner,
      nowMs: payments.clock.nowMs(),
      params,
      body: { tipAmount: 0 },
    },
  );
  assert.equal(answer.status, 503, 'the other change has the same version');
  assert.deepEqual(shownOf((await fixture.get(order.guid)).body), ['CLOSED', 'AUTHORIZED', 1]);
});

test('orders.place PAY-I9 PAY-I10 PAY-I11: an order and the void of its hold: one of them wins', async () => {
  const { payments, restaurant, authorize, place, get } = fixture;
  const settling = { ...payments.deps, timer: payments.timer };
  for (let round = 0; round < 10; round += 1) {
    const guid = await authorize(8);
    const key = { merchantGuid: restaurant.guid, paymentUuid: guid };
    const paid = [{ type: 'CREDIT', guid, amount: 8 }];
    const [answer] = await Promise.all([
      place(orderOf([select('Soup')], { payments: paid })),
      voidPayment(settling, key, 'guest left', 'another orders system'),
    ]);
    if (answer.status !== 200) {
      assert.equal(answer.status, 409, answer.body.message);
      continue;
    }
    assert.equal(shownOf(answer.body)[1], 'AUTHORIZED');
    assert.deepEqual(shownOf((await get(answer.body.guid)).body), ['OPEN', 'VOIDED', 0]);
    const row = await findPayment(payments.database.sql, key);
    assert.equal(row?.checkGuid, answer.body.checks[0].guid);
  }
});
