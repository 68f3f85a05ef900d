import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RanOutItem } from '@servery/contract';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

const HOUR_MS = 3_600_000;

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const shown = (items: readonly RanOutItem[]) =>
  items.map(({ itemName, at, isStillOut }) => `${itemName} ${at.slice(5, 16)} ${isStillOut}`);

/** Lets an item run out at an instant. */
async function runOut(fixture: StockFixture, guid: string, at: string): Promise<void> {
  fixture.clock.advance(Date.parse(at) - fixture.clock.nowMs());
  await fixture.put(guid, 'OUT_OF_STOCK');
}

test('backOffice.stock.ranOut 200: what ran out today, when, by whom', async () => {
  const fixture = await openStockFixture(testDatabase.database, {
    now: '2026-03-05T18:00:00.000Z',
  });
  const [soup, bread, pie] = [
    await fixture.item('Soup'),
    await fixture.item('Bread'),
    await fixture.item('Pie'),
  ];
  await fixture.put(soup, 'OUT_OF_STOCK', { until: 'closeOut' });
  fixture.clock.advance(HOUR_MS);
  await fixture.partnerUpdate([{ guid: bread, status: 'OUT_OF_STOCK' }]);
  await fixture.put(pie, 'QUANTITY', { quantity: 1 });
  fixture.clock.advance(HOUR_MS);
  const back = await fixture.put(bread, 'QUANTITY', { quantity: 5 });
  const { body } = await fixture.ranOut();
  const { results, ...day } = body;
  assert.deepEqual(day, {
    date: '2026-03-05',
    from: '2026-03-05T10:00:00.000Z',
    to: '2026-03-06T10:00:00.000Z',
    nextPageToken: null,
  });
  assert.deepEqual(shown(results), ['Bread 03-05T19:00 false', 'Soup 03-05T18:00 true']);
  const [first, second] = results;
  const partner = fixture.partner.type === 'PERSON' ? '' : fixture.partner.clientId;
  assert.deepEqual([first.by, first.backAt, first.until], [partner, back.lastChange?.at, null]);
  assert.deepEqual([second.backAt, second.until], [null, '2026-03-06T10:00:00.000Z']);
  const [change] = await fixture.changes({ item: soup });
  assert.deepEqual([second.itemGuid, second.changeGuid], [soup, change?.guid]);
});

test('backOffice.stock.ranOut 200: the day is that of business, overnight too', async () => {
  const fixture = await openStockFixture(testDatabase.database, {
    now: '2026-03-05T09:59:59.999Z',
  });
  const items = await Promise.all(['A', 'B', 'C', 'D'].map((name) => fixture.item(name)));
  const [a = '', b = '', c = '', d = ''] = items;
  await runOut(fixture, a, '2026-03-05T09:59:59.999Z');
  await runOut(fixture, b, '2026-03-05T10:00:00.000Z');
  await runOut(fixture, c, '2026-03-06T09:59:59.999Z');
  assert.deepEqual(shown(await fixture.ranOutItems()), [
    'C 03-06T09:59 true',
    'B 03-05T10:00 true',
  ]);
  await runOut(fixture, d, '2026-03-06T10:00:00.000Z');
  assert.deepEqual(shown(await fixture.ranOutItems()), ['D 03-06T10:00 true']);
  const of = async (date: string) => shown(await fixture.ranOutItems({ date }));
  assert.deepEqual(await of('2026-03-05'), ['C 03-06T09:59 true', 'B 03-05T10:00 true']);
  assert.deepEqual(await of('2026-03-04'), ['A 03-05T09:59 true']);
  assert.deepEqual(await of('2026-03-07'), []);
});

test('backOffice.stock.ranOut 200: days of 23 and 25 hours hold what ran out in them', async () => {
  const spring = await openStockFixture(testDatabase.database, { now: '2026-03-08T08:59:59.999Z' });
  const soup = await spring.item('Soup');
  await runOut(spring, soup, '2026-03-08T08:59:59.999Z');
  assert.equal((await spring.ranOut()).body.to, '2026-03-08T09:00:00.000Z');
  spring.clock.advance(1);
  assert.deepEqual(await spring.ranOutItems(), []);
  const autumn = await openStockFixture(testDatabase.database, { now: '2026-11-01T09:59:59.999Z' });
  const pie = await autumn.item('Pie');
  await runOut(autumn, pie, '2026-11-01T09:59:59.999Z');
  const { body } = await autumn.ranOut();
  assert.deepEqual([body.date, body.to], ['2026-10-31', '2026-11-01T10:00:00.000Z']);
  assert.equal(body.results.length, 1);
});

test('backOffice.stock.ranOut 200: a change that was undone did not happen', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  const { lastChange } = await fixture.put(guid, 'OUT_OF_STOCK');
  const undo = await fixture.undo(String(lastChange?.guid));
  assert.deepEqual(await fixture.ranOutItems(), []);
  fixture.clock.advance(HOUR_MS);
  await fixture.undo(undo.body.lastChange.guid);
  assert.deepEqual(shown(await fixture.ranOutItems()), ['Soup 03-01T13:00 true']);
});

test('backOffice.stock.ranOut 200: each item is listed once, with the last time it ran out', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  await fixture.put(guid, 'OUT_OF_STOCK');
  fixture.clock.advance(HOUR_MS);
  await fixture.put(guid, 'IN_STOCK');
  fixture.clock.advance(HOUR_MS);
  await fixture.put(guid, 'OUT_OF_STOCK');
  await fixture.put(guid, 'OUT_OF_STOCK', { until: 'closeOut' });
  const [item, ...more] = await fixture.ranOutItems();
  assert.deepEqual(more, []);
  assert.deepEqual([item?.at, item?.backAt], ['2026-03-01T14:00:00.000Z', null]);
  assert.equal(item?.until, '2026-03-02T10:00:00.000Z');
});

test('backOffice.stock.ranOut 200: pages are of the day that was asked for first', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const names = ['A', 'B', 'C', 'D', 'E'];
  const guids = await Promise.all(names.map((name) => fixture.item(name)));
  await fixture.set(guids.map((guid) => ({ guid, status: 'OUT_OF_STOCK' })));
  const whole = await fixture.ranOutItems();
  const { body } = await fixture.ranOut({ pageSize: '2' });
  fixture.clock.advance(48 * HOUR_MS);
  assert.deepEqual(await fixture.ranOutItems(), []);
  const paged = [...body.results];
  for (let pageToken = body.nextPageToken; pageToken !== null; ) {
    const next = (await fixture.ranOut({ pageToken })).body;
    assert.equal(next.date, body.date);
    paged.push(...next.results);
    pageToken = next.nextPageToken;
  }
  assert.deepEqual(paged, whole);
  assert.equal(paged.length, 5);
  const other = await fixture.ranOut({ pageToken: body.nextPageToken, date: '2026-03-02' });
  assert.equal(other.status, 400);
});

test('backOffice.stock.ranOut 400: what is no date is told', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  for (const date of ['today', '2026-02-30', '2026-1-1', '20260101', '', '0000-01-01']) {
    const { status, body } = await fixture.ranOut({ date });
    assert.equal(status, 400, date);
    assert.match(body.message, /^date must be a date/);
  }
});
