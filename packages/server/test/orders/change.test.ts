import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OperationId } from '@servery/contract';
import {
  guest,
  type OrderFixture,
  openOrderFixture,
  orderOf,
  refusalOf,
  totalsOf,
} from './fixture.ts';
import { guidOf, item, select } from './menu.ts';

let fixture: OrderFixture;
before(async () => {
  fixture = await openOrderFixture({
    menu: {
      items: [['Soup', 10] as const, ['Bread', 4] as const, ['Tea', 4] as const].map(
        ([name, price]) => item(name, price, { taxInfo: ['tax'] }),
      ),
    },
    configuration: {
      taxRates: { tax: { type: 'PERCENT', rate: 0.1, roundingType: 'HALF_UP' } },
      discounts: {
        half: { type: 'PERCENT', percentage: 50, selectionType: 'CHECK', nonExclusive: true },
        summer: { type: 'PERCENT', percentage: 50, selectionType: 'CHECK', nonExclusive: true },
        one: { type: 'FIXED', amount: 1, selectionType: 'ITEM' },
        small: {
          ...{ type: 'FIXED', amount: 1, selectionType: 'CHECK', nonExclusive: true },
          rule: { maxCheckAmount: 20 },
        },
        only: { type: 'PERCENT', percentage: 20, selectionType: 'CHECK', nonExclusive: false },
        bogo: {
          type: 'BOGO',
          selectionType: 'BOGO',
          nonExclusive: true,
          rule: {
            buy: { items: [], groups: [], quantity: 1 },
            get: { items: [], groups: [], quantity: 1, amountType: 'PERCENT', value: 100 },
          },
        },
      },
      alternatePaymentTypes: { voucher: {} },
    },
  });
});
after(() => fixture.close());

const applied = (name: string) => ({ discount: { guid: guidOf(name) } });

