import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Order, Scope, WebhookEvent } from '@servery/contract';
import type { Principal } from '../../src/http/operation.ts';
import { insertEndpoint, insertListener } from '../payments/event-fixture-store.ts';
import { orderOf } from './fixture.ts';
import { listBodies, updateScopes } from './fixture-store.ts';
import { type KitchenFixture, openKitchenFixture } from './kitchen-fixture.ts';
import { group, guidOf, item, option, select } from './menu.ts';

let fixture: KitchenFixture;
let owner: Principal;
let ofChannel: Principal;
let stranger: Principal;

const everything: readonly Scope[] = ['stock:read', 'credit_cards.authorization:write'];

before(async () => {
  fixture = await openKitchenFixture({
    menu: {
      items: [item('Soup', 10, { modifierGroupReferences: [1] }), item('Bread', 4)],
      groups: { 1: group('Extras', [1]) },
      options: { 1: option('Croutons', 1) },
    },
    configuration: {
      alternatePaymentTypes: { voucher: {} },
      discounts: { one: { type: 'FIXED', amount: 1, selectionType: 'CHECK', nonExclusive: true } },
      serviceCharges: { bag: { amountType: 'OPEN', criteria: {} } },
    },
  });
  const { partner, payments, restaurant } = fixture;
  const { sql } = payments.database;
  const now = new Date(payments.clock.nowMs());
  owner = partner;
  await insertListener(sql, owner.clientId, restaurant.guid, now);
  await updateScopes(sql, owner.clientId, [...everything, 'orders:read']);
  ofChannel = await fixture.colleague();
  await insertEndpoint(sql, ofChannel.clientId, now);
  await updateScopes(sql, ofChannel.clientId, ['orders:read', 'orders.channel:read']);
  stranger = await fixture.stranger();
  await insertListener(sql, stranger.clientId, restaurant.guid, now);
  await updateScopes(sql, stranger.clientId, [...everything, 'orders:read', 'orders.channel:read']);
});
after(() => fixture.close());

/** What an account is told while something happens. */
async function toldDuring(
  { clientId }: Principal,
  happens: () => Promise<unknown>,
): Promise<WebhookEvent[]> {
  const { sql } = fixture.payments.database;
  const { length } = await listBodies(sql, clientId);
  await happens();
  const bodies = (await listBodies(sql, clientId)).slice(length);
  return bodies.map((body) => JSON.parse(body) as WebhookEvent);
}

const typesOf = (events: readonly WebhookEvent[]) => events.map(({ eventType }) => eventType);

