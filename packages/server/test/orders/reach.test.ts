import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operationById } from '@servery/contract';
import { ApiError } from '../../src/http/errors.ts';
import { admit } from '../../src/http/pipeline/admit.ts';
import { findRestaurantOfOrder } from '../../src/orders/order-store.ts';
import { guest, type OrderFixture, openOrderFixture, orderOf } from './fixture.ts';
import { guidOf, item, select } from './menu.ts';

let fixture: OrderFixture;
before(async () => {
  fixture = await openOrderFixture({
    menu: { items: [item('Soup', 8)] },
    prepTimes: { takeoutPrepTime: 15, takeoutThrottlingTime: 5 },
  });
});
after(() => fixture.close());

test('orders.payments.add 400 404 ORD-3: without the header, the restaurant of the order counts', async () => {
  const { place, partner, restaurant, payments } = fixture;
  const { body } = await place(orderOf([select('Soup')]));
  let charged = 0;
  const admitted = async (
    id: 'orders.payments.add' | 'orders.selections.add',
    orderGuid: string,
  ) => {
    const deps = {
      brand: 'Platform',
      isSandbox: true,
      access: async () => ({ outcome: 'granted', restaurant }) as const,
      restaurantOfOrder: (guid: string) => findRestaurantOfOrder(payments.database.sql, guid),
      chargeAddress: async () => {
        charged += 1;
      },
    };
    const request = { raw: { headers: {} }, params: { orderGuid }, query: {}, caller: partner };
    return await admit(deps, { ...request, operation: operationById(id) }).catch((error) => {
      assert.ok(error instanceof ApiError);
      return error.errorClass;
    });
  };
  assert.equal(await admitted('orders.payments.add', body.guid), restaurant);
  assert.equal(await admitted('orders.payments.add', guidOf('no order')), 'notFound');
  assert.equal(await admitted('orders.selections.add', body.guid), 'badRequest');
  assert.equal(charged, 1);
});

test('orders.place 200 ORD-56 ORD-68: for now and for later', async () => {
  const { place, payments } = fixture;
  const takeOut = (more: object) =>
    place(
      orderOf(
        [select('Soup')],
        { customer: guest },
        { diningOption: { guid: guidOf('take-out') }, ...more },
      ),
    );
  const minutes = (count: number) =>
    new Date(payments.clock.nowMs() + count * 60_000).toISOString().replace('Z', '+0000');
  const shown = ({ body }: Awaited<ReturnType<typeof place>>) => [
    body.approvalStatus,
    body.guestOrderStatus,
    body.estimatedFulfillmentDate,
  ];
  assert.deepEqual(shown(await takeOut({})), ['APPROVED', 'RECEIVED', minutes(20)]);
  const slow = await takeOut({ requiredPrepTime: 'PT40M' });
  assert.deepEqual(shown(slow), ['APPROVED', 'RECEIVED', minutes(45)]);
  const soon = await takeOut({ promisedDate: minutes(10) });
  assert.deepEqual(shown(soon), ['APPROVED', 'RECEIVED', minutes(10)]);
  const later = await takeOut({ promisedDate: minutes(60) });
  assert.deepEqual(shown(later), ['FUTURE', 'RECEIVED', minutes(60)]);
});
