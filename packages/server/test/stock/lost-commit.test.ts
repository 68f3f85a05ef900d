import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database } from '../../src/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openKitchen } from './kitchen.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** The database, but the answer to each COMMIT is lost; `keeps` tells whether it happened. */
function losingCommits(keeps: boolean): TestDatabase {
  const { database } = testDatabase;
  const transaction: Database['transaction'] = async (run, options) => {
    if (keeps) await database.transaction(run, options);
    throw new CommitUnknownError(new Error('connection lost'));
  };
  return { ...testDatabase, database: { ...database, transaction } };
}

const changesFor = (few: string, gone: string, back: string) => [
  { guid: few, status: 'QUANTITY', quantity: 2.5 },
  { guid: gone, status: 'OUT_OF_STOCK' },
  { guid: back, status: 'IN_STOCK' },
];

test('stock.update 200: a lost COMMIT that happened is read back', async () => {
  const kitchen = await openKitchen(losingCommits(true));
  const [few, gone] = [await kitchen.item(), await kitchen.item()];
  const { status } = await kitchen.update(changesFor(few, gone, await kitchen.item()));
  assert.equal(status, 200);
  assert.deepEqual(
    await kitchen.listed(),
    [`${few} QUANTITY 2.5`, `${gone} OUT_OF_STOCK`].toSorted(),
  );
});

test('stock.update 503: a lost COMMIT that did not happen is never assumed', async () => {
  const kitchen = await openKitchen(losingCommits(false));
  const [few, gone] = [await kitchen.item(), await kitchen.item()];
  const { status, body } = await kitchen.update(changesFor(few, gone, await kitchen.item()));
  assert.equal(status, 503);
  assert.match(body.message, /send it again/);
  assert.deepEqual(await kitchen.listed(), []);
});
