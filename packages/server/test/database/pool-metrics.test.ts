import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectDatabase } from '../../src/database/database.ts';
import { poolMetrics } from '../../src/database/pool-metrics.ts';
import { createMetrics } from '../../src/support/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let own: TestDatabase;
before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());

test('backOffice.metrics: connections in use, and who waits for one', async () => {
  const database = connectDatabase({ url: own.url, poolSize: 2 });
  const metrics = createMetrics();
  poolMetrics(metrics, database);
  const read = async () => {
    const text = await metrics.text();
    const value = (line: string) => Number(text.split(`\n${line} `)[1]?.split('\n')[0]);
    const [held, busy, idle] = ['held', 'busy', 'idle'].map((state) =>
      value(`servery_database_connections{state="${state}"}`),
    );
    const [transactions, statements] = ['transaction', 'statement'].map((kind) =>
      value(`servery_database_waiting{for="${kind}"}`),
    );
    return { held, busy, idle, transactions, statements };
  };
  const none = { held: 0, busy: 0, idle: 0, transactions: 0, statements: 0 };
  assert.deepEqual(await read(), none);
  const release = Promise.withResolvers<void>();
  const taken = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = (index: number) =>
    database.transaction(async (sql) => {
      await sql`select 1`;
      taken[index]?.resolve();
      await release.promise;
    });
  const begun: Promise<unknown>[] = [hold(0), hold(1)];
  try {
    await Promise.all(taken.map(({ promise }) => promise));
    begun.push(
      hold(2),
      database.sql`select 1`.then(() => null),
    );
    assert.deepEqual(await read(), { ...none, held: 2, transactions: 1, statements: 1 });
    release.resolve();
    await Promise.all(begun);
    assert.deepEqual(await read(), { ...none, idle: 2 });
  } finally {
    release.resolve();
    await Promise.allSettled(begun);
    await database.close();
  }
});
