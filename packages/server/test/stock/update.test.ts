import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { deriveMultiLocationId } from '../../src/configuration/document/identity.ts';
import { findRestaurantForUpdate } from '../../src/stock/store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { insertRawEvent } from '../payments/fixture-store.ts';
import { type Kitchen, openKitchen } from './kitchen.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** The 400 that a list with one faulty element gets, and the text of its one fault. */
async function faultOf(kitchen: Kitchen, element: unknown): Promise<string> {
  const { status, body } = await kitchen.update([element]);
  assert.equal(status, 400, JSON.stringify(element));
  assert.equal(body.errors.length, 1, JSON.stringify(body));
  return body.errors[0].message;
}

test('stock.update 200: each of the three statuses follows any other', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guid = await kitchen.item();
  const levels = [
    { status: 'QUANTITY', quantity: 4 },
    { status: 'OUT_OF_STOCK' },
    { status: 'QUANTITY', quantity: 0.5 },
    { status: 'QUANTITY', quantity: 7 },
    { status: 'IN_STOCK' },
    { status: 'IN_STOCK' },
    { status: 'OUT_OF_STOCK' },
    { status: 'IN_STOCK' },
  ];
  for (const level of levels) {
    const expected = {
      guid,
      multiLocationId: deriveMultiLocationId(guid),
      versionId: guid,
      quantity: null,
      itemGuidValidity: 'VALID',
      ...level,
    };
    assert.deepEqual((await kitchen.update([{ guid, ...level }])).body, [expected]);
    assert.deepEqual((await kitchen.search({ guids: [guid] })).body, [expected]);
    const listed = level.status === 'IN_STOCK' ? [] : [expected];
    assert.deepEqual((await kitchen.list()).body, listed);
  }
});

test('stock.update 400 STK-5: a malformed element is named, and nothing is applied', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guid = await kitchen.item();
  const { status, body } = await kitchen.update([
    { guid, status: 'OUT_OF_STOCK' },
    { guid: 'no guid', status: 'OUT_OF_STOCK' },
    { guid, status: 'QUANTITY' },
    'text',
    { guid: 7, status: 'SOLD' },
  ]);
  assert.equal(status, 400);
  assert.match(
    body.message,
    /^\[1\]\.guid must be a GUID; .*; and 2 more faults\. Nothing was changed\.$/,
  );
  assert.deepEqual(
    body.errors.map(({ message }: { message: string }) => message.split(':')[0]),
    ['[1].guid', '[2].quantity', '[3]', '[4].guid', '[4].status'],
  );
  assert.deepEqual(await kitchen.listed(), []);
});

test('stock.update 200 STK-3 STK-5: unknown items are INVALID and the rest is applied', async () => {
  const [kitchen, other] = [await openKitchen(testDatabase), await openKitchen(testDatabase)];
  const guid = await kitchen.item();
  const archived = await kitchen.item({ archived: true });
  const elsewhere = await other.item();
  const change = (identifier: object) => ({ ...identifier, status: 'QUANTITY', quantity: 3 });
  const { status, body } = await kitchen.update([
    change({ guid: archived }),
    change({ guid: elsewhere }),
    change({ guid }),
    change({ multiLocationId: 'unknown' }),
  ]);
  assert.equal(status, 200);
  assert.deepEqual(
    body.map((element: Record<string, unknown>) => [
      element.guid,
      element.multiLocationId,
      element.status,
      element.quantity,
      element.itemGuidValidity,
    ]),
    [
      [archived, null, 'OUT_OF_STOCK', null, 'INVALID'],
      [elsewhere, null, 'OUT_OF_STOCK', null, 'INVALID'],
      [guid, deriveMultiLocationId(guid), 'QUANTITY', 3, 'VALID'],
      [null, 'unknown', 'OUT_OF_STOCK', null, 'INVALID'],
    ],
  );
  assert.deepEqual(await kitchen.listed(), [`${guid} QUANTITY 3`]);
  assert.deepEqual(await other.listed(), []);
});

test('stock.update 200 STK-5: of one item twice the last wins, however it is named', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guid = await kitchen.item({ multiLocationId: 'soup' });
  const { body } = await kitchen.update([
    { guid: guid.toUpperCase(), status: 'OUT_OF_STOCK' },
    { multiLocationId: 'soup', status: 'QUANTITY', quantity: 2 },
    { guid, multiLocationId: 'soup', status: 'QUANTITY', quantity: 9 },
  ]);
  const expected = {
    guid,
    multiLocationId: 'soup',
    versionId: guid,
    status: 'QUANTITY',
    quantity: 9,
    itemGuidValidity: 'VALID',
  };
  assert.deepEqual(body, [expected, expected, expected]);
  assert.deepEqual((await kitchen.list()).body, [expected]);
  const back = await kitchen.update([
    { guid, status: 'OUT_OF_STOCK' },
    { guid, status: 'IN_STOCK' },
  ]);
  assert.deepEqual(
    back.body.map((element: { status: string }) => element.status),
    ['IN_STOCK', 'IN_STOCK'],
  );
  assert.deepEqual(await kitchen.listed(), []);
});

