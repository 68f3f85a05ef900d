import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { findRestaurantForUpdate } from '../../src/stock/store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { insertRawEvent } from '../payments/fixture-store.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** The 400 that a list with one faulty element gets, and the text of its one fault. */
async function faultOf(fixture: StockFixture, element: unknown): Promise<string> {
  const { status, body } = await fixture.partnerUpdate([element]);
  assert.equal(status, 400, JSON.stringify(element));
  assert.equal(body.errors.length, 1, JSON.stringify(body));
  return body.errors[0].message;
}

test('stock.update 400 STK-5: a malformed element is named, and nothing is applied', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  const { status, body } = await fixture.partnerUpdate([
    { guid, status: 'OUT_OF_STOCK' },
    { guid: 'no guid', status: 'OUT_OF_STOCK' },
    { guid, status: 'QUANTITY' },
    'text',
    { guid: 7, status: 'SOLD' },
  ]);
  assert.equal(status, 400);
  assert.match(
    body.message,
    /^\[1\]\.guid must be a GUID, .*; .*; and 2 more faults\. Nothing was changed\.$/,
  );
  assert.deepEqual(
    body.errors.map(({ message }: { message: string }) => message.split(':')[0]),
    ['[1].guid', '[2].quantity', '[3]', '[4].guid', '[4].status'],
  );
  assert.deepEqual(await fixture.partnerListed(), []);
});

test('stock.update 400 STK-6: guid and multiLocationId must name the same item', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const soup = await fixture.item('Soup', {}, { multiLocationId: 'soup' });
  const bread = await fixture.item('Soup', {}, { multiLocationId: 'bread' });
  const old = await fixture.item('Soup', {}, { multiLocationId: 'old', archived: true });
  const contradictions = [
    { guid: soup, multiLocationId: 'bread' },
    { guid: soup, multiLocationId: 'unknown' },
    { guid: newGuid(), multiLocationId: 'soup' },
    { guid: old, multiLocationId: 'soup' },
  ];
  for (const identifiers of contradictions) {
    const { status, body } = await fixture.partnerUpdate([
      { guid: bread, status: 'OUT_OF_STOCK' },
      { ...identifiers, status: 'OUT_OF_STOCK' },
    ]);
    assert.equal(status, 400);
    assert.match(body.errors[0].message, /^\[1\]: guid and multiLocationId do not name the same/);
  }
  assert.deepEqual(await fixture.partnerListed(), []);
  const invalid = [
    { guid: old, multiLocationId: 'old', status: 'OUT_OF_STOCK' },
    { guid: newGuid(), multiLocationId: 'unknown', status: 'OUT_OF_STOCK' },
  ];
  const { status, body } = await fixture.partnerUpdate(invalid);
  assert.equal(status, 200);
  for (const [index, element] of body.entries()) {
    assert.equal(element.itemGuidValidity, 'INVALID');
    assert.equal(element.guid, invalid[index]?.guid);
    assert.equal(element.multiLocationId, invalid[index]?.multiLocationId);
  }
});

test('stock.update 400 STK-7: a quantity that does not go with its status', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  for (const status of ['IN_STOCK', 'OUT_OF_STOCK']) {
    assert.match(await faultOf(fixture, { guid, status, quantity: 1 }), /is not allowed with/);
    assert.match(await faultOf(fixture, { guid, status, quantity: 0 }), /is not allowed with/);
    assert.equal((await fixture.partnerUpdate([{ guid, status, quantity: null }])).status, 200);
  }
  const quantity = (value?: unknown) =>
    faultOf(fixture, { guid, status: 'QUANTITY', ...(value !== undefined && { quantity: value }) });
  assert.match(await quantity(), /^\[0\]\.quantity: is missing/);
  assert.match(await quantity(null), /is missing/);
  assert.match(await quantity('3'), /must be null or a number greater than 0/);
  assert.match(await quantity(-0.5), /must be a number greater than 0/);
  assert.match(await quantity(0), /must be greater than 0: send status OUT_OF_STOCK/);
  assert.match(await quantity(-0), /must be greater than 0/);
  assert.match(await quantity(0.00001), /and 4 after it/);
  assert.match(await quantity(1e12), /at most 12 digits before/);
  assert.match(await quantity(1e300), /at most 12 digits before/);
});

test('stock.update STK-5: lists that cross each other leave the whole of one of them', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guids = await Promise.all(Array.from({ length: 20 }, () => fixture.item('Soup')));
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
    const answers = await Promise.all(lists.map((list) => fixture.partnerUpdate(list)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(
      outcomes.includes((await fixture.partnerListed()).join()),
      `round ${round} mixed two lists`,
    );
  }
});

test('stock.update 200: a payment at the restaurant does not wait for an update', async () => {
  const { database } = testDatabase;
  const { restaurant } = await openStockFixture(testDatabase.database);
  const restaurantGuid = restaurant.guid;
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
