import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openKitchen } from './kitchen.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

test('stock.list 200 STK-1 STK-4: what is not in stock, ordered by guid, every field there', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guids = [await kitchen.item({ multiLocationId: 'soup-1' }), await kitchen.item()];
  await kitchen.item();
  const [soup, bread] = guids;
  await kitchen.update([
    { guid: bread, status: 'OUT_OF_STOCK' },
    { guid: soup, status: 'QUANTITY', quantity: 2.5 },
  ]);
  const { status, body } = await kitchen.list();
  assert.equal(status, 200);
  assert.deepEqual(
    body.map((element: { guid: string }) => element.guid),
    guids.toSorted(),
  );
  assert.deepEqual(body[guids.toSorted().indexOf(String(soup))], {
    guid: soup,
    multiLocationId: 'soup-1',
    versionId: soup,
    status: 'QUANTITY',
    quantity: 2.5,
    itemGuidValidity: 'VALID',
  });
});

test('stock.list 200 STK-1: status filters, and an empty one counts as absent', async () => {
  const kitchen = await openKitchen(testDatabase);
  const [gone, few] = [await kitchen.item(), await kitchen.item()];
  await kitchen.update([
    { guid: gone, status: 'OUT_OF_STOCK' },
    { guid: few, status: 'QUANTITY', quantity: 3 },
  ]);
  const guidsFor = async (status: string) => {
    const { body } = await kitchen.list({ status });
    return body.map((element: { guid: string }) => element.guid);
  };
  assert.deepEqual(await guidsFor('OUT_OF_STOCK'), [gone]);
  assert.deepEqual(await guidsFor('QUANTITY'), [few]);
  assert.deepEqual(await guidsFor(''), [gone, few].toSorted());
});

test('stock.list 400 STK-1: IN_STOCK and any other text are not filters', async () => {
  const kitchen = await openKitchen(testDatabase);
  for (const status of ['IN_STOCK', 'out_of_stock', 'QUANTITY ', 'x'.repeat(5000)]) {
    const answer = await kitchen.list({ status });
    assert.equal(answer.status, 400);
    assert.match(
      answer.body.message,
      /^status (must be one of OUT_OF_STOCK, QUANTITY|has 5000 characters)/,
    );
    assert.ok(answer.body.message.length < 200);
  }
});

test('stock.list 200 STK-1 STK-9: archived items and other restaurants do not appear', async () => {
  const [kitchen, other] = [await openKitchen(testDatabase), await openKitchen(testDatabase)];
  const [kept, archived] = [await kitchen.item(), await kitchen.item()];
  const elsewhere = await other.item();
  for (const guid of [kept, archived]) await kitchen.update([{ guid, status: 'OUT_OF_STOCK' }]);
  await other.update([{ guid: elsewhere, status: 'OUT_OF_STOCK' }]);
  await testDatabase.database.sql`
    update configuration_object set archived = true where guid = ${archived}`;
  assert.deepEqual(await kitchen.listed(), [`${kept} OUT_OF_STOCK`]);
});

test('stock.list 200 STK-1: nothing out of stock is an empty list', async () => {
  const kitchen = await openKitchen(testDatabase);
  await kitchen.item();
  assert.deepEqual((await kitchen.list()).body, []);
});
