import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deriveMultiLocationId } from '../../src/configuration/document/identity.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

async function namesOf(fixture: StockFixture, query?: Record<string, string>): Promise<string[]> {
  const { status, body } = await fixture.list(query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.results.map(({ name }: { name: string }) => name);
}

const identity = (guid: string) => ({ guid, multiLocationId: deriveMultiLocationId(guid) });

test('backOffice.stock.list 200: every published item with its stock, by name', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const soup = await fixture.item('soup', { sku: 'SOUP-01' });
  const apple = await fixture.item('Apple');
  const pie = await fixture.item('Pie');
  await fixture.archive(await fixture.item('Old'));
  await (await openStockFixture(testDatabase.database)).item('Elsewhere');
  await fixture.put(soup, 'QUANTITY', { quantity: 2.5 });
  await fixture.put(pie, 'OUT_OF_STOCK', { until: 'closeOut' });
  const { body } = await fixture.list();
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
  const fixture = await openStockFixture(testDatabase.database);
  const [out, few] = [await fixture.item('Crème brûlée'), await fixture.item('Ice cream')];
  await fixture.item('Cream cake');
  await fixture.item('100% juice');
  await fixture.put(out, 'OUT_OF_STOCK');
  await fixture.put(few, 'QUANTITY', { quantity: 1 });
  assert.deepEqual(await namesOf(fixture, { status: 'OUT_OF_STOCK' }), ['Crème brûlée']);
  assert.deepEqual(await namesOf(fixture, { status: 'QUANTITY,OUT_OF_STOCK' }), [
    'Crème brûlée',
    'Ice cream',
  ]);
  assert.deepEqual(await namesOf(fixture, { status: 'IN_STOCK' }), ['100% juice', 'Cream cake']);
  assert.deepEqual(await namesOf(fixture, { name: 'CREAM' }), ['Cream cake', 'Ice cream']);
  assert.deepEqual(await namesOf(fixture, { name: 'BRÛLÉE' }), ['Crème brûlée']);
  assert.deepEqual(await namesOf(fixture, { name: '%' }), ['100% juice'], 'no pattern');
  assert.deepEqual(await namesOf(fixture, { name: 'cream', status: 'QUANTITY' }), ['Ice cream']);
  assert.deepEqual(await namesOf(fixture, { name: 'nothing' }), []);
});

test('backOffice.stock.list 200: pages hold every item once, names alike included', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const long = 'x'.repeat(150);
  for (const name of ['Cola', 'cola', 'COLA', `${long}2`, `${long}1`, 'Beer', 'beer']) {
    await fixture.item(name);
  }
  const all = await fixture.list();
  const paged: unknown[] = [];
  let query: Record<string, string> = { pageSize: '2' };
  for (let pages = 1; ; pages += 1) {
    const { body } = await fixture.list(query);
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
  const fixture = await openStockFixture(testDatabase.database);
  await fixture.item('One');
  await fixture.item('Two');
  const { body } = await fixture.list({ pageSize: '1' });
  for (const [query, told] of [
    [{ status: 'SOLD' }, /^status must be one or more of/],
    [{ status: 'IN_STOCK,' }, /^status must be one or more of/],
    [{ name: '' }, /^name must have/],
    [{ name: 'x'.repeat(101) }, /^name has 101 characters/],
    [{ name: 'a\0' }, /^name must be a text/],
    [{ name: '\ud800' }, /^name must be a text/],
    [{ pageSize: '0' }, /^pageSize must be/],
    [{ pageToken: 'x' }, /^pageToken does not come from/],
    [{ pageToken: body.nextPageToken, status: 'QUANTITY' }, /^status is not what the pageToken/],
  ] as const) {
    const answer = await fixture.list(query);
    assert.equal(answer.status, 400, JSON.stringify(query));
    assert.match(answer.body.message, told);
  }
});