async function placed(order: unknown) {
  const { status, body } = await fixture.place(order);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const inCheck = (order: { guid: string; checks: { guid: string }[] }, more: object = {}) => ({
  params: { orderGuid: order.guid, checkGuid: order.checks[0]?.guid, ...more },
});

test('orders.selections.add ORD-42 ORD-63: what was ordered keeps its price', async () => {
  const { call, setStock, stock } = fixture;
  const order = await placed(
    orderOf([select('Soup', { quantity: 2 })], { appliedDiscounts: [applied('bogo')] }),
  );
  assert.deepEqual(totalsOf(order), [10, 1, 11]);
  await setStock('Bread', 2);
  const grown = await call('orders.selections.add', {
    ...inCheck(order),
    body: [select('Bread', { externalId: 'shop:bread' })],
  });
  assert.equal(grown.status, 200, JSON.stringify(grown.body));
  assert.deepEqual(totalsOf(grown.body), [14, 1.4, 15.4]);
  const guids = (of: typeof order) =>
    of.checks[0].selections.map(({ guid }: { guid: string }) => guid);
  assert.deepEqual(guids(grown.body).slice(0, 2), guids(order), 'they stay the same selections');
  assert.equal(await stock('Bread'), 'QUANTITY 1');
  const faulty = await call('orders.selections.add', {
    ...inCheck(order),
    body: [select('Bread', { quantity: 5 }), select('Nothing'), { quantity: 0 }],
  });
  assert.equal(faulty.status, 400);
  const taken = await call('orders.selections.add', {
    ...inCheck(order),
    body: [select('Bread', { externalId: 'shop:bread' })],
  });
  assert.equal(taken.status, 409, 'ORD-52');
  assert.equal(await stock('Bread'), 'QUANTITY 1');
});

test('orders.selections.add ORD-31 ORD-42: discounts that were agreed stay', async () => {
  const { call, deactivate, archive } = fixture;
  const order = await placed(
    orderOf([select('Soup')], { appliedDiscounts: [applied('summer'), applied('small')] }),
  );
  const add = () =>
    call('orders.selections.add', {
      ...inCheck(order),
      body: [select('Tea', { quantity: 3 })],
    });
  assert.deepEqual(totalsOf((await add()).body), [10.5, 1.05, 11.55], 'worth over 20 now');
  await deactivate('discounts', 'summer');
  assert.deepEqual(totalsOf((await add()).body), [16.5, 1.65, 18.15]);
  await archive('discounts', 'summer');
  const { status, body } = await add();
  assert.equal(status, 409);
  assert.match(body.errors[0].message, /appliedDiscounts\[1\] is not an active discount/);
});

test('orders.selections.add orders.discounts.add 400 ORD-2 ORD-22 ORD-35: what may not be combined', async () => {
  const { call, price } = fixture;
  const exclusive = await placed(
    orderOf([select('Soup')], { appliedDiscounts: [applied('only')] }),
  );
  const discounted = (name: string) => [select('Tea', { appliedDiscounts: [applied(name)] })];
  const refused: [OperationId, unknown[], string][] = [
    ['orders.selections.add', [select('Tea'), ...discounted('one')], '[1].appliedDiscounts'],
    ['orders.selections.add', discounted('bogo'), '[0].appliedDiscounts[0].discount'],
    ['orders.discounts.add', [applied('small'), applied('only')], '[1]'],
    ['orders.discounts.add', [applied('one')], '[0]'],
  ];
  for (const [operation, body, place] of refused) {
    const answer = await call(operation, { ...inCheck(exclusive), body });
    const told = refusalOf(answer).map((text) => text.split(':')[0]);
    assert.deepEqual(told, [`400 ${place}`], JSON.stringify(answer.body));
  }
  const onSelection = await fixture.place(orderOf(discounted('bogo')));
  assert.deepEqual(
    refusalOf(onSelection).map((text) => text.split(':')[0]),
    ['400 checks[0].selections[0].appliedDiscounts[0].discount'],
  );
  const echo = await price(
    orderOf([select('Tea', { quantity: 2 })], { appliedDiscounts: [applied('bogo')] }),
  );
  const order = await placed(orderOf([]));
  const { body } = await call('orders.selections.add', {
    ...inCheck(order),
    body: echo.body.checks[0].selections,
  });
  assert.deepEqual(totalsOf(body), [4, 0.4, 4.4], 'an echoed BOGO is given again');
});

test('orders.selections.add 400 ORD-10: an order grows to 1,000 selections', async () => {
  const request = { selectionType: 'SPECIAL_REQUEST', displayName: 'More salt' };
  const order = await placed(orderOf(Array.from({ length: 999 }, () => request)));
  const add = (count: number) =>
    fixture.call('orders.selections.add', {
      ...inCheck(order),
      body: Array.from({ length: count }, () => request),
    });
  assert.equal((await add(2)).status, 400);
  assert.equal((await add(1)).status, 200);
});

test('orders.discounts.add orders.selectionDiscounts.add ORD-64: rules as for new orders', async () => {
  const { call } = fixture;
  const order = await placed(orderOf([select('Soup'), select('Bread')]));
  const [soup] = order.checks[0].selections;
  const ofSoup = inCheck(order, { selectionGuid: soup.guid });
  const item = { ...ofSoup, body: [applied('one')] };
  const first = await call('orders.selectionDiscounts.add', item);
  assert.deepEqual([first.status, totalsOf(first.body)], [200, [13, 1.3, 14.3]]);
  assert.equal((await call('orders.selectionDiscounts.add', item)).status, 400);
  const check = await call('orders.discounts.add', { ...inCheck(order), body: [applied('half')] });
  assert.deepEqual([check.status, totalsOf(check.body)], [200, [6.5, 0.65, 7.15]]);
  const unknown = await call('orders.discounts.add', {
    ...inCheck(order),
    body: [applied('none')],
  });
  assert.equal(unknown.status, 404);
  const misplaced = { ...inCheck(order), body: [applied('one')] };
  assert.equal((await call('orders.discounts.add', misplaced)).status, 400);
});

test('orders.payments.add orders.payments.update ORD-44 ORD-46 ORD-47 ORD-57', async () => {
  const { call, authorize, payments } = fixture;
  const order = await placed(orderOf([select('Soup')]));
  assert.equal(order.checks[0].paymentStatus, 'OPEN');
  const paymentUuid = await authorize(11, 2);
  const pay = (fields: object) =>
    call('orders.payments.add', {
      ...inCheck(order),
      body: [{ type: 'CREDIT', guid: paymentUuid, amount: 11, tipAmount: 2, ...fields }],
    });
  assert.equal(
    (await pay({ type: 'OTHER', otherPayment: { guid: guidOf('voucher') } })).status,
    400,
  );
  assert.equal((await pay({ amount: 10 })).status, 400);
  const paid = await pay({});
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
  assert.equal(paid.body.checks[0].paymentStatus, 'CLOSED');
  assert.equal((await pay({})).status, 409);
  const tip = (body: object) =>
    call('orders.payments.update', { ...inCheck(order, { paymentGuid: paymentUuid }), body });
  const lower = await tip({ tipAmount: 0.5 });
  assert.equal(lower.status, 200, JSON.stringify(lower.body));
  assert.equal(lower.body.checks[0].payments[0].tipAmount, 0.5);
  const more = await tip({ tipAmount: 3 });
  assert.deepEqual([more.status, /at most 2/.test(more.body.message)], [400, true]);
  assert.equal((await tip({ tipAmount: 1, amount: 5 })).status, 400);
  const [row] = await payments.database.sql<{ state: string; checkGuid: string }[]>`
    select state, check_guid as "checkGuid" from payment where payment_uuid = ${paymentUuid}`;
  assert.deepEqual({ ...row }, { state: 'APPLIED', checkGuid: order.checks[0].guid });
});

test('orders.payments.update 400 ORD-24 ORD-47: the tip of a voucher is an amount, too', async () => {
  const voucher = { type: 'OTHER', amount: 11, otherPayment: { guid: guidOf('voucher') } };
  const order = await placed(orderOf([select('Soup')], { payments: [voucher] }));
  const [{ guid: paymentGuid }] = order.checks[0].payments;
  const tip = (tipAmount: number) =>
    fixture.call('orders.payments.update', {
      ...inCheck(order, { paymentGuid }),
      body: { tipAmount },
    });
  const raised = await tip(10_000_000);
  assert.equal(raised.body.checks[0].payments[0].tipAmount, 10_000_000);
  assert.deepEqual(refusalOf(await tip(10_000_000.01)), [
    '400 tipAmount: must not be over 10000000',
  ]);
});

test('orders.void ORD-59 ORD-51: a voided order gives back, and never changes again', async () => {
  const { call, setStock, stock, stranger } = fixture;
  await setStock('Bread', 1);
  const order = await placed(
    orderOf([select('Bread')], {
      payments: [{ type: 'OTHER', amount: 4.4, otherPayment: { guid: guidOf('voucher') } }],
    }),
  );
  assert.equal(order.checks[0].paymentStatus, 'CLOSED');
  assert.equal(await stock('Bread'), 'OUT_OF_STOCK');
  const all = { selections: { voidAll: true }, payments: { voidAll: true } };
  const named = { params: { orderGuid: order.guid } };
  const voidIt = (body: object, by = fixture.partner) =>
    call('orders.void', { ...named, body }, by);
  assert.equal((await voidIt({ ...all, payments: { voidAll: false } })).status, 400);
  assert.equal((await voidIt(all, await stranger())).status, 404, 'ORD-8');
  const { status, body } = await voidIt(all);
  assert.equal(status, 200, JSON.stringify(body));
  const [check] = body.checks;
  assert.deepEqual(
    [body.voided, body.guestOrderStatus, totalsOf(body), check.payments[0].paymentStatus],
    [true, 'VOIDED', [0, 0, 0], 'VOIDED'],
  );
  assert.equal(await stock('Bread'), 'QUANTITY 1');
  assert.equal((await voidIt(all)).status, 409);
  const more = { ...inCheck(order), body: [select('Soup')] };
  assert.equal((await call('orders.selections.add', more)).status, 409);
  const card = await placed(
    orderOf([select('Soup')], {
      payments: [{ type: 'CREDIT', guid: await fixture.authorize(11), amount: 11 }],
    }),
  );
  const byCard = await call('orders.void', { params: { orderGuid: card.guid }, body: all });
  assert.equal(byCard.status, 400);
});

test('orders.deliveryInfo.update ORD-65: a delivery is followed until it is there', async () => {
  const { call, payments } = fixture;
  const order = await placed(
    orderOf(
      [select('Soup')],
      { customer: guest },
      {
        diningOption: { guid: guidOf('delivery') },
        deliveryInfo: { address1: '1 Main Street', city: 'Boston', zipCode: '02110', state: 'MA' },
      },
    ),
  );
  const update = (body: object, orderGuid = order.guid) =>
    call('orders.deliveryInfo.update', { params: { orderGuid }, body });
  const away = await update({ deliveryState: 'IN_PROGRESS', notes: 'Ring twice', city: 'Rome' });
  assert.equal(away.status, 200, JSON.stringify(away.body));
  const { deliveryInfo } = away.body;
  const now = new Date(payments.clock.nowMs()).toISOString().replace('Z', '+0000');
  assert.deepEqual(
    [deliveryInfo.dispatchedDate, deliveryInfo.notes, deliveryInfo.city],
    [now, 'Ring twice', 'Boston'],
  );
  assert.equal((await update({ deliveryState: 'DELIVERED' })).status, 200);
  assert.equal((await update({ deliveryState: 'PENDING' })).status, 409);
  const eatenHere = await placed(orderOf([select('Soup')]));
  assert.equal((await update({ deliveryState: 'PICKED_UP' }, eatenHere.guid)).status, 409);
});
