import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Order } from '@servery/contract';
import { header } from './answer.ts';
import { DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { customer, openOrdering } from './ordering.ts';
import { authorize, paymentBody } from './payment.ts';
import { platformUnderTest } from './platform.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const [restaurant, second] = openRestaurants(platform.demo);

const { selection, orderOf } = await openOrdering(partner, restaurant);

test('orders.price orders.place orders.get 200 409 ORD-44 ORD-52: a paid order', async () => {
  const priced = await partner.call('orders.price', 200, { restaurant, json: orderOf() });
  const { checks } = priced.json as Order;
  const [check] = checks;
  assert.ok(check && check.totalAmount > 0);
  const paymentUuid = randomUUID();
  const amount = check.totalAmount;
  const body = await paymentBody(platform.demo, { amount, tipAmount: 1 });
  await authorize(partner, 200, restaurant, body, paymentUuid);
  const externalId = `acceptance:${randomUUID()}`;
  const payments = [{ type: 'CREDIT', guid: paymentUuid, amount, tipAmount: 1 }];
  // For later: at once, the kitchen may get it before it is read.
  const promisedDate = new Date(
    Date.parse(String(priced.headers.date)) + 2 * 3_600_000,
  ).toISOString();
  const json = orderOf({ externalId, promisedDate }, { payments });
  const placed = (await partner.call('orders.place', 200, { restaurant, json })).json as Order;
  assert.equal(placed.checks[0]?.paymentStatus, 'CLOSED');
  await partner.call('orders.place', 409, { restaurant, json });
  const params = { guid: externalId };
  const read = await partner.call('orders.get', 200, { restaurant, params });
  assert.deepEqual(read.json, placed);
  await partner.call('orders.get', 404, { restaurant: second, params });
  const paid = { restaurant, params: { guid: paymentUuid } };
  const payment = await partner.call('orders.payments.get', 200, paid);
  assert.deepEqual(payment.json, placed.checks[0]?.payments[0]);
  const query = { paidBusinessDate: String(placed.businessDate) };
  const list = await partner.call('orders.payments.list', 200, { restaurant, query });
  assert.ok((list.json as string[]).includes(paymentUuid));
  const ofDay = { restaurant, query: { businessDate: String(placed.businessDate) } };
  const guids = (await partner.call('orders.list', 200, ofDay)).json as string[];
  const orders = (await partner.call('orders.listBulk', 200, ofDay)).json as Order[];
  assert.ok(guids.includes(placed.guid ?? ''));
  assert.ok(orders.some(({ guid }) => guid === placed.guid));
});

test('orders.place orders.list 200 404 405 ORD-7: a slash at the end of the path', async () => {
  const path = '/orders/v2/orders/';
  const sent = { restaurant, path, json: orderOf() };
  const placed = (await partner.call('orders.place', 200, sent)).json as Order;
  const ofDay = { restaurant, query: { businessDate: String(placed.businessDate) } };
  const listed = await partner.call('orders.list', 200, { ...ofDay, path });
  assert.ok((listed.json as string[]).includes(String(placed.guid)));
  const patched = await partner.call('orders.list', 405, { restaurant, path, method: 'PATCH' });
  assert.equal(header(patched, 'allow'), 'POST, GET, HEAD');
  for (const other of [`${path}/`, `${path}${placed.guid}/`, '/orders/v2/ordersBulk/']) {
    await partner.call('orders.list', 404, { ...ofDay, path: other });
  }
});

test('orders.selections.add orders.void 200 404 409 ORD-59 ORD-63: it grows, and is voided', async () => {
  const json = orderOf();
  const placed = (await partner.call('orders.place', 200, { restaurant, json })).json as Order;
  const orderGuid = placed.guid ?? '';
  const params = { orderGuid, checkGuid: placed.checks[0]?.guid ?? '' };
  const more = { restaurant, params, json: [selection] };
  const grown = (await partner.call('orders.selections.add', 200, more)).json as Order;
  assert.equal(grown.checks[0]?.selections.length, 2);
  const all = { selections: { voidAll: true }, payments: { voidAll: true } };
  const named = { restaurant, params: { orderGuid }, json: all };
  const voided = (await partner.call('orders.void', 200, named)).json as Order;
  assert.equal(voided.guestOrderStatus, 'VOIDED');
  await partner.call('orders.void', 409, named);
  await partner.call('orders.void', 404, { ...named, params: { orderGuid: randomUUID() } });
  await partner.call('orders.selections.add', 409, more);
});

test('orders.place backOffice.restaurants.update 200 ORD-56: a restaurant approves its orders', async () => {
  const operator = await callers.as('operator');
  const { orderOf: orderThere } = await openOrdering(partner, second);
  const place = async () =>
    (await partner.call('orders.place', 200, { restaurant: second, json: orderThere() }))
      .json as Order;
  const params = { restaurantGuid: second };
  const shown = { restaurant: second, params: { restaurantGUID: second } };
  const before = await partner.call('restaurants.get', 200, shown);
  assert.equal((await place()).approvalStatus, 'APPROVED');
  const json = { orders: { approval: 'manual' } };
  await operator.call('backOffice.restaurants.update', 200, { params, json });
  try {
    const { guid, approvalStatus } = await place();
    assert.equal(approvalStatus, 'NEEDS_APPROVAL');
    const named = { params: { ...params, orderGuid: guid ?? '' } };
    const approved = await operator.call('backOffice.orders.approve', 200, named);
    assert.equal((approved.json as { order: Order }).order.approvalStatus, 'APPROVED');
    assert.deepEqual((await partner.call('restaurants.get', 200, shown)).json, before.json);
  } finally {
    const auto = { orders: null };
    await operator.call('backOffice.restaurants.update', 200, { params, json: auto });
  }
});

test('orders.price 400 404 413 ORD-1 ORD-2: what is refused', async () => {
  await partner.call('orders.price', 400, { restaurant, json: {} });
  const diningOption = { guid: randomUUID() };
  await partner.call('orders.price', 404, { restaurant, json: orderOf({ diningOption }) });
  const checks = Array.from({ length: 51 }, () => ({ selections: [], customer }));
  await partner.call('orders.price', 413, { restaurant, json: orderOf({ checks }) });
});
