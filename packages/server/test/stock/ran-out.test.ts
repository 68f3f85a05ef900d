import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RanOutItem } from '@servery/contract';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openPantry, type Pantry } from './pantry.ts';

const HOUR_MS = 3_600_000;

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const shown = (items: readonly RanOutItem[]) =>
  items.map(({ itemName, at, isStillOut }) => `${itemName} ${at.slice(5, 16)} ${isStillOut}`);

/** Lets an item run out at an instant. */
async function runOut(pantry: Pantry, guid: string, at: string): Promise<void> {
  pantry.clock.advance(Date.parse(at) - pantry.clock.nowMs());
  await pantry.put(guid, 'OUT_OF_STOCK');
}

test('backOffice.stock.ranOut 200: what ran out today, when, by whom', async () => {
  const pantry = await openPantry(testDatabase.database, { now: '2026-03-05T18:00:00.000Z' });
  const [soup, bread, pie] = [
    await pantry.item('Soup'),
    await pantry.item('Bread'),
    await pantry.item('Pie'),
  ];
  await pantry.put(soup, 'OUT_OF_STOCK', { until: 'closeOut' });
  pantry.clock.advance(HOUR_MS);
  await pantry.partnerSet([{ guid: bread, status: 'OUT_OF_STOCK' }]);
  await pantry.put(pie, 'QUANTITY', { quantity: 1 });
  pantry.clock.advance(HOUR_MS);
  const back = await pantry.put(bread, 'QUANTITY', { quantity: 5 });
  const { body } = await pantry.ranOut();
  const { results, ...day } = body;
  assert.deepEqual(day, {
    date: '2026-03-05',
    from: '2026-03-05T10:00:00.000Z',
    to: '2026-03-06T10:00:00.000Z',
    nextPageToken: null,
  });
  assert.deepEqual(shown(results), ['Bread 03-05T19:00 false', 'Soup 03-05T18:00 true']);
  const [first, second] = results;
  const partner = pantry.partner.type === 'PERSON' ? '' : pantry.partner.clientId;
  assert.deepEqual([first.by, first.backAt, first.until], [partner, back.lastChange?.at, null]);
  assert.deepEqual([second.backAt, second.until], [null, '2026-03-06T10:00:00.000Z']);
  const [change] = await pantry.changes({ item: soup });
  assert.deepEqual([second.itemGuid, second.changeGuid], [soup, change?.guid]);
});

test('backOffice.stock.ranOut 200: the day is that of business, overnight too', async () => {
  const pantry = await openPantry(testDatabase.database, { now: '2026-03-05T09:59:59.999Z' });
  const items = await Promise.all(['A', 'B', 'C', 'D'].map((name) => pantry.item(name)));
  const [a = '', b = '', c = '', d = ''] = items;
  await runOut(pantry, a, '2026-03-05T09:59:59.999Z');
  await runOut(pantry, b, '2026-03-05T10:00:00.000Z');
  await runOut(pantry, c, '2026-03-06T09:59:59.999Z');
  assert.deepEqual(shown(await pantry.ranOutItems()), ['C 03-06T09:59 true', 'B 03-05T10:00 true']);
  await runOut(pantry, d, '2026-03-06T10:00:00.000Z');
  assert.deepEqual(shown(await pantry.ranOutItems()), ['D 03-06T10:00 true']);
  const of = async (date: string) => shown(await pantry.ranOutItems({ date }));
  assert.deepEqual(await of('2026-03-05'), ['C 03-06T09:59 true', 'B 03-05T10:00 true']);
  assert.deepEqual(await of('2026-03-04'), ['A 03-05T09:59 true']);
  assert.deepEqual(await of('2026-03-07'), []);
});

test('backOffice.stock.ranOut 200: days of 23 and 25 hours hold what ran out in them', async () => {
  const spring = await openPantry(testDatabase.database, { now: '2026-03-08T08:59:59.999Z' });
  const soup = await spring.item('Soup');
  await runOut(spring, soup, '2026-03-08T08:59:59.999Z');
  assert.equal((await spring.ranOut()).body.to, '2026-03-08T09:00:00.000Z');
  spring.clock.advance(1);
  assert.deepEqual(await spring.ranOutItems(), []);
  const autumn = await openPantry(testDatabase.database, { now: '2026-11-01T09:59:59.999Z' });
  const pie = await autumn.item('Pie');
  await runOut(autumn, pie, '2026-11-01T09:59:59.999Z');
  const { body } = await autumn.ranOut();
  assert.deepEqual([body.date, body.to], ['2026-10-31', '2026-11-01T10:00:00.000Z']);
  assert.equal(body.results.length, 1);
});

test('backOffice.stock.ranOut 200: a change that was undone did not happen', async () => {
  const pantry = await openPantry(testDatabase.database);
  const guid = await pantry.item('Soup');
  const { lastChange } = await pantry.put(guid, 'OUT_OF_STOCK');
  const undo = await pantry.undo(String(lastChange?.guid));
  assert.deepEqual(await pantry.ranOutItems(), []);
  pantry.clock.advance(HOUR_MS);
  await pantry.undo(undo.body.lastChange.guid);
  assert.deepEqual(shown(await pantry.ranOutItems()), ['Soup 03-01T13:00 true']);
});

test('backOffice.stock.ranOut 200: an item stands there once, with the last time', async () => {
  const pantry = await openPantry(testDatabase.database);
  const guid = await pantry.item('Soup');
  await pantry.put(guid, 'OUT_OF_STOCK');
  pantry.clock.advance(HOUR_MS);
  await pantry.put(guid, 'IN_STOCK');
  pantry.clock.advance(HOUR_MS);
  await pantry.put(guid, 'OUT_OF_STOCK');
  await pantry.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  const [item, ...more] = await pantry.ranOutItems();
  assert.deepEqual(more, []);
  assert.deepEqual([item?.at, item?.backAt], ['2026-03-01T14:00:00.000Z', null]);
  assert.equal(item?.until, '2026-03-02T10:00:00.000Z');
});

test('backOffice.stock.ranOut 200: pages are of the day that was asked for first', async () => {
  const pantry = await openPantry(testDatabase.database);
  const names = ['A', 'B', 'C', 'D', 'E'];
  const guids = await Promise.all(names.map((name) => pantry.item(name)));
  await pantry.set(guids.map((guid) => ({ guid, status: 'OUT_OF_STOCK' })));
  const whole = await pantry.ranOutItems();
  const { body } = await pantry.ranOut({ pageSize: '2' });
  pantry.clock.advance(48 * HOUR_MS);
  assert.deepEqual(await pantry.ranOutItems(), []);
  const paged = [...body.results];
  for (let pageToken = body.nextPageToken; pageToken !== null; ) {
    const next = (await pantry.ranOut({ pageToken })).body;
    assert.equal(next.date, body.date);
    paged.push(...next.results);
    pageToken = next.nextPageToken;
  }
  assert.deepEqual(paged, whole);
  assert.equal(paged.length, 5);
  const other = await pantry.ranOut({ pageToken: body.nextPageToken, date: '2026-03-02' });
  assert.equal(other.status, 400);
});

test('backOffice.stock.ranOut 400: what is no date is told', async () => {
  const pantry = await openPantry(testDatabase.database);
  for (const date of ['today', '2026-02-30', '2026-1-1', '20260101', '', '0000-01-01']) {
    const { status, body } = await pantry.ranOut({ date });
    assert.equal(status, 400, date);
    assert.match(body.message, /^date must be a date/);
  }
});
