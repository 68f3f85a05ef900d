import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
    menu: { items: [item('Soup', 8, { taxInfo: ['tax'] })] },
    configuration: {
      taxRates: { tax: { type: 'PERCENT', rate: 0.1, roundingType: 'HALF_UP' } },
    },
  });
});
after(() => fixture.close());

test('orders.place E21 ORD-44 ORD-45 ORD-51 ORD-52: a paid order, end to end', async () => {
  const { authorize, place, price, setStock, stock, payments } = fixture;
  const soups = (quantity: number, check: object, externalId: string) =>
    orderOf(
      [select('Soup', { quantity })],
      { customer: guest, ...check },
      {
        diningOption: { guid: guidOf('take-out') },
        externalId,
      },
    );
  await setStock('Soup', 3);
  const priced = await price(soups(2, {}, 'shop:0'));
  assert.equal(priced.status, 200, JSON.stringify(priced.body));
  assert.deepEqual(totalsOf(priced.body), [16, 1.6, 17.6]);
  assert.equal(await stock('Soup'), 'QUANTITY 3');
  const credit = (guid: string, amount: number, tipAmount: number) => ({
    payments: [{ type: 'CREDIT', guid, amount, tipAmount }],
  });
  const u = await authorize(17.6, 3);
  const first = await place(soups(2, credit(u, 17.6, 3), 'shop:1'));
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const [check] = first.body.checks;
  assert.deepEqual(
    [check.paymentStatus, check.payments[0].paymentStatus, check.payments[0].last4Digits],
    ['CLOSED', 'AUTHORIZED', '1111'],
  );
  assert.equal(await stock('Soup'), 'QUANTITY 1');
  const again = await place(soups(2, credit(u, 17.6, 3), 'shop:1'));
  assert.equal(again.status, 409);
  assert.match(again.body.message, new RegExp(first.body.guid));
  const tooMany = await place(soups(2, credit(u, 17.6, 3), 'shop:2'));
  assert.equal(tooMany.status, 400);
  assert.deepEqual(
    refusalOf(tooMany)
      .map((one) => one.slice(0, 3))
      .sort(),
    ['400', '409'],
  );
  const applied = await place(soups(1, credit(u, 17.6, 3), 'shop:3'));
  assert.deepEqual([applied.status, await stock('Soup')], [409, 'QUANTITY 1']);
  const v = await authorize(8.8, 1);
  const wrongTip = await place(soups(1, credit(v, 8.8, 0), 'shop:3'));
  assert.equal(wrongTip.status, 400);
  assert.match(wrongTip.body.message, /payments\[0\]\.tipAmount must be 1, the authorized tip/);
  payments.clock.advance(6 * 60_000);
  const expired = await place(soups(1, credit(v, 8.8, 1), 'shop:3'));
  assert.deepEqual([expired.status, /expired/.test(expired.body.message)], [409, true]);
  const w = await authorize(8.8, 1);
  const last = await place(soups(1, credit(w, 8.8, 1), 'shop:3'));
  assert.deepEqual([last.status, await stock('Soup')], [200, 'OUT_OF_STOCK']);
});
