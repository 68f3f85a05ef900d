import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newGuid } from '@servery/support/ids.ts';
import { connectDatabase, type Database, type Sql } from '../../src/database/database.ts';
import { countersOf, listItemsToChange } from '../../src/stock/store.ts';
import { raisedAsOf, updateStockAsRead } from '../../src/stock/update-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import {
  archiveItem,
  insertServerProcess,
  listSteps,
  listUntils,
  takeOffUncounted,
} from './fixture-store.ts';
import { type Kitchen, openKitchen } from './kitchen.ts';
import { takeOff } from './take-off.ts';

let testDatabase: TestDatabase;
/** Another process, of whose changes the kitchen's has heard nothing yet. */
let other: Database;
before(async () => {
  testDatabase = await createTestDatabase();
  other = connectDatabase({ url: testDatabase.url, poolSize: 1 });
});
after(async () => {
  await other.close();
  await testDatabase.drop();
});

type Run = (sql: Sql) => Promise<unknown>;

/** A kitchen with what its process asks of the database for its updates. */
interface Watched extends Kitchen {
  readonly asked: string[];
}

/** The kitchen of a process that has always just looked for changes, and found none. */
async function openKnowing(
  between: (send: () => Promise<unknown>) => Promise<unknown> = (send) => send(),
): Promise<Watched> {
  const { database } = testDatabase;
  const { freshness } = database;
  const asked: string[] = [];
  const sql = new Proxy(database.sql, {
    apply: (target, self, values: [TemplateStringsArray, ...unknown[]]) => {
      if (values[0].join('').includes('mark as materialized')) asked.push('read');
      return Reflect.apply(target, self, values);
    },
  });
  const transaction = async (run: Run, options = {}) => {
    const isOneTrip = 'isOneTrip' in options;
    asked.push(isOneTrip ? 'one trip' : 'several');
    const send = () => database.transaction(run, options);
    return await (isOneTrip ? between(send) : send());
  };
  const knowing = new Proxy(freshness, {
    get: (target, name) => {
      if (name === 'isKnown') return () => true;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const own = { ...database, sql, transaction, freshness: knowing } as Database;
  return { ...(await openKitchen({ ...testDatabase, database: own })), asked };
}

const few = (guid: string, quantity: number) => ({ guid, status: 'QUANTITY', quantity });

const steps = (guid: string) => listSteps(testDatabase.database.sql, guid);

test('stock.update 200: what this process has left is changed without reading it', async () => {
  const kitchen = await openKnowing();
  const multiLocationId = newGuid();
  const [soup, bread] = [await kitchen.item({ multiLocationId }), await kitchen.item()];
  await kitchen.update([few(soup, 3)]);
  await kitchen.update([few(soup, 4)]);
  assert.deepEqual(kitchen.asked.splice(0), ['read', 'one trip', 'one trip']);
  await kitchen.update([few(bread, 1)]);
  await kitchen.update([few(bread, 2), few(soup, 5)]);
  assert.deepEqual(kitchen.asked.splice(0), ['read', 'one trip', 'one trip']);
  const named = [{ multiLocationId, status: 'IN_STOCK' }];
  assert.equal((await kitchen.update(named)).body[0].guid, soup);
  assert.equal((await kitchen.update([few(soup, 6)])).body[0].multiLocationId, multiLocationId);
  assert.deepEqual(kitchen.asked.splice(0), ['one trip', 'one trip']);
  assert.deepEqual(await steps(soup), [
    'IN_STOCK to QUANTITY 3',
    'QUANTITY 3 to QUANTITY 4',
    'QUANTITY 4 to QUANTITY 5',
    'QUANTITY 5 to IN_STOCK',
    'IN_STOCK to QUANTITY 6',
  ]);
  assert.deepEqual(await steps(bread), ['IN_STOCK to QUANTITY 1', 'QUANTITY 1 to QUANTITY 2']);
});

test('stock.update 200: what is not all known, or contradicts, is read', async () => {
  const kitchen = await openKnowing();
  const multiLocationId = newGuid();
  const [soup, bread] = [await kitchen.item(), await kitchen.item({ multiLocationId })];
  await kitchen.update([few(soup, 3), few(bread, 3)]);
  kitchen.asked.splice(0);
  const nobody = newGuid();
  const { body } = await kitchen.update([few(soup, 4), few(nobody, 4)]);
  assert.deepEqual(
    body.map((one: { itemGuidValidity: string }) => one.itemGuidValidity),
    ['VALID', 'INVALID'],
  );
  assert.equal((await kitchen.update([{ ...few(soup, 5), multiLocationId }])).status, 400);
  assert.deepEqual(kitchen.asked, ['read', 'one trip', 'read']);
});

const UNTIL = new Date('2031-01-01T00:00:00.000Z');

test('stock.update race: what another process changed is not what is known', async () => {
  const kitchen = await openKnowing();
  const [soup, bread] = [await kitchen.item(), await kitchen.item()];
  await kitchen.update([few(soup, 3), few(bread, 3)]);
  kitchen.asked.splice(0);
  await other.transaction((sql) => takeOff(sql, kitchen.restaurantGuid, soup, UNTIL));
  await kitchen.update([{ guid: soup, status: 'OUT_OF_STOCK' }, few(bread, 4)]);
  assert.deepEqual(kitchen.asked, ['one trip', 'read', 'one trip']);
  assert.deepEqual(await steps(soup), ['IN_STOCK to QUANTITY 3', 'QUANTITY 3 to OUT_OF_STOCK']);
  const untils = await listUntils(other.sql, kitchen.restaurantGuid);
  assert.deepEqual(
    untils.filter((one) => one),
    [UNTIL],
  );
});

test('stock.update race: what was known before another process came is forgotten', async () => {
  const kitchen = await openKnowing();
  const [soup, bread] = [await kitchen.item(), await kitchen.item()];
  await kitchen.update([few(soup, 3), few(bread, 3)]);
  await other.transaction((sql) => takeOff(sql, kitchen.restaurantGuid, soup, UNTIL));
  await kitchen.update([few(bread, 4)]);
  await kitchen.update([few(soup, 4)]);
  assert.equal((await steps(soup)).at(-1), 'OUT_OF_STOCK to QUANTITY 4');
});

test('stock.update race: that nothing is to be changed is never known without asking', async () => {
  const kitchen = await openKnowing();
  const soup = await kitchen.item();
  await kitchen.update([few(soup, 3)]);
  await other.transaction((sql) => takeOff(sql, kitchen.restaurantGuid, soup, UNTIL));
  await kitchen.update([few(soup, 3)]);
  assert.equal((await steps(soup)).at(-1), 'OUT_OF_STOCK to QUANTITY 3');
});

test('stock.update race: what was archived by another process is not changed', async () => {
  const kitchen = await openKnowing();
  const soup = await kitchen.item();
  await kitchen.update([few(soup, 3)]);
  await archiveItem(other.sql, kitchen.restaurantGuid, soup);
  assert.equal((await kitchen.update([few(soup, 4)])).body[0].itemGuidValidity, 'INVALID');
  assert.deepEqual(await steps(soup), ['IN_STOCK to QUANTITY 3']);
});

test('stock.update 200: beside a process that counts no changes nothing is known', async () => {
  const kitchen = await openKnowing();
  const soup = await kitchen.item();
  await kitchen.update([few(soup, 3)]);
  const leave = await insertServerProcess(other.sql, { raisesMarks: false });
  await takeOffUncounted(other.sql, kitchen.restaurantGuid, soup);
  await kitchen.update([few(soup, 4)]);
  await leave();
  assert.equal((await steps(soup)).at(-1), 'OUT_OF_STOCK to QUANTITY 4');
});

test('stock.update race: updates at once of what is known follow each other', async () => {
  const kitchen = await openKnowing();
  const soup = await kitchen.item();
  await kitchen.update([few(soup, 1)]);
  kitchen.asked.splice(0);
  const quantities = [2, 3, 4, 5, 6];
  await Promise.all(quantities.map((quantity) => kitchen.update([few(soup, quantity)])));
  // Only one of them can go by what is known.
  const first = kitchen.asked.slice(0, quantities.length).toSorted();
  assert.deepEqual(first, ['one trip', 'read', 'read', 'read', 'read']);
  const made = await steps(soup);
  assert.equal(made.length, 1 + quantities.length);
  const [befores, afters] = [0, 1].map((side) => made.map((step) => step.split(' to ')[side]));
  assert.deepEqual(befores?.slice(1), afters?.slice(0, -1));
});

test('stock.update 200: a lost answer to a change of what is known is read back', async () => {
  let losesNext = false;
  const kitchen = await openKnowing(async (send) => {
    const answer = await send();
    if (losesNext) throw new CommitUnknownError(new Error('connection lost'));
    return answer;
  });
  const soup = await kitchen.item();
  await kitchen.update([few(soup, 3)]);
  losesNext = true;
  assert.equal((await kitchen.update([few(soup, 4)])).status, 200);
  assert.deepEqual(await steps(soup), ['IN_STOCK to QUANTITY 3', 'QUANTITY 3 to QUANTITY 4']);
});

test('stock.update: a server that took over, and another menu, are not what was read', async () => {
  const { database } = testDatabase;
  const kitchen = await openKnowing();
  const soup = await kitchen.item();
  const { restaurantGuid } = kitchen;
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

test('stock.update: where stock and menu share a counter, both are known as raised', () => {
  const guids = Array.from({ length: 100_000 }, newGuid);
  const shares = (guid: string) => countersOf(guid)[0] === countersOf(guid)[1];
  const shared = guids.find(shares) ?? '';
  const apart = guids.find((guid) => !shares(guid)) ?? '';
  const raised = { bucket: 1, revision: '6' };
  assert.equal(raisedAsOf(shared, '5 5 100', raised), '6 6 100');
  assert.equal(raisedAsOf(apart, '5 5 100', raised), '6 5 100');
});
