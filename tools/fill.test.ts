import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectionReferences } from '@servery/contract';
import { dumpSchema } from '@servery/postgres/schema-dump.ts';
import { verifyAudit } from '@servery/server/audit/verify.ts';
import { findSnapshot } from '@servery/server/configuration/store.ts';
import { createPaymentSweep } from '@servery/server/payments/due/sweep.ts';
import { listEvents } from '@servery/server/payments/life/list-store.ts';
import type { Processor } from '@servery/server/payments/processors/processor.ts';
import {
  openPaymentFixture,
  type PaymentFixture,
} from '../packages/server/test/payments/fixture.ts';
import { fillBare } from './fill/bare-tables.ts';
import { type Filled, type FillOptions, fillDatabase } from './fill/fill.ts';
import { insertEventsAgain, listFilledPayments, listRowCounts } from './fill/filled-store.ts';

const RESTAURANTS = 25;
const options: FillOptions = {
  ...{ restaurants: RESTAURANTS, items: [60], applied: 30, authorized: 40 },
  ...{ duePerSecond: 10, dueInMs: 1_000, seed: 'test', countsAll: false, isAlone: false },
};

async function filledDesk(isAlone = false): Promise<{ desk: PaymentFixture; filled: Filled }> {
  const desk = await openPaymentFixture();
  const { database, vault, clock } = desk;
  const deps = { database, vault, clock, tell: () => {} };
  return { desk, filled: await fillDatabase(deps, { ...options, isAlone }) };
}

test('fill: the same seed gives the same restaurants and payments everywhere', async () => {
  const desks = [await filledDesk(), await filledDesk()];
  const [one, other] = await Promise.all(
    desks.map(async ({ desk: { database }, filled }) => ({
      ...{ restaurants: filled.restaurants, large: filled.large },
      payments: (await listFilledPayments(database.sql)).map(({ paymentUuid }) => paymentUuid),
    })),
  );
  assert.deepEqual(one, other);
  assert.equal(one?.restaurants.count, RESTAURANTS);
  assert.equal(new Set(one?.payments).size, options.applied + options.authorized);
  await Promise.all(desks.map(({ desk }) => desk.close()));
});

test('fill: alone it gives the same rows, and leaves keys and indexes as they were', async () => {
  const beside = await filledDesk();
  const alone = await filledDesk(true);
  const [usual, quick] = await Promise.all(
    [beside, alone].map(async ({ desk: { database } }) => ({
      schema: await dumpSchema(database.sql),
      rows: await listRowCounts(database.sql),
      payments: (await listFilledPayments(database.sql)).map(({ paymentUuid }) => paymentUuid),
    })),
  );
  assert.deepEqual(quick, usual);
  await Promise.all([beside, alone].map(({ desk }) => desk.close()));
});

test('fill: a row that must not be is refused, and leaves nothing of the filling', async () => {
  const { desk } = await filledDesk();
  const { database } = desk;
  const before = [await dumpSchema(database.sql), await listRowCounts(database.sql)];
  const filling = database.transaction((sql) =>
    fillBare(sql, ['payment_event'], () => insertEventsAgain(sql)),
  );
  await assert.rejects(filling, /payment_event_(pkey|digest_key)/);
  assert.deepEqual([await dumpSchema(database.sql), await listRowCounts(database.sql)], before);
  await desk.close();
});

test('fill: a copy refers to objects of its own, and the record of changes is sound', async () => {
  const { desk, filled } = await filledDesk();
  const { sql } = desk.database;
  const restaurantGuid = `${filled.restaurants.pattern.slice(0, -12)}000000000007`;
  const references = collectionReferences.menuGroups;
  const address = { restaurantGuid, collection: 'menuGroups', references } as const;
  const all = { afterGuid: null, modifiedAfter: null, limit: 10 };
  const { objects, targets } = await findSnapshot(sql, address, all);
  assert.equal(objects.length, 1);
  const items = targets.filter(({ collection }) => collection === 'menuItems');
  assert.equal(items.length, 12);
  for (const { guid } of [...objects, ...targets]) assert.match(guid, /-000000000007$/);
  const again = { database: desk.database, vault: desk.vault, clock: desk.clock, tell: () => {} };
  const more = { ...options, restaurants: RESTAURANTS + 5, applied: 0, authorized: 0 };
  assert.equal((await fillDatabase(again, more)).restaurants.count, RESTAURANTS + 5);
  const { firstBreak } = await verifyAudit({ ...again, realClock: desk.clock });
  assert.equal(firstBreak, null);
  await desk.close();
});

test('fill: payments live on from where they stand, each deadline at its time', async () => {
  const { desk, filled } = await filledDesk();
  const { sql } = desk.database;
  const approved = { outcome: 'approved', authorizationCode: '000000', reference: 'x' } as const;
  const processor: Processor = {
    ...desk.processor,
    void: async () => ({ ...approved, amountMinor: 0, currencyCode: 'USD' }),
  };
  const sweep = createPaymentSweep({ ...desk.deps, timer: desk.timer, processor });
  const { firstMs, lastMs } = filled.due ?? { firstMs: 0, lastMs: 0 };
  assert.equal(await sweep.nextDueMs(), firstMs);
  const run = async (nowMs: number) => {
    desk.clock.advance(nowMs - desk.clock.nowMs());
    await sweep.runDue(nowMs, { isSequential: false });
    const rows = await listFilledPayments(sql);
    return rows.filter(({ state }) => state === 'VOIDED').length;
  };
  assert.equal(await run(firstMs - 1), 0);
  assert.equal(await run(firstMs), 1);
  assert.equal(await run(lastMs), options.authorized);
  for (const payment of await listFilledPayments(sql)) {
    const states = (await listEvents(sql, payment)).map(({ toState }) => toState);
    const begun = ['PENDING', 'AUTHORIZED'];
    const later = payment.state === 'APPLIED' ? ['APPLIED'] : ['VOID_PENDING', 'VOIDED'];
    assert.deepEqual(states, [...begun, ...later]);
  }
  await desk.close();
});