test('stock.update 200 STK-5: an empty list changes nothing; 400 for what is no list', async () => {
  const kitchen = await openKitchen(testDatabase);
  assert.deepEqual(await kitchen.update([]), { status: 200, headers: {}, body: [] });
  for (const body of [null, {}, { guid: newGuid(), status: 'IN_STOCK' }, 'text', 5]) {
    assert.equal((await kitchen.update(body)).status, 400);
  }
});

test('stock.update 200 STK-6: what was read can be sent back, unknown fields included', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guid = await kitchen.item({ multiLocationId: 'soup' });
  await kitchen.update([{ guid, status: 'QUANTITY', quantity: 2.25 }]);
  const { body } = await kitchen.search({ guids: [guid], multiLocationIds: ['unknown'] });
  const echoed = [
    { ...body[0], itemGuidValidity: 'INVALID', versionId: 'anything', colour: 'red' },
    body[1],
  ];
  assert.deepEqual((await kitchen.update(echoed)).body, body);
});

test('stock.update 400 STK-6: guid and multiLocationId must name the same item', async () => {
  const kitchen = await openKitchen(testDatabase);
  const soup = await kitchen.item({ multiLocationId: 'soup' });
  const bread = await kitchen.item({ multiLocationId: 'bread' });
  const old = await kitchen.item({ multiLocationId: 'old', archived: true });
  const contradictions = [
    { guid: soup, multiLocationId: 'bread' },
    { guid: soup, multiLocationId: 'unknown' },
    { guid: newGuid(), multiLocationId: 'soup' },
    { guid: old, multiLocationId: 'soup' },
  ];
  for (const identifiers of contradictions) {
    const { status, body } = await kitchen.update([
      { guid: bread, status: 'OUT_OF_STOCK' },
      { ...identifiers, status: 'OUT_OF_STOCK' },
    ]);
    assert.equal(status, 400);
    assert.match(body.errors[0].message, /^\[1\]: guid and multiLocationId do not name the same/);
  }
  assert.deepEqual(await kitchen.listed(), []);
  const invalid = [
    { guid: old, multiLocationId: 'old', status: 'OUT_OF_STOCK' },
    { guid: newGuid(), multiLocationId: 'unknown', status: 'OUT_OF_STOCK' },
  ];
  const { status, body } = await kitchen.update(invalid);
  assert.equal(status, 200);
  for (const [index, element] of body.entries()) {
    assert.equal(element.itemGuidValidity, 'INVALID');
    assert.equal(element.guid, invalid[index]?.guid);
    assert.equal(element.multiLocationId, invalid[index]?.multiLocationId);
  }
});

test('stock.update 400 STK-6: neither identifier, or one of another type', async () => {
  const kitchen = await openKitchen(testDatabase);
  const status = 'OUT_OF_STOCK';
  assert.match(await faultOf(kitchen, { status }), /^\[0\]: names no item/);
  assert.match(await faultOf(kitchen, { guid: null, multiLocationId: null, status }), /names no/);
  assert.match(await faultOf(kitchen, { guid: '', status }), /^\[0\]\.guid: must be a GUID/);
  assert.match(await faultOf(kitchen, { guid: {}, status }), /^\[0\]\.guid: must be a string/);
  assert.match(await faultOf(kitchen, { multiLocationId: 5, status }), /^\[0\]\.multiLocationId/);
  assert.match(await faultOf(kitchen, { multiLocationId: '', status }), /^\[0\]\.multiLocationId/);
});

test('stock.update 400: a status that is missing or unknown', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guid = await kitchen.item();
  assert.match(await faultOf(kitchen, { guid }), /^\[0\]\.status: is required and missing/);
  for (const status of ['in_stock', '', null, 1, 'constructor']) {
    assert.match(
      await faultOf(kitchen, { guid, status }),
      /^\[0\]\.status: must be (one of IN_STOCK, QUANTITY|a string)/,
    );
  }
});

test('stock.update 400 STK-7: a quantity that does not go with its status', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guid = await kitchen.item();
  for (const status of ['IN_STOCK', 'OUT_OF_STOCK']) {
    assert.match(await faultOf(kitchen, { guid, status, quantity: 1 }), /stands beside/);
    assert.match(await faultOf(kitchen, { guid, status, quantity: 0 }), /stands beside/);
    assert.equal((await kitchen.update([{ guid, status, quantity: null }])).status, 200);
  }
  const quantity = (value?: unknown) =>
    faultOf(kitchen, { guid, status: 'QUANTITY', ...(value !== undefined && { quantity: value }) });
  assert.match(await quantity(), /^\[0\]\.quantity: is missing/);
  assert.match(await quantity(null), /is missing/);
  assert.match(await quantity('3'), /must be a number/);
  assert.match(await quantity(-0.5), /must be at least 0/);
  assert.match(await quantity(0), /must be greater than 0: send status OUT_OF_STOCK/);
  assert.match(await quantity(-0), /must be greater than 0/);
  assert.match(await quantity(0.00001), /and 4 after it/);
  assert.match(await quantity(1e12), /at most 12 digits before/);
  assert.match(await quantity(1e300), /at most 12 digits before/);
});

