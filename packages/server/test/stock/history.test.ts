import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StockChange } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Person } from '../../src/http/operation.ts';
import { forgetStockHistory } from '../../src/stock/forget.ts';
import { listAllStock, updateAllStock } from '../../src/stock/write-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';
import { insertStockClient, insertStockPerson } from './fixture-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const IN_STOCK = { status: 'IN_STOCK', quantity: null, until: null };
const OUT = { status: 'OUT_OF_STOCK', quantity: null, until: null };

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const clientOf = ({ partner }: StockFixture) => (partner.type === 'PERSON' ? '' : partner.clientId);

test('backOffice.stock.history 200: every change, with who made it and how', async () => {
  const { database } = testDatabase;
  const fixture = await openStockFixture(database);
  const guid = await fixture.item('Soup');
  await insertStockClient(database.sql, clientOf(fixture), 'Delivery bridge');
  const personGuid = await insertStockPerson(database.sql, 'Ana Lima');
  const ana: Person = {
    ...{ type: 'PERSON', personGuid, name: 'Ana Lima', email: 'ana@example.com' },
    ...{ sessionGuid: newGuid(), grants: [] },
  };
  await fixture.partnerUpdate([{ guid, status: 'QUANTITY', quantity: 2.5 }]);
  fixture.clock.advance(MINUTE_MS);
  await fixture.put(guid, 'OUT_OF_STOCK', { until: '2026-03-01T13:00:00.000Z' }, ana);
  fixture.clock.advance(59 * MINUTE_MS);
  await fixture.restore();
  const [restored, set, update, ...more] = await fixture.changes();
  assert.ok(restored && set && update);
  assert.deepEqual(more, []);
  const few = { status: 'QUANTITY', quantity: 2.5, until: null };
  const until = '2026-03-01T13:00:00.000Z';
  const { guid: _, requestId, ...told } = update;
  assert.ok(requestId);
  assert.deepEqual(told, {
    ...{ itemGuid: guid, itemName: 'Soup', version: 1, cause: 'SET' },
    ...{ before: IN_STOCK, after: few, at: '2026-03-01T12:00:00.000Z' },
    ...{ by: clientOf(fixture), byName: 'Delivery bridge', undoes: null, undoneBy: null },
  });
  assert.deepEqual([set.by, set.byName], [`person:${personGuid}`, 'Ana Lima']);
  assert.deepEqual([set.version, set.before, set.after], [2, few, { ...OUT, until }]);
  assert.notEqual(set.requestId, update.requestId);
  assert.deepEqual(
    [restored.cause, restored.by, restored.byName, restored.requestId, restored.at],
    ['RESTORED', 'system:clock', null, null, until],
  );
  assert.deepEqual([restored.version, restored.before, restored.after], [3, set.after, IN_STOCK]);
});

test('backOffice.stock.history 200: what changes nothing is no change', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'IN_STOCK');
  await fixture.partnerUpdate([{ guid, status: 'IN_STOCK' }]);
  await fixture.put(guid, 'QUANTITY', { quantity: 2 });
  await fixture.put(guid, 'QUANTITY', { quantity: 2 });
  await fixture.partnerUpdate([{ guid, status: 'QUANTITY', quantity: 2.0 }]);
  await fixture.put(guid, 'OUT_OF_STOCK');
  await fixture.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  await fixture.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  assert.deepEqual(
    (await fixture.changes()).map(({ version }) => version),
    [3, 2, 1],
  );
});

test('backOffice.stock.history 200: filters by item, by who, from and to', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const [soup, bread] = [await fixture.item('Soup'), await fixture.item('Bread')];
  await fixture.put(soup, 'OUT_OF_STOCK');
  fixture.clock.advance(MINUTE_MS);
  await fixture.partnerUpdate([{ guid: soup, status: 'IN_STOCK' }]);
  await fixture.put(bread, 'OUT_OF_STOCK');
  const shown = async (query: Record<string, string>) =>
    (await fixture.changes(query)).map(({ itemName, version }) => `${itemName} ${version}`);
  assert.deepEqual(await shown({ item: soup.toUpperCase() }), ['Soup 2', 'Soup 1']);
  assert.deepEqual(await shown({ by: clientOf(fixture) }), ['Soup 2']);
  assert.deepEqual(await shown({ item: bread, by: clientOf(fixture) }), []);
  const second = '2026-03-01T12:01:00.000Z';
  assert.deepEqual(await shown({ from: second }), ['Bread 1', 'Soup 2']);
  assert.deepEqual(await shown({ to: '2026-03-01T13:01:00.000+01:00' }), ['Soup 1']);
  assert.deepEqual(await shown({ from: second, to: second }), []);
  const elsewhere = await openStockFixture(testDatabase.database);
  const foreign = await elsewhere.item('Elsewhere');
  await elsewhere.put(foreign, 'OUT_OF_STOCK');
  assert.deepEqual(await shown({ item: foreign }), []);
  assert.deepEqual(await shown({}), ['Bread 1', 'Soup 2', 'Soup 1']);
});

