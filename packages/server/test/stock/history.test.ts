import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StockChange } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { Person } from '../../src/http/operation.ts';
import { forgetStockHistory } from '../../src/stock/forget.ts';
import { listAllStock, updateAllStock } from '../../src/stock/write-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { insertPantryClient, insertPantryPerson } from './fixture-store.ts';
import { openPantry, type Pantry } from './pantry.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const IN_STOCK = { status: 'IN_STOCK', quantity: null, until: null };
const OUT = { status: 'OUT_OF_STOCK', quantity: null, until: null };

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const clientOf = ({ partner }: Pantry) => (partner.type === 'PERSON' ? '' : partner.clientId);

test('backOffice.stock.history 200: changes of every door, with who and how', async () => {
  const { database } = testDatabase;
  const pantry = await openPantry(database);
  const guid = await pantry.item('Soup');
  await insertPantryClient(database.sql, clientOf(pantry), 'Delivery bridge');
  const personGuid = await insertPantryPerson(database.sql, 'Ana Lima');
  const ana: Person = {
    ...{ type: 'PERSON', personGuid, name: 'Ana Lima', email: 'ana@example.com' },
    ...{ sessionGuid: newGuid(), grants: [] },
  };
  await pantry.partnerSet([{ guid, status: 'QUANTITY', quantity: 2.5 }]);
  pantry.clock.advance(MINUTE_MS);
  await pantry.put(guid, 'OUT_OF_STOCK', { until: '2026-03-01T13:00:00.000Z' }, ana);
  pantry.clock.advance(59 * MINUTE_MS);
  await pantry.restore();
  const [restored, set, update, ...more] = await pantry.changes();
  assert.ok(restored && set && update);
  assert.deepEqual(more, []);
  const few = { status: 'QUANTITY', quantity: 2.5, until: null };
  const until = '2026-03-01T13:00:00.000Z';
  const { guid: _, requestId, ...told } = update;
  assert.ok(requestId);
  assert.deepEqual(told, {
    ...{ itemGuid: guid, itemName: 'Soup', version: 1, cause: 'SET' },
    ...{ before: IN_STOCK, after: few, at: '2026-03-01T12:00:00.000Z' },
    ...{ by: clientOf(pantry), byName: 'Delivery bridge', undoes: null, undoneBy: null },
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
  const pantry = await openPantry(testDatabase.database);
  const guid = await pantry.item('Soup');
  await pantry.put(guid, 'IN_STOCK');
  await pantry.partnerSet([{ guid, status: 'IN_STOCK' }]);
  await pantry.put(guid, 'QUANTITY', { quantity: 2 });
  await pantry.put(guid, 'QUANTITY', { quantity: 2 });
  await pantry.partnerSet([{ guid, status: 'QUANTITY', quantity: 2.0 }]);
  await pantry.put(guid, 'OUT_OF_STOCK');
  await pantry.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  await pantry.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  assert.deepEqual(
    (await pantry.changes()).map(({ version }) => version),
    [3, 2, 1],
  );
});

test('backOffice.stock.history 200: filters by item, by who, from and to', async () => {
  const pantry = await openPantry(testDatabase.database);
  const [soup, bread] = [await pantry.item('Soup'), await pantry.item('Bread')];
  await pantry.put(soup, 'OUT_OF_STOCK');
  pantry.clock.advance(MINUTE_MS);
  await pantry.partnerSet([{ guid: soup, status: 'IN_STOCK' }]);
  await pantry.put(bread, 'OUT_OF_STOCK');
  const shown = async (query: Record<string, string>) =>
    (await pantry.changes(query)).map(({ itemName, version }) => `${itemName} ${version}`);
  assert.deepEqual(await shown({ item: soup.toUpperCase() }), ['Soup 2', 'Soup 1']);
  assert.deepEqual(await shown({ by: clientOf(pantry) }), ['Soup 2']);
  assert.deepEqual(await shown({ item: bread, by: clientOf(pantry) }), []);
  const second = '2026-03-01T12:01:00.000Z';
  assert.deepEqual(await shown({ from: second }), ['Bread 1', 'Soup 2']);
  assert.deepEqual(await shown({ to: '2026-03-01T13:01:00.000+01:00' }), ['Soup 1']);
  assert.deepEqual(await shown({ from: second, to: second }), []);
  const elsewhere = await openPantry(testDatabase.database);
  const foreign = await elsewhere.item('Elsewhere');
  await elsewhere.put(foreign, 'OUT_OF_STOCK');
  assert.deepEqual(await shown({ item: foreign }), []);
  assert.deepEqual(await shown({}), ['Bread 1', 'Soup 2', 'Soup 1']);
});

test('backOffice.stock.history 200: pages hold every change once, of one instant too', async () => {
  const pantry = await openPantry(testDatabase.database);
  const guids = [await pantry.item('Soup'), await pantry.item('Bread'), await pantry.item('Pie')];
  const all = (status: string) => pantry.set(guids.map((guid) => ({ guid, status })));
  await all('OUT_OF_STOCK');
  await all('IN_STOCK');
  pantry.clock.advance(MINUTE_MS);
  await all('OUT_OF_STOCK');
  const whole = await pantry.changes();
  assert.equal(whole.length, 9);
  const paged: StockChange[] = [];
  let query: Record<string, string> = { pageSize: '2' };
  for (;;) {
    const { body } = await pantry.history(query);
    paged.push(...body.results);
    if (body.nextPageToken === null) break;
    query = { pageToken: body.nextPageToken };
  }
  assert.deepEqual(paged, whole);
});

test('backOffice.stock.history 400: what is no filter is named', async () => {
  const pantry = await openPantry(testDatabase.database);
  for (const [name, value] of [
    ['item', 'soup'],
    ['by', ''],
    ['by', 'x'.repeat(201)],
    ['from', 'yesterday'],
    ['to', '2026-02-30T00:00:00Z'],
    ['pageSize', '201'],
    ['pageToken', 'AbCd'],
  ] as const) {
    const { status, body } = await pantry.history({ [name]: value });
    assert.equal(status, 400, name);
    assert.ok(body.message.startsWith(name), body.message);
  }
});

test('stock history: an import is told, and leaves alone what is as it says', async () => {
  const { sql } = testDatabase.database;
  const pantry = await openPantry(testDatabase.database);
  const [soup, bread] = [await pantry.item('Soup'), await pantry.item('Bread')];
  const { guid } = pantry.restaurant;
  const load = async (...stock: Parameters<typeof updateAllStock>[2]) =>
    updateAllStock(sql, guid, stock, new Date(pantry.clock.nowMs()));
  const out = (itemGuid: string) => ({ itemGuid, status: 'OUT_OF_STOCK', quantity: null }) as const;
  await pantry.put(soup, 'OUT_OF_STOCK', { until: 'closeOut' });
  await load(out(soup), { itemGuid: bread, status: 'QUANTITY', quantity: '2.5' });
  assert.equal(await pantry.state(soup), 'OUT_OF_STOCK 2026-03-02T10:00:00.000Z');
  await load({ itemGuid: bread, status: 'QUANTITY', quantity: '2.50' });
  assert.deepEqual(
    [...(await listAllStock(sql, guid))],
    [{ itemGuid: bread, status: 'QUANTITY', quantity: '2.5' }],
  );
  assert.deepEqual(
    (await pantry.changes())
      .map(({ itemName, cause, by }) => `${itemName} ${cause} ${by}`)
      .slice(0, 2),
    ['Soup IMPORT system:import', 'Bread IMPORT system:import'],
  );
});

test('stock history: what is older than the set time is forgotten, never early', async () => {
  const { database } = testDatabase;
  const pantry = await openPantry(database, { now: '2001-01-01T00:00:00.000Z' });
  const guid = await pantry.item('Soup');
  const atMs = pantry.clock.nowMs();
  const old = await pantry.put(guid, 'OUT_OF_STOCK');
  pantry.clock.advance(1);
  const newer = await pantry.put(guid, 'IN_STOCK');
  const left = async () => (await pantry.changes()).map((change) => change.guid);
  await forgetStockHistory(database, atMs + 400 * DAY_MS - 1, 400);
  assert.deepEqual(await left(), [newer.lastChange?.guid, old.lastChange?.guid]);
  await forgetStockHistory(database, atMs + 400 * DAY_MS, 400);
  assert.deepEqual(await left(), [newer.lastChange?.guid]);
  assert.equal((await pantry.undo(String(old.lastChange?.guid))).status, 404);
  await forgetStockHistory(database, atMs + 401 * DAY_MS, 400);
  assert.deepEqual(await left(), []);
  assert.equal((await pantry.put(guid, 'OUT_OF_STOCK')).lastChange?.cause, 'SET');
});

test('stock history: more than a batch is forgotten at once, by several who share it', async () => {
  const { database } = testDatabase;
  const pantry = await openPantry(database, { now: '2002-01-01T00:00:00.000Z' });
  const guid = await pantry.item('Soup');
  await pantry.put(guid, 'OUT_OF_STOCK');
  await database.sql`
    insert into stock_change select (jsonb_populate_record(c, jsonb_build_object(
      'guid', gen_random_uuid(), 'version', n))).*
    from stock_change c, generate_series(2, 12000) as n where item_guid = ${guid}`;
  const nowMs = pantry.clock.nowMs() + 400 * DAY_MS;
  await Promise.all([1, 2, 3].map(() => forgetStockHistory(database, nowMs, 400)));
  assert.deepEqual(await pantry.changes(), []);
});