async function placed(order: unknown): Promise<Order> {
  const { status, body } = await fixture.place(order);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const MARK = 'guest-marker';

/** Every text and number that a guest or a client can put into an order. */
function markedOrder(paymentUuid: string) {
  const marked = (name: string) => `${MARK}-${name}`;
  const externalId = () => `${MARK}:${crypto.randomUUID()}`;
  const croutons = select('Croutons', {
    ...{ externalId: externalId(), optionGroup: { guid: guidOf('Extras') } },
  });
  const request = {
    ...{ selectionType: 'SPECIAL_REQUEST', displayName: marked('request') },
    externalId: externalId(),
  };
  const soup = select('Soup', { externalId: externalId(), modifiers: [croutons, request] });
  const check = {
    externalId: externalId(),
    tabName: marked('tab'),
    customer: {
      ...{ firstName: marked('first'), lastName: marked('last'), phone: '617-555-0199' },
      email: `${MARK}@example.com`,
    },
    appliedDiscounts: [{ discount: { guid: guidOf('one') }, externalId: externalId() }],
    appliedServiceCharges: [
      { serviceCharge: { guid: guidOf('bag') }, chargeAmount: 1, externalId: externalId() },
    ],
    payments: [
      { type: 'CREDIT', guid: paymentUuid, amount: 5, tipAmount: 2, externalId: externalId() },
      {
        ...{ type: 'OTHER', amount: 6, tipAmount: 1, externalId: externalId() },
        otherPayment: { guid: guidOf('voucher') },
      },
    ],
  };
  return orderOf([soup], check, {
    externalId: externalId(),
    diningOption: { guid: guidOf('delivery') },
    deliveryInfo: {
      ...{ address1: marked('street'), address2: marked('floor'), city: marked('city') },
      ...{ state: 'MA', zipCode: marked('zip'), country: 'US', notes: marked('notes') },
      ...{ latitude: 42.3601234, longitude: -71.0581234 },
    },
  });
}

const inCheck = (order: Order, more: object = {}) => ({
  params: { orderGuid: order.guid, checkGuid: order.checks[0]?.guid, ...more },
});

test('orders ORD-53 HOOK-6: whatever happens to an order, no event holds a text of the guest', async () => {
  const { call, authorize } = fixture;
  const changes: Record<string, (order: Order) => Promise<{ readonly status: number }>> = {
    selections: (order) =>
      call('orders.selections.add', {
        ...inCheck(order),
        body: [
          select('Bread', { externalId: `${MARK}:${crypto.randomUUID()}` }),
          { selectionType: 'SPECIAL_REQUEST', displayName: `${MARK}-later` },
        ],
      }),
    delivery: (order) =>
      call('orders.deliveryInfo.update', {
        params: { orderGuid: order.guid },
        body: { notes: `${MARK}-notes` },
      }),
    tips: async (order) => {
      const [credit, other] = order.checks[0]?.payments ?? [];
      await call('orders.payments.update', {
        ...inCheck(order, { paymentGuid: credit?.guid }),
        body: { tipAmount: 1 },
      });
      return await call('orders.payments.update', {
        ...inCheck(order, { paymentGuid: other?.guid }),
        body: { tipAmount: 0 },
      });
    },
  };
  const all = [...Object.keys(changes), 'selections'];
  for (const names of [[], all, all.toReversed()]) {
    const events = await toldDuring(owner, async () => {
      const order = await placed(markedOrder(await authorize(5, 2)));
      for (const name of names) assert.equal((await changes[name]?.(order))?.status, 200, name);
    });
    const made = names.length + (names.includes('tips') ? 1 : 0);
    assert.equal(typesOf(events).filter((type) => type === 'order_updated').length, made + 1);
    for (const event of events) {
      const body = JSON.stringify(event);
      for (const text of [MARK, '5550199', '555-0199', '42.36', '71.05']) {
        assert.ok(!body.includes(text), `${text} in ${body}`);
      }
      assert.doesNotMatch(body, /"externalId":[^n]/);
    }
  }
});

test('orders ORD-53 HOOK-2 HOOK-6 HOOK-7: who placed an order, and with which scopes, decides what is told', async () => {
  const { call } = fixture;
  const order = () => orderOf([select('Bread')]);
  let own = await placed(order());
  const voided = () =>
    call('orders.void', {
      params: { orderGuid: own.guid },
      body: { selections: { voidAll: true }, payments: { voidAll: true } },
    });
  const both = async () => {
    own = await placed(order());
    assert.equal((await voided()).status, 200);
  };
  const statuses = ['guestOrderStatusUpdated'];
  const told = await toldDuring(owner, both);
  assert.deepEqual(typesOf(told), ['order_updated', 'order_updated', ...statuses]);
  const [, last] = told;
  assert.ok(last?.eventType === 'order_updated');
  const shown = (await fixture.get(String(own.guid))).body as Order;
  assert.deepEqual(
    [last.details.order, last.details.restaurantGuid, last.details.appliedPackagingInfo],
    [shown, fixture.restaurant.guid, null],
    'as orders.get shows it',
  );
  const channel = await toldDuring(ofChannel, both);
  assert.deepEqual(typesOf(channel), [
    ...['channel_order_updated', 'channel_order_updated'],
    ...statuses,
  ]);
  const status = channel.at(-1);
  assert.ok(status?.eventType === 'guestOrderStatusUpdated');
  assert.deepEqual(status.details, {
    eventGuid: status.guid,
    orderGuid: own.guid,
    restaurantGuid: fixture.restaurant.guid,
    guestOrderStatus: 'VOIDED',
    lastUpdated: status.timestamp,
    version: null,
  });
  assert.deepEqual(await toldDuring(stranger, both), [], 'ORD-8: another channel');
  const { sql } = fixture.payments.database;
  await updateScopes(sql, stranger.clientId, ['orders:read']);
  assert.deepEqual(typesOf(await toldDuring(stranger, both)), ['order_updated', 'order_updated']);
  await updateScopes(sql, stranger.clientId, ['orders.orders:write']);
  assert.deepEqual(await toldDuring(stranger, both), []);
});

test('orders HOOK-5: payments of an order name it, and say that it was voided', async () => {
  const { authorize, call } = fixture;
  const voucher = {
    type: 'OTHER',
    amount: 4,
    tipAmount: 1,
    otherPayment: { guid: guidOf('voucher') },
  };
  const order = await placed(orderOf([select('Bread')], { payments: [voucher] }));
  const [payment] = order.checks[0]?.payments ?? [];
  const events = await toldDuring(owner, async () => {
    const tip = { ...inCheck(order, { paymentGuid: payment?.guid }), body: { tipAmount: 0.5 } };
    assert.equal((await call('orders.payments.update', tip)).status, 200);
    const body = { selections: { voidAll: true }, payments: { voidAll: true } };
    const { status } = await call('orders.void', { params: { orderGuid: order.guid }, body });
    assert.equal(status, 200);
  });
  const details = {
    restaurantGuid: fixture.restaurant.guid,
    paymentUuid: payment?.guid,
    orderGuid: order.guid,
    checkGuid: order.checks[0]?.guid,
    ...{ type: 'OTHER', amount: 4, tipAmount: 0.5 },
  };
  const ofPayments = events.filter(({ eventType }) => eventType === 'payment_updated');
  assert.deepEqual(
    ofPayments.map((event) => event.details),
    [
      { ...details, paymentStatus: 'CAPTURED', reason: null },
      { ...details, paymentStatus: 'VOIDED', reason: 'ORDER_VOIDED' },
    ],
  );
  const guid = await authorize(4, 2);
  const paid = await placed(
    orderOf([select('Bread')], { payments: [{ type: 'CREDIT', guid, amount: 4, tipAmount: 2 }] }),
  );
  const [told] = await toldDuring(owner, async () => {
    const tip = { ...inCheck(paid, { paymentGuid: guid }), body: { tipAmount: 1 } };
    assert.equal((await call('orders.payments.update', tip)).status, 200);
  });
  assert.ok(told?.eventType === 'payment_updated');
  const { orderGuid, checkGuid, tipAmount } = told.details;
  assert.deepEqual([orderGuid, checkGuid, tipAmount], [paid.guid, paid.checks[0]?.guid, 1]);
});

test('orders HOOK-4 ORD-51: orders tell when few portions are left, and none', async () => {
  const { setStock, call } = fixture;
  await setStock('Bread', 6);
  const take = (quantity: number) => placed(orderOf([select('Bread', { quantity })]));
  const ofStock = async (happens: () => Promise<unknown>) =>
    (await toldDuring(owner, happens)).flatMap((event) =>
      event.eventCategory === 'stock' ? [[event.eventType, event.details.quantity]] : [],
    );
  assert.deepEqual(await ofStock(() => take(1)), []);
  assert.deepEqual(await ofStock(() => take(2)), [['low_quantity', 3]]);
  assert.deepEqual(await ofStock(() => take(1)), []);
  let last: Order | undefined;
  const takeAll = async () => {
    last = await take(2);
  };
  assert.deepEqual(await ofStock(takeAll), [['out_of_stock', null]]);
  const body = { selections: { voidAll: true }, payments: { voidAll: true } };
  const giveBack = () => call('orders.void', { params: { orderGuid: last?.guid }, body });
  assert.deepEqual(await ofStock(giveBack), [['low_quantity', 2]]);
});

test('orders ORD-53: an order that was refused tells nothing', async () => {
  const events = await toldDuring(owner, async () => {
    await fixture.setStock('Bread', 1);
    const { status } = await fixture.place(orderOf([select('Bread', { quantity: 2 })]));
    assert.equal(status, 400);
  });
  assert.deepEqual(events, []);
});

test('orders ORD-53 HOOK-5 HOOK-7: partners are told what the restaurant does', async () => {
  const { authorize, decide, setStock, work } = fixture;
  await setStock('Bread', 100);
  const pay = async (): Promise<[Order, string]> => {
    const guid = await authorize(4, 2);
    const payments = [{ type: 'CREDIT', guid, amount: 4, tipAmount: 2 }];
    return [await placed(orderOf([select('Bread')], { payments })), guid];
  };
  const [cooked] = await pay();
  const progress = await toldDuring(ofChannel, async () => {
    await work();
    assert.equal((await decide('ready', String(cooked.guid), {})).status, 200);
    assert.equal((await decide('fulfil', String(cooked.guid))).status, 200);
  });
  const statuses = progress.flatMap((event) =>
    event.eventType === 'guestOrderStatusUpdated' && event.details.orderGuid === cooked.guid
      ? [event.details.guestOrderStatus]
      : [],
  );
  assert.deepEqual(statuses, ['IN_PREPARATION', 'READY_FOR_PICKUP', 'CLOSED']);
  const [refused, paymentUuid] = await pay();
  const told = await toldDuring(owner, async () => {
    assert.equal((await decide('void', String(refused.guid), { reason: 'No bread.' })).status, 200);
    await work();
  });
  const reasons = told.flatMap((event) =>
    event.eventType === 'payment_updated' && event.details.paymentUuid === paymentUuid
      ? [[event.details.paymentStatus, event.details.reason, event.details.orderGuid]]
      : [],
  );
  assert.deepEqual(reasons, [
    ['PROCESSING_VOID', 'ORDER_VOIDED', refused.guid],
    ['VOIDED', 'ORDER_VOIDED', refused.guid],
  ]);
});
