import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Order, WebhookEvent } from '@servery/contract';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database } from '../../src/database/database.ts';
import { ordersHere } from '../../src/orders/kitchen/orders-here.ts';
import { orderHandlers } from '../../src/orders/partner/handlers.ts';
import { voidPayment } from '../../src/payments/life/orders.ts';
import { findPayment } from '../../src/payments/life/store.ts';
import { insertListener } from '../payments/event-fixture-store.ts';
import { callOperation } from '../request.ts';
import { orderOf } from './fixture.ts';
import { listBodies, updateScopes } from './fixture-store.ts';
import { type KitchenFixture, openKitchenFixture } from './kitchen-fixture.ts';
import { item, select } from './menu.ts';

let fixture: KitchenFixture;
before(async () => {
  fixture = await openKitchenFixture({
    menu: { items: [item('Soup', 8)] },
    settings: { autoFulfil: 'never' },
  });
  const { partner, restaurant, payments } = fixture;
  const now = new Date(payments.clock.nowMs());
  await insertListener(payments.database.sql, partner.clientId, restaurant.guid, now);
  const scopes = [
    'credit_cards.authorization:write',
    'orders:read',
    'orders.channel:read',
  ] as const;
  await updateScopes(payments.database.sql, partner.clientId, scopes);
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

/** How the back office finds an order, and what it shows of it. */
async function foundAs(orderGuid: string) {
  const found: string[] = [];
  for (const query of [
    ...['OPEN', 'PAID', 'CLOSED'].map((paymentStatus) => ({ paymentStatus })),
    { open: 'true' },
  ]) {
    const { body } = await fixture.office('backOffice.orders.list', { query });
    const one = body.results.find(({ order }: { order: Order }) => order.guid === orderGuid);
    if (one) found.push(Object.values(query).join());
  }
  const { order } = (await fixture.decide('get', orderGuid)).body;
  return [...found, order.guestOrderStatus, ...shownOf(order).slice(0, 2)];
}

/** What partners are told of an order while something happens. */
async function toldDuring(orderGuid: string, happens: () => Promise<unknown>) {
  const { partner, payments } = fixture;
  const { length } = await listBodies(payments.database.sql, partner.clientId);
  await happens();
  const bodies = (await listBodies(payments.database.sql, partner.clientId)).slice(length);
  return bodies.flatMap((body) => {
    const event = JSON.parse(body) as WebhookEvent;
    switch (event.eventType) {
      case 'channel_order_updated': {
        const { order } = event.details;
        return order?.guid === orderGuid ? [shownOf(order).slice(0, 2).join(' ')] : [];
      }
      case 'guestOrderStatusUpdated':
        return event.details.orderGuid === orderGuid ? [event.details.guestOrderStatus] : [];
      default:
        return [];
    }
  });
}

test('orders ORD-53 ORD-57 PAY-I10: an order follows its payment by itself, for filters, lists and partners', async () => {
  const { payments, decide, moveTo, call } = fixture;
  const { clock } = payments;
  const captured = await placePaid(0);
  assert.deepEqual(await foundAs(captured.guid), [
    'PAID',
    'true',
    'RECEIVED',
    'PAID',
    'AUTHORIZED',
  ]);
  await fixture.work();
  await decide('fulfil', captured.guid);
  assert.deepEqual(await foundAs(captured.guid), ['PAID', 'CLOSED', 'PAID', 'AUTHORIZED']);
  const startDate = new Date(clock.nowMs() + 1).toISOString();
  const told = await toldDuring(captured.guid, () => moveTo(clock.nowMs() + DAY_MS));
  assert.deepEqual(told, ['CLOSED CAPTURE_IN_PROGRESS', 'CLOSED CAPTURED']);
  assert.deepEqual(await foundAs(captured.guid), ['CLOSED', 'CLOSED', 'CLOSED', 'CAPTURED']);
  const endDate = new Date(clock.nowMs() + 1).toISOString();
  const { body: changed } = await call('orders.listBulk', { query: { startDate, endDate } });
  const [followed] = changed.filter(({ guid }: Order) => guid === captured.guid);
  assert.equal(followed?.closedDate, followed?.checks[0].modifiedDate);
  const { body: events } = await decide('events', captured.guid);
  assert.deepEqual(
    events
      .slice(-2)
      .map(({ by, cause, details }: Readonly<Record<string, unknown>>) => [by, cause, details]),
    ['captureTimeReached', 'captureAcknowledged'].map((move, index) => [
      ...['system:payments', 'paymentMoved'],
      {
        paymentUuid: captured.checks[0].payments[0].guid,
        ...{ move, state: ['CAPTURE_PENDING', 'CAPTURED'][index] },
      },
    ]),
  );
});

test('orders ORD-57 ORD-58 ORD-62: a deadline that voids a payment opens the order again', async () => {
  const { payments, decide, work, call } = fixture;
  const { clock } = payments;
  const unpaid = await placePaid(1);
  await fixture.work();
  await decide('fulfil', unpaid.guid);
  const paymentUuid = unpaid.checks[0].payments[0].guid;
  assert.deepEqual(await foundAs(unpaid.guid), ['CLOSED', 'CLOSED', 'CLOSED', 'AUTHORIZED']);
  clock.advance(8 * DAY_MS);
  const told = await toldDuring(unpaid.guid, work);
  assert.deepEqual(told, ['OPEN PROCESSING_VOID', 'READY_FOR_PICKUP', 'OPEN VOIDED']);
  assert.deepEqual(await foundAs(unpaid.guid), [
    ...['OPEN', 'true', 'READY_FOR_PICKUP', 'OPEN', 'VOIDED'],
  ]);
  const { body: payment } = await call('orders.payments.get', { params: { guid: paymentUuid } });
  const { voidBusinessDate } = payment.voidInfo;
  const { body: voided } = await call('orders.payments.list', {
    query: { voidBusinessDate: String(voidBusinessDate) },
  });
  assert.deepEqual(voided, [paymentUuid]);
  const at = { checkGuid: unpaid.checks[0].guid };
  await decide('payments.add', unpaid.guid, { type: 'CASH', amount: 8 }, at);
  assert.deepEqual((await foundAs(unpaid.guid)).slice(0, 3), ['CLOSED', 'CLOSED', 'CLOSED']);
});

test('orders.payments.add ORD-49: a card that pays for a fulfilled order is captured, too', async () => {
  const { place, decide, authorize, call, moveTo, payments } = fixture;
  const { body: order } = await place(orderOf([select('Soup')]));
  await fixture.work();
  await decide('fulfil', order.guid);
  const guid = await authorize(8);
  const { status } = await call('orders.payments.add', {
    params: { orderGuid: order.guid, checkGuid: order.checks[0].guid },
    body: [{ type: 'CREDIT', guid, amount: 8 }],
  });
  assert.equal(status, 200);
  await moveTo(payments.clock.nowMs() + DAY_MS);
  assert.deepEqual((await foundAs(order.guid)).slice(1), ['CLOSED', 'CLOSED', 'CAPTURED']);
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
  const { payments, deps, restaurant, authorize, place, get } = fixture;
  const { timer } = payments;
  const settling = { ...payments.deps, timer, ordersHere: ordersHere(deps) };
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