test('stock.update 200 STK-7: the switch stock.zeroQuantity takes 0 as OUT_OF_STOCK', async () => {
  const kitchen = await openKitchen(testDatabase, 'outOfStock');
  const guid = await kitchen.item();
  const { body } = await kitchen.update([{ guid, status: 'QUANTITY', quantity: 0 }]);
  assert.equal(body[0].status, 'OUT_OF_STOCK');
  assert.equal(body[0].quantity, null);
  assert.deepEqual(await kitchen.listed(), [`${guid} OUT_OF_STOCK`]);
  assert.match(
    await faultOf(kitchen, { guid, status: 'QUANTITY', quantity: -1 }),
    /must be at least 0/,
  );
});

test('stock.update 200 STK-7: quantities are stored exactly, to the last digit', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guid = await kitchen.item();
  const quantities = [0.1, 0.3, 0.0001, 1.1, 2.675, 999_999_999_999, 99_999_999_999.9999];
  for (const quantity of quantities) {
    const { body } = await kitchen.update([{ guid, status: 'QUANTITY', quantity }]);
    assert.equal(body[0].quantity, quantity);
    assert.equal((await kitchen.list()).body[0].quantity, quantity);
    const [row] = await testDatabase.database.sql<{ same: boolean }[]>`
      select quantity = ${String(quantity)}::text::numeric as same
      from stock where item_guid = ${guid}`;
    assert.equal(row?.same, true);
  }
});

test('stock.update STK-8: 5,000 elements are applied at once, 5,001 are a 400', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guids = Array.from({ length: 5_000 }, newGuid);
  await testDatabase.database.sql`
    insert into configuration_object (restaurant_guid, collection, guid, multi_location_id, fields,
      archived, modified_at)
    select ${kitchen.restaurantGuid}, 'menuItems', guid, 'item ' || guid, '{}', false,
      '2026-01-01T00:00:00Z'
    from unnest(${guids}::uuid[]) as item (guid)`;
  const changes = guids.map((guid) => ({ guid, status: 'OUT_OF_STOCK' }));
  const most = await kitchen.update(changes);
  assert.equal(most.status, 200);
  assert.deepEqual(
    most.body.map((element: { guid: string }) => element.guid),
    guids,
  );
  assert.equal((await kitchen.list()).body.length, 5_000);
  const tooMany = await kitchen.update([...changes, { guid: newGuid(), status: 'IN_STOCK' }]);
  assert.equal(tooMany.status, 400);
  assert.match(tooMany.body.message, /The body has 5001 elements; at most 5000 are allowed/);
});

test('stock.update STK-5: lists that cross each other leave the whole of one of them', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guids = await Promise.all(Array.from({ length: 20 }, () => kitchen.item()));
  const half = guids.length / 2;
  const goneIf = (isGone: (index: number) => boolean) =>
    guids.map((guid, index) => ({ guid, status: isGone(index) ? 'OUT_OF_STOCK' : 'IN_STOCK' }));
  const [front, back] = [goneIf((index) => index < half), goneIf((index) => index >= half)];
  const outcomes = [front, back].map((list) =>
    list
      .filter(({ status }) => status === 'OUT_OF_STOCK')
      .map(({ guid, status }) => `${guid} ${status}`)
      .toSorted()
      .join(),
  );
  for (let round = 0; round < 20; round += 1) {
    const lists = [front, back, front.toReversed(), back.toReversed(), front, back];
    const answers = await Promise.all(lists.map((list) => kitchen.update(list)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(outcomes.includes((await kitchen.listed()).join()), `round ${round} mixed two lists`);
  }
});

test('stock.update 200: a payment at the restaurant does not wait for an update', async () => {
  const { database } = testDatabase;
  const { restaurantGuid } = await openKitchen(testDatabase);
  const submitted = {
    version: 1,
    previous: null,
    from: 'NEW',
    cause: 'submitted',
    to: 'PENDING',
    attempt: 1,
  };
  await database.transaction(async (update) => {
    await findRestaurantForUpdate(update, restaurantGuid);
    await database.transaction(async (payment) => {
      await payment.unsafe(`set local lock_timeout = '500ms'`);
      const key = { merchantGuid: restaurantGuid, paymentUuid: newGuid() };
      await insertRawEvent(payment, key, submitted);
    });
  });
});
