import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { configurationReader } from '../../src/orders/configuration.ts';
import { listOfficeOrders } from '../../src/orders/office/list-store.ts';
import { listTakenExternalIds } from '../../src/orders/order-store.ts';
import { orderHandlers } from '../../src/orders/partner/handlers.ts';
import { explainStatements } from '../explain-statements.ts';
import { callOperation } from '../request.ts';
import { guest, type OrderFixture, openOrderFixture, orderOf } from './fixture.ts';
import { insertClosedCopies } from './fixture-store.ts';
import { guidOf, item, select } from './menu.ts';

let fixture: OrderFixture;
before(async () => {
  fixture = await openOrderFixture({ menu: { items: [item('Soup', 8), item('Bread', 2)] } });
});
after(() => fixture.close());

test('orders.place ORD-51 ORD-55: 64 guests want 10 soups, at two processes', async () => {
  const { deps, restaurant, partner, setStock, stock, payments } = fixture;
  await setStock('Soup', 10);
  // Processes share nothing but the database.
  const processes = [deps, { ...deps, findConfiguration: configurationReader() }].map(
    orderHandlers,
  );
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, guest) =>
      callOperation(processes[guest % 2] ?? {}, 'orders.place', {
        ...{ restaurant, principal: partner, nowMs: payments.clock.nowMs() },
        body: orderOf([select('Soup')], {}, { externalId: `guest:${guest}` }),
      }),
    ),
  );
  const taken = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 400);
  assert.deepEqual([taken.length, refused.length, await stock('Soup')], [10, 54, 'OUT_OF_STOCK']);
  for (const { body } of refused) assert.match(body.message, /Soup/);
  const numbers = taken.map(({ body }) => Number(body.displayNumber)).sort((a, b) => a - b);
  assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 'without gaps');
  const modified = new Set(taken.map(({ body }) => body.modifiedDate));
  assert.equal(modified.size, 10, 'each at a time of its own (ORD-61)');
});

test('orders.place ORD-44 ORD-45: two orders want one authorization, and one gets it', async () => {
  const { authorize, place, payments } = fixture;
  const paymentUuid = await authorize(2);
  const order = (externalId: string) =>
    orderOf(
      [select('Bread')],
      { payments: [{ type: 'CREDIT', guid: paymentUuid, amount: 2 }] },
      {
        externalId,
      },
    );
  const answers = await Promise.all(['a:1', 'a:2', 'a:3', 'a:4'].map((id) => place(order(id))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  const winner = answers.find(({ status }) => status === 200)?.body;
  const rows = await payments.database.sql<{ checkGuid: string }[]>`
    select check_guid as "checkGuid" from payment where payment_uuid = ${paymentUuid}`;
  assert.deepEqual(
    rows.map(({ checkGuid }) => checkGuid),
    [winner.checks[0].guid],
  );
  const [stored] = await payments.database.sql<{ count: number }[]>`
    select count(*)::integer as count from restaurant_order where external_id like 'a:%'`;
  assert.equal(stored?.count, 1, 'the others stored nothing');
});

test('orders.place 409 ORD-52: the same externalId at the same instant is one order', async () => {
  const { place, colleague, stranger } = fixture;
  const order = orderOf([select('Bread')], {}, { externalId: 'shop:once' });
  const colleagueOfPartner = await colleague();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      place(order, index % 2 === 0 ? fixture.partner : colleagueOfPartner),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  for (const { status, body } of answers) {
    if (status === 409) assert.match(body.message, new RegExp(won[0]?.body.guid));
  }
  const faulty = await place({ externalId: 'shop:once' });
  assert.deepEqual([faulty.status, faulty.body.errors], [409, []], 'before all else and alone');
  assert.equal((await place(order, await stranger())).status, 200, 'each owner has its own');
});

test('orders.place ORD-52: with orders.repeat=replay, the same request gets the same order', async () => {
  const { deps, restaurant, partner, payments } = fixture;
  const orderSettings = { ...deps.orderSettings, repeat: 'replay' as const };
  const handlers = orderHandlers({ ...deps, orderSettings });
  const send = (body: object) =>
    callOperation(handlers, 'orders.place', {
      ...{ restaurant, principal: partner, nowMs: payments.clock.nowMs(), body },
    });
  const order = orderOf([select('Bread')], {}, { externalId: 'shop:replay' });
  const first = await send(order);
  assert.equal(first.status, 200);
  const again = await send({
    ...Object.fromEntries(Object.entries(order).reverse()),
    guid: 'echo',
  });
  assert.deepEqual([again.status, again.body], [200, first.body]);
  const other = await send({ ...order, numberOfGuests: 2 });
  assert.equal(other.status, 409);
});

test('orders.place ORD-45: what a process remembers of the restaurant is outdated, and the order goes by what is published', async () => {
  const { deps, restaurant, partner, payments, archive } = fixture;
  const remembered = await deps.restaurantOf(restaurant.guid);
  const handlers = orderHandlers({ ...deps, restaurantOf: async () => remembered });
  const send = (option: string) =>
    callOperation(handlers, 'orders.place', {
      ...{ restaurant, principal: partner, nowMs: payments.clock.nowMs() },
      body: orderOf(
        [select('Bread')],
        { customer: guest },
        { diningOption: { guid: guidOf(option) } },
      ),
    });
  assert.equal((await send('take-out')).status, 200);
  await archive('diningOptions', 'take-out');
  assert.equal((await send('take-out')).status, 404);
  assert.equal((await send('dine-in')).status, 200);
});

test('orders.place ORD-52: whether an externalId is taken is one lookup, however many orders there are', async () => {
  const plans: string[] = [];
  const sql = explainStatements(fixture.payments.database.sql, plans);
  const owner = { restaurantGuid: fixture.restaurant.guid, ownerGuid: crypto.randomUUID() };
  await listTakenExternalIds(sql, owner, [{ kind: 'ORDER', externalId: 'shop:1' }]);
  assert.match(plans.join('\n'), /Index Cond: .*kind = wanted\.kind.*external_id = wanted\./);
});

test('backOffice.orders.list: what few orders have is looked for among the unusual ones', async () => {
  const { restaurant, payments } = fixture;
  const filters = [
    { paymentStatus: 'OPEN' },
    { guestOrderStatus: 'VOIDED' },
    { approvalStatus: 'NEEDS_APPROVAL' },
    { open: true },
  ] as const;
  const plans: string[] = [];
  const undone = new Error('undone');
  const run = payments.database.transaction(async (sql) => {
    await insertClosedCopies(sql, restaurant.guid, 5_000);
    const explained = explainStatements(sql, plans);
    for (const filter of filters) {
      await listOfficeOrders(explained, restaurant.guid, filter, null, 100);
    }
    throw undone;
  });
  await assert.rejects(run, undone);
  assert.equal(plans.length, filters.length);
  for (const plan of plans)
    assert.match(plan, / on restaurant_order_unusual|using restaurant_order_unusual/);
});
