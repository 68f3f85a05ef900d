import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

const ITEMS = 4;

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** A change as the generator draws it: the item by number, `ITEMS` and above do not exist. */
interface DrawnChange {
  readonly item: number;
  readonly by: 'guid' | 'multiLocationId' | 'both';
  readonly status: 'IN_STOCK' | 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity: number | null;
}

const statuses = fc.constantFrom('IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK');
const quantities = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 100_000 }).map((value) => value / 10_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 0.00001, null) },
);
const changes = fc.record({
  item: fc.nat({ max: ITEMS }),
  by: fc.constantFrom('guid', 'multiLocationId', 'both'),
  status: statuses,
  quantity: quantities,
}) as fc.Arbitrary<DrawnChange>;
// Faulty lists change nothing, so that most are drawn sound.
const soundChanges = changes.map((change): DrawnChange => {
  const quantity = change.status === 'QUANTITY' ? Math.max(change.quantity ?? 1, 0.5) : null;
  return { ...change, quantity };
});
const lists = fc.oneof(
  { weight: 4, arbitrary: fc.array(soundChanges, { maxLength: 8 }) },
  { weight: 1, arbitrary: fc.array(changes, { minLength: 1, maxLength: 4 }) },
);

/** The model: what the wire must say, in a dozen lines without SQL. */
class Model {
  readonly stock = new Map<number, [string, number | null]>();

  apply(list: readonly DrawnChange[]): boolean {
    const isSound = list.every(({ status, quantity }) =>
      status === 'QUANTITY' ? quantity !== null && quantity > 0.00001 : quantity === null,
    );
    if (!isSound) return false;
    for (const { item, status, quantity } of list) {
      if (item < ITEMS) this.stock.set(item, [status, quantity]);
    }
    return true;
  }

  at(item: number): [string, number | null] {
    return item < ITEMS ? (this.stock.get(item) ?? ['IN_STOCK', null]) : ['OUT_OF_STOCK', null];
  }
}

test('stock property STK-1–STK-7: any run of updates agrees with a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lists, { maxLength: 6 }), async (run) => {
      const fixture = await openStockFixture(testDatabase.database);
      const guids = await Promise.all(
        Array.from({ length: ITEMS }, (_, item) =>
          fixture.item('Soup', {}, { multiLocationId: `item ${item}` }),
        ),
      );
      guids.push(newGuid());
      const model = new Model();
      for (const list of run) await checkUpdate(fixture, guids, model, list);
      await checkReads(fixture, guids, model);
    }),
    { numRuns: 20 },
  );
});

async function checkUpdate(
  fixture: StockFixture,
  guids: readonly string[],
  model: Model,
  list: readonly DrawnChange[],
): Promise<void> {
  const answer = await fixture.partnerUpdate(
    list.map(({ item, by, status, quantity }) => ({
      ...(by !== 'multiLocationId' && { guid: guids[item] }),
      ...(by !== 'guid' && { multiLocationId: `item ${item}` }),
      status,
      quantity,
    })),
  );
  assert.equal(answer.status, model.apply(list) ? 200 : 400);
  if (answer.status === 400) return;
  assert.deepEqual(
    answer.body.map((element: Record<string, unknown>) => [element.status, element.quantity]),
    list.map(({ item }) => model.at(item)),
  );
}

async function checkReads(
  fixture: StockFixture,
  guids: readonly string[],
  model: Model,
): Promise<void> {
  const { body } = await fixture.partnerSearch({ guids });
  assert.deepEqual(
    body.map((element: Record<string, unknown>) => [element.status, element.quantity]),
    guids.map((_, item) => model.at(item)),
  );
  const expected = guids
    .map((guid, item) => [guid, ...model.at(item)] as const)
    .filter(([, status], item) => item < ITEMS && status !== 'IN_STOCK')
    .map(
      ([guid, status, quantity]) => `${guid} ${status}${quantity === null ? '' : ` ${quantity}`}`,
    );
  assert.deepEqual(await fixture.partnerListed(), expected.toSorted());
}
