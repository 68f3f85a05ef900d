import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Order, scopesFor } from '@servery/contract';
import { guest, type OrderFixture, openOrderFixture, orderOf } from './fixture.ts';
import { guidOf, item, select } from './menu.ts';

let fixture: OrderFixture;
before(async () => {
  fixture = await openOrderFixture({
    menu: { items: [item('Soup', 8), item('Bread', 2)] },
    configuration: {
      discounts: {
        'for all': { type: 'PERCENT', percentage: 10, selectionType: 'CHECK' },
        'on items': { type: 'FIXED', amount: 1, selectionType: 'ITEM' },
        welcome: {
          type: 'PERCENT',
          percentage: 20,
          selectionType: 'CHECK',
          promoCodes: [
            { guid: guidOf('code'), code: 'Hello', name: 'Hello', usageType: 'MULTI_USE' },
          ],
        },
      },
      alternatePaymentTypes: { voucher: {} },
    },
  });
});
after(() => fixture.close());

const soup = select('Soup');

async function placed(order: object): Promise<Order> {
  const { status, body } = await fixture.place(order);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('orders.get 200 400 404 ORD-7 ORD-8: by GUID or by an externalId with a colon', async () => {
  const { get, stranger, colleague } = fixture;
  const order = await placed(orderOf([soup], {}, { externalId: 'shop:7' }));
  assert.ok(order.guid);
  assert.deepEqual((await get('shop:7')).body, order);
  assert.equal((await get(order.guid.toUpperCase())).status, 200);
  assert.equal((await get('shop')).status, 400);
  assert.equal((await get('shop:8')).status, 404);
  assert.equal((await get(guidOf('no order'))).status, 404);
  const other = await stranger();
  assert.equal((await get(order.guid, other)).status, 404, 'another channel');
  const scopes = scopesFor('PARTNER').filter((scope) => scope !== 'orders.channel:read');
  const ofAll = { ...other, scopes: new Set(scopes) };
  assert.equal((await get(order.guid, ofAll)).status, 200, 'orders:read alone reads every order');
  assert.equal((await get(order.guid, await colleague())).status, 200, 'the same partner');
});

test('orders.get ORD-9 ORD-67: guests are shown to those who may see them', async () => {
  const { get, colleague, payments } = fixture;
  const order = await placed(
    orderOf(
      [soup],
      { customer: guest, tabName: 'Ada' },
      {
        diningOption: { guid: guidOf('delivery') },
        deliveryInfo: { address1: '1 Main Street', city: 'Boston', zipCode: '02110', state: 'MA' },
        curbsidePickupInfo: { transportDescription: 'Blue van' },
      },
    ),
  );
  assert.equal(order.checks[0]?.customer?.firstName, 'Ada', 'the answer shows what was sent');
  const { body } = await get(order.guid ?? '', await colleague(['orders:read']));
  assert.deepEqual(
    [body.checks[0].customer, body.deliveryInfo, body.curbsidePickupInfo],
    [null, null, null],
  );
  const rows = await payments.database.sql<{ text: string }[]>`
    select o::text || e::text as text from restaurant_order o
    join order_event e on e.order_guid = o.guid where o.guid = ${order.guid}`;
  assert.doesNotMatch(rows.map(({ text }) => text).join(), /Lovelace|Main Street|Blue van|0123/);
});

test('orders.listBulk orders.list ORD-54 ORD-61: pages of changes miss nothing', async () => {
  const { call, payments } = fixture;
  const startDate = '2026-03-02T00:00:00.000+0000';
  payments.clock.advance(Date.parse('2026-03-02T09:30:00Z') - payments.clock.nowMs());
  const early = await placed(orderOf([soup]));
  payments.clock.advance(60_000);
  const next = await placed(orderOf([soup]));
  const late = await placed(orderOf([soup], {}, { openedDate: '2026-03-02T09:10:00.000Z' }));
  const query = { startDate, endDate: '2026-03-03T00:00:00Z', pageSize: '2' };
  const first = await call('orders.listBulk', { query });
  const guids = (orders: Order[]) => orders.map(({ guid }) => guid);
  assert.deepEqual(guids(first.body), [early.guid, next.guid]);
  const link = first.headers.link ?? '';
  assert.match(link, /rel="first", <.*>; rel="self", <.*>; rel="next"$/);
  const { searchParams } = new URL(/<([^>]*)>; rel="next"/.exec(link)?.[1] ?? '');
  const second = await call('orders.listBulk', { query: Object.fromEntries(searchParams) });
  assert.deepEqual(guids(second.body), [late.guid]);
  assert.doesNotMatch(second.headers.link ?? '', /rel="next"/);
  assert.deepEqual((await call('orders.listBulk', { query: { ...query, page: '9' } })).body, []);
  // The day begins at four in New York, where it is 04:30; the first was opened at 04:30, too.
  assert.deepEqual(
    [early.businessDate, late.businessDate, late.displayNumber],
    [20260302, 20260302, '3'],
  );
  const ofDay = await call('orders.listBulk', { query: { businessDate: '20260302' } });
  assert.deepEqual(guids(ofDay.body), [late.guid, early.guid, next.guid], 'by openedDate');
  const hour = { startDate: '2026-03-02T09:00:00Z', endDate: '2026-03-02T10:00:00 00:00' };
  assert.deepEqual((await call('orders.list', { query: hour })).body, guids([...first.body, late]));
  for (const wrong of [
    {},
    { startDate },
    { ...query, businessDate: '20260302' },
    { startDate: query.endDate, endDate: startDate },
    { startDate: 'today', endDate: startDate },
    { businessDate: '20260230' },
    { ...query, after: 'anything' },
    { ...query, pageSize: '101' },
  ]) {
    const { status } = await call('orders.listBulk', { query: wrong });
    assert.equal(status, 400, JSON.stringify(wrong));
  }
  assert.equal(
    (await call('orders.list', { query: { startDate, endDate: query.endDate } })).status,
    400,
  );
});

test('orders.payments.list orders.payments.get ORD-48 ORD-62: payments of a business date', async () => {
  const { call, authorize, partner, payments } = fixture;
  payments.clock.advance(24 * 3_600_000);
  const uuid = await authorize(8);
  const credit = { type: 'CREDIT', guid: uuid, amount: 8 };
  const voucher = { type: 'OTHER', amount: 1, otherPayment: { guid: guidOf('voucher') } };
  const order = await placed(orderOf([soup], { payments: [credit, voucher] }));
  const [card, other] = order.checks[0]?.payments ?? [];
  const list = (query: object) => call('orders.payments.list', { query });
  const paid = await list({ paidBusinessDate: '20260303' });
  assert.deepEqual(paid.body.toSorted(), [card?.guid, other?.guid].sort());
  assert.deepEqual((await list({ refundBusinessDate: '20260303' })).body, []);
  assert.deepEqual((await list({ voidBusinessDate: '20260303' })).body, []);
  assert.equal((await list({})).status, 400);
  assert.equal(
    (await list({ paidBusinessDate: '20260303', voidBusinessDate: '20260303' })).status,
    400,
  );
  const get = (guid: string, by = partner) => call('orders.payments.get', { params: { guid } }, by);
  assert.deepEqual((await get(uuid)).body, card);
  assert.equal(card?.paymentStatus, 'AUTHORIZED');
  assert.equal(other?.paymentStatus, 'CAPTURED');
  assert.equal((await get(await authorize(8))).status, 404, 'on no check');
  assert.equal((await get('payment')).status, 400);
  assert.equal((await get(uuid, await fixture.stranger())).status, 404);
});

test('orders.applicableDiscounts ORD-66: what could be added, with a code or without', async () => {
  const { call } = fixture;
  const order = orderOf([select('Soup', { externalId: 'line:1' }), select('Bread')], {
    externalId: 'check:1',
  });
  const find = (more: object = {}) =>
    call('orders.applicableDiscounts', { body: { order, ...more } });
  const { status, body } = await find();
  assert.equal(status, 200, JSON.stringify(body));
  const byGuid = new Map(
    body.map((one: { discount: { guid: string } }) => [one.discount.guid, one]),
  );
  const ref = (guid: string | null, entityType: string, externalId: string | null) => ({
    ...{ guid, entityType, externalId },
  });
  assert.deepEqual(byGuid.get(guidOf('for all')), {
    discount: ref(guidOf('for all'), 'Discount', null),
    applicableChecks: [ref(null, 'Check', 'check:1')],
    applicableSelections: [],
  });
  assert.deepEqual(byGuid.get(guidOf('on items')), {
    discount: ref(guidOf('on items'), 'Discount', null),
    applicableChecks: [],
    applicableSelections: [
      ref(null, 'MenuItemSelection', 'line:1'),
      ref(guidOf('Bread'), 'MenuItemSelection', null),
    ],
  });
  assert.equal(byGuid.size, 2);
  const coded = await find({ promoCode: 'HELLO' });
  assert.deepEqual(
    coded.body.map((one: { discount: { guid: string } }) => one.discount.guid),
    [guidOf('welcome')],
  );
  assert.equal((await call('orders.applicableDiscounts', { body: { order: {} } })).status, 400);
});
