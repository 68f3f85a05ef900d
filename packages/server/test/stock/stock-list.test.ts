import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deriveMultiLocationId } from '../../src/configuration/document/identity.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openPantry, type Pantry } from './pantry.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

async function namesOf(pantry: Pantry, query?: Record<string, string>): Promise<string[]> {
  const { status, body } = await pantry.list(query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.results.map(({ name }: { name: string }) => name);
}

const identity = (guid: string) => ({ guid, multiLocationId: deriveMultiLocationId(guid) });

test('backOffice.stock.list 200: every published item with its stock, by name', async () => {
  const pantry = await openPantry(testDatabase.database);
  const soup = await pantry.item('soup', { sku: 'SOUP-01' });
  const apple = await pantry.item('Apple');
  const pie = await pantry.item('Pie');
  await pantry.archive(await pantry.item('Old'));
  await (await openPantry(testDatabase.database)).item('Elsewhere');
  await pantry.put(soup, 'QUANTITY', { quantity: 2.5 });
  await pantry.put(pie, 'OUT_OF_STOCK', { until: 'closeOut' });
  const { body } = await pantry.list();
  const plain = { sku: null, plu: null, quantity: null, until: null };
  assert.deepEqual(
    body.results.map(({ lastChange: _, ...item }: Record<string, unknown>) => item),
    [
      { ...plain, ...identity(apple), name: 'Apple', status: 'IN_STOCK' },
      {
        ...{ ...plain, ...identity(pie), name: 'Pie', status: 'OUT_OF_STOCK' },
        until: '2026-03-02T10:00:00.000Z',
      },
      {
        ...{ ...plain, ...identity(soup), name: 'soup', sku: 'SOUP-01' },
        ...{ status: 'QUANTITY', quantity: 2.5 },
      },
    ],
  );
  assert.equal(body.nextPageToken, null);
  assert.equal(body.results[0].lastChange, null);
  assert.equal(body.results[1].lastChange.cause, 'SET');
});

test('backOffice.stock.list 200: filters by status and by a text in the name', async () => {
  const pantry = await openPantry(testDatabase.database);
  const [out, few] = [await pantry.item('Crème brûlée'), await pantry.item('Ice cream')];
  await pantry.item('Cream cake');
  await pantry.item('100% juice');
  await pantry.put(out, 'OUT_OF_STOCK');
  await pantry.put(few, 'QUANTITY', { quantity: 1 });
  assert.deepEqual(await namesOf(pantry, { status: 'OUT_OF_STOCK' }), ['Crème brûlée']);
  assert.deepEqual(await namesOf(pantry, { status: 'QUANTITY,OUT_OF_STOCK' }), [
    'Crème brûlée',
    'Ice cream',
  ]);
  assert.deepEqual(await namesOf(pantry, { status: 'IN_STOCK' }), ['100% juice', 'Cream cake']);
  assert.deepEqual(await namesOf(pantry, { name: 'CREAM' }), ['Cream cake', 'Ice cream']);
  assert.deepEqual(await namesOf(pantry, { name: 'BRÛLÉE' }), ['Crème brûlée']);
  assert.deepEqual(await namesOf(pantry, { name: '%' }), ['100% juice'], 'no pattern');
  assert.deepEqual(await namesOf(pantry, { name: 'cream', status: 'QUANTITY' }), ['Ice cream']);
  assert.deepEqual(await namesOf(pantry, { name: 'nothing' }), []);
});

test('backOffice.stock.list 200: pages hold every item once, names alike included', async () => {
  const pantry = await openPantry(testDatabase.database);
  const long = 'x'.repeat(150);
  for (const name of ['Cola', 'cola', 'COLA', `${long}2`, `${long}1`, 'Beer', 'beer']) {
    await pantry.item(name);
  }
  const all = await pantry.list();
  const paged: unknown[] = [];
  let query: Record<string, string> = { pageSize: '2' };
  for (let pages = 1; ; pages += 1) {
    const { body } = await pantry.list(query);
    paged.push(...body.results);
    if (body.nextPageToken === null) {
      assert.equal(pages, 4);
      break;
    }
    query = { pageToken: body.nextPageToken };
  }
  assert.deepEqual(paged, all.body.results);
  assert.equal(paged.length, 7);
});

test('backOffice.stock.list 400: what is no filter is named', async () => {
  const pantry = await openPantry(testDatabase.database);
  await pantry.item('One');
  await pantry.item('Two');
  const { body } = await pantry.list({ pageSize: '1' });
  for (const [query, told] of [
    [{ status: 'SOLD' }, /^status must be one or more of/],
    [{ status: 'IN_STOCK,' }, /^status must be one or more of/],
    [{ name: '' }, /^name must have/],
    [{ name: 'x'.repeat(101) }, /^name has 101 characters/],
    [{ name: 'a\0' }, /^name must be a text/],
    [{ name: '\ud800' }, /^name must be a text/],
    [{ pageSize: '0' }, /^pageSize must be/],
    [{ pageToken: 'x' }, /^pageToken is not one/],
    [{ pageToken: body.nextPageToken, status: 'QUANTITY' }, /^status is not what the pageToken/],
  ] as const) {
    const answer = await pantry.list(query);
    assert.equal(answer.status, 400, JSON.stringify(query));
    assert.match(answer.body.message, told);
  }
});
