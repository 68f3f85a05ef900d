import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let scratch: TestDatabase;
before(async () => {
  scratch = await createTestDatabase();
});
after(() => scratch.drop());

/** Looks until it is answered: that a connection has ended shows when it is used. */
async function lookAgain(database: Database): Promise<void> {
  const isAnswered = () =>
    database.look().then(
      () => true,
      () => false,
    );
  while (!(await isAnswered()));
}

test('a look waits for nobody who waits for the pool', async () => {
  const database = connectDatabase({ url: scratch.url, poolSize: 1 });
  try {
    await database.transaction(async (sql) => {
      await sql`select 1`;
      assert.equal(database.freshness.isKnown(), false);
      // What a look has learnt is too old already where its answer was held up.
      do await database.look();
      while (!database.freshness.isKnown());
      const { held, idle } = database.pool();
      assert.deepEqual({ held, idle }, { held: 1, idle: 0 }, 'it is beside the pool');
    });
  } finally {
    await database.close();
  }
});

test('a look whose connection was ended is made over another one', async () => {
  const applicationName = 'looker-ended';
  const database = connectDatabase({ url: scratch.url, applicationName });
  try {
    await database.look();
    await scratch.database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${applicationName}`;
    await lookAgain(database);
  } finally {
    await database.close();
  }
});

test('a look that is not answered gives its connection up', async () => {
  const database = connectDatabase({
    url: scratch.url,
    lookLimitMs: 100,
    statementTimeoutMs: 5_000,
  });
  try {
    await lookAgain(database);
    await scratch.database.transaction(async (sql) => {
      await sql`lock table change_mark in access exclusive mode`;
      await assert.rejects(database.look(), /no look for changes was answered within 100 ms/);
    });
    await lookAgain(database);
  } finally {
    await database.close();
  }
});

test('a database that is closed has no connection left to look with', async () => {
  const applicationName = 'looker-closed';
  const database = connectDatabase({ url: scratch.url, applicationName });
  await database.look();
  await database.close();
  await assert.rejects(database.look(), /the database pool is closed/);
  const isThere = async () =>
    (
      await scratch.database.sql`
      select from pg_stat_activity where application_name = ${applicationName}`
    ).count > 0;
  while (await isThere());
});
