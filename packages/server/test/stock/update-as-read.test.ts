import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newGuid } from '@servery/support/ids.ts';
import { connectDatabase, type Database, type Sql } from '../../src/database/database.ts';
import type { Freshness } from '../../src/freshness/freshness.ts';
import { listItemsToChange } from '../../src/stock/store.ts';
import { updateStockAsRead } from '../../src/stock/update-store.ts';
import { countWaiting, createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';
import { listLevelsAfter, listUntils } from './fixture-store.ts';
import { setOutOfStock } from './set-out-of-stock.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

type Run = (sql: Sql) => Promise<unknown>;

/** What stands between the reading of an update and its one statement, in place of that. */
type Between = (send: () => Promise<unknown>) => Promise<unknown>;

/** The stock of a process whose statements that bring their COMMIT along go through `between`. */
async function openWatched(between: Between): Promise<StockFixture & { readonly kinds: string[] }> {
  const { database } = testDatabase;
  const kinds: string[] = [];
  const transaction = async (run: Run, options = {}) => {
    const isOneTrip = 'isOneTrip' in options;
    kinds.push(isOneTrip ? 'one trip' : 'several');
    const send = () => database.transaction(run, options);
    return await (isOneTrip ? between(send) : send());
  };
  const watched = { ...database, transaction } as Database;
  return { ...(await openStockFixture(watched)), kinds };
}

const few = (guid: string, quantity: number) => ({ guid, status: 'QUANTITY', quantity });

test('stock.update 200: what nobody else changes is one statement, or none', async () => {
  const fixture = await openWatched((send) => send());
  const guid = await fixture.item('Soup');
  assert.equal((await fixture.partnerUpdate([few(guid, 3)])).body[0].quantity, 3);
  assert.deepEqual(fixture.kinds, ['one trip']);
  assert.equal((await fixture.partnerUpdate([few(guid, 3)])).body[0].quantity, 3);
  assert.deepEqual(fixture.kinds, ['one trip']);
  assert.deepEqual(await listLevelsAfter(testDatabase.database.sql, guid), ['QUANTITY 3']);
});

test('stock.update race: what changed since it was read is read anew', async () => {
  const { database } = testDatabase;
  const fixture = await openWatched(async (send) => {
    await database.transaction((sql) => setOutOfStock(sql, fixture.restaurant.guid, there));
    return await send();
  });
  const [there, less] = [await fixture.item('Soup'), await fixture.item('Soup')];
  const { status } = await fixture.partnerUpdate([
    { guid: there, status: 'IN_STOCK' },
    few(less, 3),
  ]);
  assert.equal(status, 200);
  assert.deepEqual(fixture.kinds, ['one trip', 'several']);
  // It was in stock when it was read, and had to be put back all the same.
  assert.deepEqual(await listLevelsAfter(database.sql, there), ['OUT_OF_STOCK', 'IN_STOCK']);
  assert.deepEqual(await fixture.partnerListed(), [`${less} QUANTITY 3`]);
});

test('stock.update race: who is at the stock is waited for, and then seen', async () => {
  const { database } = testDatabase;
  const fixture = await openWatched(async (send) => {
    const sent = await database.transaction(async (sql) => {
      await setOutOfStock(sql, fixture.restaurant.guid, there);
      let isAnswered = false;
      const answer = send().finally(() => {
        isAnswered = true;
      });
      while (!isAnswered && (await countWaiting(database.sql)) === 0);
      return { answer };
    });
    return await sent.answer;
  });
  const [there, less] = [await fixture.item('Soup'), await fixture.item('Soup')];
  const { status } = await fixture.partnerUpdate([
    { guid: there, status: 'IN_STOCK' },
    few(less, 3),
  ]);
  assert.equal(status, 200);
  assert.deepEqual(fixture.kinds, ['one trip', 'several']);
  assert.deepEqual(await listLevelsAfter(database.sql, there), ['OUT_OF_STOCK', 'IN_STOCK']);
  assert.deepEqual(await fixture.partnerListed(), [`${less} QUANTITY 3`]);
});

test('stock.update 200: a statement whose answer was lost is done only once', async () => {
  const lost: (() => Promise<unknown>)[] = [];
  const fixture = await openWatched(async (send) => {
    lost.push(send);
    throw new CommitUnknownError(new Error('connection lost'));
  });
  const guid = await fixture.item('Soup');
  assert.equal((await fixture.partnerUpdate([few(guid, 3)])).status, 200);
  assert.deepEqual(fixture.kinds, ['one trip', 'several']);
  await fixture.partnerUpdate([{ guid, status: 'IN_STOCK' }]);
  // What was on its way arrives at last.
  for (const send of lost) assert.deepEqual([...((await send()) as unknown[])], []);
  assert.deepEqual(await listLevelsAfter(testDatabase.database.sql, guid), [
    'QUANTITY 3',
    'IN_STOCK',
  ]);
});

test('stock.update 200 STK-6: what sends back what it read keeps an until, either way', async () => {
  const { database } = testDatabase;
  const until = new Date('2031-01-01T00:00:00.000Z');
  for (const kind of ['one trip', 'several']) {
    // Without an answered row, the stock counts as changed meanwhile.
    const fixture = await openWatched((send) =>
      kind === 'one trip' ? send() : Promise.resolve([]),
    );
    const [same, less] = [await fixture.item('Soup'), await fixture.item('Soup')];
    for (const guid of [same, less]) {
      await database.transaction((sql) => setOutOfStock(sql, fixture.restaurant.guid, guid, until));
    }
    await fixture.partnerUpdate([{ guid: same, status: 'OUT_OF_STOCK' }, few(less, 2)]);
    assert.equal(fixture.kinds.at(-1), kind);
    assert.deepEqual(await listUntils(database.sql, fixture.restaurant.guid), [until, null]);
  }
});

test('stock.list 200: after an update nothing older is listed, changed or not', async () => {
  const { database } = testDatabase;
  const { freshness } = database;
  const knowing: Omit<Freshness, 'serverStartedAt' | 'isReachedBy'> = {
    begin: () => freshness.begin(),
    isCurrent: (stamp) => freshness.isCurrent(stamp),
    isKnown: () => true,
    isOfCluster: () => freshness.isOfCluster(),
    confirm: (buckets) => freshness.confirm(buckets),
    doubt: (buckets) => freshness.doubt(buckets),
    changed: (buckets) => freshness.changed(buckets),
    committed: (buckets, revisions) => freshness.committed(buckets, revisions),
    wasAskedWithin: (durationMs) => freshness.wasAskedWithin(durationMs),
    look: (sql) => freshness.look(sql),
  };
  const own = { ...database, freshness: knowing as Freshness };
  const fixture = await openStockFixture(own);
  const [soup, bread] = [await fixture.item('Soup'), await fixture.item('Soup')];
  assert.deepEqual(await fixture.partnerListed(), []);
  await fixture.partnerUpdate([few(soup, 3)]);
  assert.deepEqual(await fixture.partnerListed(), [`${soup} QUANTITY 3`]);
  // Another process did it, of which this one knows nothing yet.
  const other = connectDatabase({ url: testDatabase.url, poolSize: 1 });
  await other.transaction((sql) => setOutOfStock(sql, fixture.restaurant.guid, bread));
  await other.close();
  assert.deepEqual(await fixture.partnerListed(), [`${soup} QUANTITY 3`]);
  await fixture.partnerUpdate([{ guid: bread, status: 'OUT_OF_STOCK' }]);
  const both = [`${bread} OUT_OF_STOCK`, `${soup} QUANTITY 3`];
  assert.deepEqual((await fixture.partnerListed()).toSorted(), both.toSorted());
});

test('stock.update: a server that took over, and another menu, are not what was read', async () => {
  const { database } = testDatabase;
  const fixture = await openStockFixture(testDatabase.database);
  const soup = await fixture.item('Soup');
  const restaurantGuid = fixture.restaurant.guid;
  const [item] = await listItemsToChange(database.sql, restaurantGuid, [soup], []);
  const [stock, menu, started] = (item?.asOf ?? '').split(' ');
  const origin = {
    ...{ by: 'system:test', requestId: null, operation: 'stock.update', at: new Date(0) },
    ...{ realAt: new Date(0), attest: () => Buffer.alloc(32) },
  };
  const change = {
    itemGuid: soup,
    guid: newGuid(),
    statusBefore: 'IN_STOCK',
    quantityBefore: null,
    untilBefore: null,
    statusAfter: 'OUT_OF_STOCK',
    quantityAfter: null,
    untilAfter: null,
  } as const;
  const entry = { subject: { kind: 'stock', id: restaurantGuid }, before: {}, after: {} } as const;
  const raise = async (asOf: string) => {
    const read = { restaurantGuid, asOf, changes: [change], entry };
    return await database.transaction((sql) => updateStockAsRead(sql, origin, read), {
      isOneTrip: true,
    });
  };
  assert.equal((await raise(`${stock} ${menu} ${Number(started) - 1}`)).length, 0);
  assert.equal((await raise(`${stock} ${Number(menu) + 1} ${started}`)).length, 0);
  assert.equal((await raise(`${stock} ${menu} ${started}`)).length, 1);
});
