import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinServer } from '../src/keeper.ts';
import { isSqlState } from '../src/postgres-error.ts';
import { createEmptyDatabase } from './test-database.ts';

test('keeper: what else has its name is told', async (t) => {
  const { url, database, drop } = await createEmptyDatabase();
  t.after(drop);
  await database.sql`create type test_keeper as enum ()`;
  await assert.rejects(joinServer(url, 'test'), (error) => isSqlState(error, '42710'));
});

test('keeper: processes that join at once all get a share, and the last one is told', async (t) => {
  const { url, database, drop } = await createEmptyDatabase();
  t.after(drop);
  for (let round = 0; round < 6; round += 1) {
    const keepers = await Promise.all(Array.from({ length: 5 }, () => joinServer(url, 'test')));
    const lasts: boolean[] = [];
    for (const keeper of keepers) {
      assert.ok(typeof keeper === 'object', String(keeper));
      lasts.push(await keeper.leave());
      if (lasts.length < keepers.length) await keeper.ended;
    }
    assert.deepEqual(lasts, [false, false, false, false, true]);
    await database.sql.unsafe(`
      select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where datname = current_database() and application_name = 'test keeper'`);
    await database.sql`drop table test_keeper`;
  }
});
