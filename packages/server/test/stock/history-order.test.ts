import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StockChange } from '@servery/contract';
import fc from 'fast-check';
import { updateAllStock } from '../../src/stock/write-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const ITEMS = 2;
const MINUTE_MS = 60_000;

/** One change in one way; the clock it was read from is so far from that of the others. */
const change = fc.record({
  way: fc.constantFrom('partner', 'set', 'setUntil', 'undo', 'import', 'restore'),
  item: fc.integer({ min: 0, max: ITEMS - 1 }),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  offMs: fc.constantFrom(-2_000, -3, -1, 0, 0, 1, 3, 2_000),
});
type Change = typeof change extends fc.Arbitrary<infer Each> ? Each : never;

/** Each batch is sent at once. */
const histories = fc.array(fc.array(change, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
});

/** Begins a change at its own instant, as a request that then waits for others. */
function begin(fixture: StockFixture, guids: readonly string[], each: Change): Promise<unknown> {
  const { way, quantity, offMs } = each;
  const guid = guids[each.item] ?? '';
  fixture.clock.advance(offMs);
  const now = new Date(fixture.clock.nowMs());
  const begun = (): Promise<unknown> => {
    switch (way) {
      case 'partner':
        return fixture.partnerUpdate([{ guid, status: 'QUANTITY', quantity }]);
      case 'set':
        return fixture.set([{ guid, status: 'QUANTITY', quantity }]);
      case 'setUntil': {
        const until = new Date(now.getTime() + MINUTE_MS / 2).toISOString();
        return fixture.set([{ guid, status: 'OUT_OF_STOCK', until }]);
      }
      case 'undo':
        return fixture.changes({ item: guid, pageSize: '1' }).then(async ([newest]) => {
          if (newest) await fixture.undo(newest.guid);
        });
      case 'import':
        return load(fixture, { itemGuid: guid, quantity: String(quantity) }, now);
      case 'restore':
        return fixture.restore();
    }
  };
  const running = begun();
  fixture.clock.advance(-offMs);
  return running;
}

/** Imports hold the restaurant, like every change of its stock. */
async function load(
  fixture: StockFixture,
  stock: { itemGuid: string; quantity: string },
  now: Date,
) {
  const { guid } = fixture.restaurant;
  await testDatabase.database.transaction(async (sql) => {
    await sql`select from restaurant where guid = ${guid} for no key update`;
    await updateAllStock(sql, guid, [{ ...stock, status: 'QUANTITY' }], now);
  });
}

async function pagesOf(
  fixture: StockFixture,
  query: Record<string, string>,
  between: () => Promise<unknown> = async () => {},
): Promise<StockChange[]> {
  const all: StockChange[] = [];
  for (let next = query; ; ) {
    const { body } = await fixture.history(next);
    all.push(...body.results);
    if (body.nextPageToken === null) return all;
    await between();
    next = { pageToken: body.nextPageToken };
  }
}

/** Of each item the newest change stands first, and time never goes back. */
function assertInOrder(changes: readonly StockChange[]): void {
  for (const [item, own] of Map.groupBy(changes, ({ itemGuid }) => itemGuid)) {
    const versions = own.map(({ version }) => version);
    const expected = versions.map((_, index) => versions.length - index);
    assert.deepEqual(versions, expected, `item ${item}`);
    const times = own.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().reverse(), `item ${item}`);
    own.slice(1).forEach((older, index) => {
      assert.deepEqual(own[index]?.before, older.after, 'each change begins where one ended');
    });
  }
}

test('backOffice.stock.history 200 property: it is in the order of the changes', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 1, max: 5 }), async (batches, pageSize) => {
      const fixture = await openStockFixture(testDatabase.database);
      const guids = await Promise.all(
        Array.from({ length: ITEMS }, (_, index) => fixture.item(`Item ${index}`)),
      );
      for (const batch of batches) {
        await Promise.all(batch.map((each) => begin(fixture, guids, each)));
        fixture.clock.advance(MINUTE_MS);
      }
      const whole = await fixture.changes({ pageSize: '200' });
      assertInOrder(whole);
      for (const item of guids) assertInOrder(await fixture.changes({ item, pageSize: '200' }));
      const size = { pageSize: String(pageSize) };
      assert.deepEqual(await pagesOf(fixture, size), whole);
      // What is changed meanwhile is on no page that follows, and takes nothing off them.
      let quantity = 2_000;
      const paged = await pagesOf(fixture, size, () => {
        quantity += 1;
        return fixture.partnerUpdate([{ guid: guids[0], status: 'QUANTITY', quantity }]);
      });
      assert.deepEqual(idsOf(paged), idsOf(whole));
    }),
    { numRuns: 6 },
  );
});

/** A change that is undone meanwhile says so. */
const idsOf = (changes: readonly StockChange[]) => changes.map(({ guid }) => guid);

test('backOffice.stock.history 200: changes of one item at once keep their order', async () => {
  const fixture = await openStockFixture(testDatabase.database);
  const guid = await fixture.item('Soup');
  const changes = Array.from({ length: 40 }, (_, quantity) => {
    // Each request comes a little later than the last, or a little earlier: clocks are not one.
    fixture.clock.advance(quantity % 3 === 0 ? -2 : 1);
    const body = { guid, status: 'QUANTITY', quantity: quantity + 1 };
    return quantity % 2 === 0 ? fixture.partnerUpdate([body]) : fixture.set([body]);
  });
  for (const { status } of await Promise.all(changes)) assert.equal(status, 200);
  const history = await fixture.changes({ item: guid, pageSize: '200' });
  assert.equal(history.length, 40);
  assertInOrder(history);
  assertInOrder(await pagesOf(fixture, { pageSize: '7' }));
});
