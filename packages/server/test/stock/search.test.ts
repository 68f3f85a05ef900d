import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openKitchen } from './kitchen.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

test('stock.search 200 STK-2: one element per identifier in request order, guids first', async () => {
  const kitchen = await openKitchen(testDatabase);
  const soup = await kitchen.item({ multiLocationId: 'soup' });
  const bread = await kitchen.item({ multiLocationId: 'bread' });
  const cake = await kitchen.item({ multiLocationId: 'cake' });
  await kitchen.update([
    { guid: bread, status: 'OUT_OF_STOCK' },
    { guid: cake, status: 'QUANTITY', quantity: 1 },
  ]);
  const { status, body } = await kitchen.search({
    multiLocationIds: ['cake', 'soup'],
    guids: [bread, soup, bread, bread.toUpperCase()],
    versionIds: ['ignored'],
  });
  assert.equal(status, 200);
  assert.deepEqual(
    body.map((element: { guid: string; status: string }) => [element.guid, element.status]),
    [
      [bread, 'OUT_OF_STOCK'],
      [soup, 'IN_STOCK'],
      [bread, 'OUT_OF_STOCK'],
      [bread, 'OUT_OF_STOCK'],
      [cake, 'QUANTITY'],
      [soup, 'IN_STOCK'],
    ],
  );
  assert.ok(body.every((element: { multiLocationId: string }) => element.multiLocationId));
});

test('stock.search 200 STK-3: unknown and archived items are INVALID, named as before', async () => {
  const [kitchen, other] = [await openKitchen(testDatabase), await openKitchen(testDatabase)];
  const archived = await kitchen.item({ multiLocationId: 'old', archived: true });
  const unknown = newGuid().toUpperCase();
  const elsewhere = await other.item({ multiLocationId: 'elsewhere' });
  const { status, body } = await kitchen.search({
    guids: [unknown, archived, elsewhere],
    multiLocationIds: ['old', 'elsewhere', ''],
  });
  assert.equal(status, 200);
  const invalid = (guid: string | null, multiLocationId: string | null) => ({
    guid,
    multiLocationId,
    versionId: guid,
    status: 'OUT_OF_STOCK',
    quantity: null,
    itemGuidValidity: 'INVALID',
  });
  assert.deepEqual(body, [
    invalid(unknown, null),
    invalid(archived, null),
    invalid(elsewhere, null),
    invalid(null, 'old'),
    invalid(null, 'elsewhere'),
    invalid(null, ''),
  ]);
});

test('stock.search 200 STK-2: empty lists find nothing', async () => {
  const kitchen = await openKitchen(testDatabase);
  for (const body of [
    { guids: [] },
    { multiLocationIds: [] },
    { guids: [], multiLocationIds: [] },
  ]) {
    assert.deepEqual((await kitchen.search(body)).body, []);
  }
});

test('stock.search 400 STK-2: neither list, or only versionIds', async () => {
  const kitchen = await openKitchen(testDatabase);
  for (const body of [{}, { versionIds: [newGuid()] }, { guids: null, multiLocationIds: null }]) {
    const answer = await kitchen.search(body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /names no items/);
  }
});

test('stock.search 400: a body or list of another type, and malformed identifiers', async () => {
  const kitchen = await openKitchen(testDatabase);
  for (const body of [null, [], 'guids', 7, { guids: 'x' }, { multiLocationIds: {} }]) {
    assert.equal((await kitchen.search(body)).status, 400);
  }
  const answer = await kitchen.search({ guids: [newGuid(), 'not-a-guid'] });
  assert.equal(answer.status, 400);
  assert.match(answer.body.errors[0].message, /^guids\[1\]: must be a GUID/);
  const mixed = await kitchen.search({ multiLocationIds: ['fine', 7, null] });
  assert.deepEqual(
    mixed.body.errors.map((fault: { message: string }) => fault.message),
    [
      'multiLocationIds[1]: must be a string: put it in quotation marks, such as "4000"',
      'multiLocationIds[2]: must be a string',
    ],
  );
});

test('stock.search 400 STK-8: more than 5,000 identifiers', async () => {
  const kitchen = await openKitchen(testDatabase);
  const guids = Array.from({ length: 2_500 }, newGuid);
  const multiLocationIds = guids.map((guid) => `id ${guid}`);
  const most = await kitchen.search({ guids, multiLocationIds });
  assert.equal(most.status, 200);
  assert.equal(most.body.length, 5_000);
  const tooMany = await kitchen.search({ guids: [...guids, newGuid()], multiLocationIds });
  assert.equal(tooMany.status, 400);
  assert.match(tooMany.body.message, /has 5001 identifiers; at most 5000 are allowed/);
});
