import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database } from '../../src/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture } from './fixture.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** The database, but the answer to each COMMIT is lost; `keeps` tells whether it happened. */
function losingCommits(keeps: boolean): Database {
  const { database } = testDatabase;
  const transaction: Database['transaction'] = async (run, options) => {
    if (keeps) await database.transaction(run, options);
    throw new CommitUnknownError(new Error('connection lost'));
  };
  return { ...database, transaction };
}

const changesFor = (few: string, gone: string, back: string) => [
  { guid: few, status: 'QUANTITY', quantity: 2.5 },
  { guid: gone, status: 'OUT_OF_STOCK' },
  { guid: back, status: 'IN_STOCK' },
];

test('stock.update 200: a lost COMMIT that happened is read back', async () => {
  const fixture = await openStockFixture(losingCommits(true));
  const [few, gone] = [await fixture.item('Soup'), await fixture.item('Soup')];
  const { status } = await fixture.partnerUpdate(changesFor(few, gone, await fixture.item('Soup')));
  assert.equal(status, 200);
  assert.deepEqual(
    await fixture.partnerListed(),
    [`${few} QUANTITY 2.5`, `${gone} OUT_OF_STOCK`].toSorted(),
  );
});

test('stock.update 503: a lost COMMIT that did not happen is never assumed', async () => {
  const fixture = await openStockFixture(losingCommits(false));
  const [few, gone] = [await fixture.item('Soup'), await fixture.item('Soup')];
  const { status, body } = await fixture.partnerUpdate(
    changesFor(few, gone, await fixture.item('Soup')),
  );
  assert.equal(status, 503);
  assert.match(body.message, /send it again/);
  assert.deepEqual(await fixture.partnerListed(), []);
});