test('backOffice.stock.history 200: pages hold every change once, of one instant too', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guids = [
    await fixture.item('Soup'),
    await fixture.item('Bread'),
    await fixture.item('Pie'),
  ];
  const all = (status: string) => fixture.set(guids.map((guid) => ({ guid, status })));
  await all('OUT_OF_STOCK');
  await all('IN_STOCK');
  fixture.clock.advance(MINUTE_MS);
  await all('OUT_OF_STOCK');
  const whole = await fixture.changes();
  assert.equal(whole.length, 9);
  const paged: StockChange[] = [];
  let query: Record<string, string> = { pageSize: '2' };
  for (;;) {
    const { body } = await fixture.history(query);
    paged.push(...body.results);
    if (body.nextPageToken === null) break;
    query = { pageToken: body.nextPageToken };
  }
  assert.deepEqual(paged, whole);
});

test('backOffice.stock.history 400: what is no filter is named', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  for (const [name, value] of [
    ['item', 'soup'],
    ['by', ''],
    ['by', 'x'.repeat(201)],
    ['from', 'yesterday'],
    ['to', '2026-02-30T00:00:00Z'],
    ['pageSize', '201'],
    ['pageToken', 'AbCd'],
  ] as const) {
    const { status, body } = await fixture.history({ [name]: value });
    assert.equal(status, 400, name);
    assert.ok(body.message.startsWith(name), body.message);
  }
});

test('stock history: an import is told, and leaves alone what is as it says', async () => {
  const { sql } = testDatabase.database;
  const fixture = await openStockFixture(testDatabase.database);
  const [soup, bread] = [await fixture.item('Soup'), await fixture.item('Bread')];
  const { guid } = fixture.restaurant;
  const load = async (...stock: Parameters<typeof updateAllStock>[2]) =>
    updateAllStock(sql, guid, stock, new Date(fixture.clock.nowMs()));
  const out = (itemGuid: string) => ({ itemGuid, status: 'OUT_OF_STOCK', quantity: null }) as const;
  await fixture.put(soup, 'OUT_OF_STOCK', { until: 'closeOut' });
  await load(out(soup), { itemGuid: bread, status: 'QUANTITY', quantity: '2.5' });
  assert.equal(await fixture.state(soup), 'OUT_OF_STOCK 2026-03-02T10:00:00.000Z');
  await load({ itemGuid: bread, status: 'QUANTITY', quantity: '2.50' });
  assert.deepEqual(
    [...(await listAllStock(sql, guid))],
    [{ itemGuid: bread, status: 'QUANTITY', quantity: '2.5' }],
  );
  assert.deepEqual(
    (await fixture.changes())
      .map(({ itemName, cause, by }) => `${itemName} ${cause} ${by}`)
      .slice(0, 2),
    ['Soup IMPORT system:import', 'Bread IMPORT system:import'],
  );
});

test('stock history: what is older than the set time is forgotten, never early', async () => {
  const { database } = testDatabase;
  const fixture = await openStockFixture(database, { now: '2001-01-01T00:00:00.000Z' });
  const guid = await fixture.item('Soup');
  const atMs = fixture.clock.nowMs();
  const old = await fixture.put(guid, 'OUT_OF_STOCK');
  fixture.clock.advance(1);
  const newer = await fixture.put(guid, 'IN_STOCK');
  const left = async () => (await fixture.changes()).map((change) => change.guid);
  await forgetStockHistory(database, atMs + 400 * DAY_MS - 1, 400);
  assert.deepEqual(await left(), [newer.lastChange?.guid, old.lastChange?.guid]);
  await forgetStockHistory(database, atMs + 400 * DAY_MS, 400);
  assert.deepEqual(await left(), [newer.lastChange?.guid]);
  assert.equal((await fixture.undo(String(old.lastChange?.guid))).status, 404);
  await forgetStockHistory(database, atMs + 401 * DAY_MS, 400);
  assert.deepEqual(await left(), []);
  assert.equal((await fixture.put(guid, 'OUT_OF_STOCK')).lastChange?.cause, 'SET');
});

test('stock history: more than a batch is forgotten at once, by several who share it', async () => {
  const { database } = testDatabase;
  const fixture = await openStockFixture(database, { now: '2002-01-01T00:00:00.000Z' });
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'OUT_OF_STOCK');
  await database.sql`
    insert into stock_change select (jsonb_populate_record(c, jsonb_build_object(
      'guid', gen_random_uuid(), 'version', n))).*
    from stock_change c, generate_series(2, 6000) as n where item_guid = ${guid}`;
  const nowMs = fixture.clock.nowMs() + 400 * DAY_MS;
  await Promise.all([1, 2, 3].map(() => forgetStockHistory(database, nowMs, 400)));
  assert.deepEqual(await fixture.changes(), []);
});
