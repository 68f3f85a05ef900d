import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectDatabase, type Database, type Sql } from '../../src/database/database.ts';
import { stampOf } from '../../src/freshness/freshness.ts';
import { createTestDatabase, useOwnServer } from '../database.ts';

/** Until PostgreSQL answers again. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {}
  }
}

const change = (database: Database) =>
  database.transaction((sql) => sql.touching(['stock:bistro'])`insert into note values (1)`);

/** Which transaction would come next. */
async function nextTransaction(sql: Sql): Promise<bigint> {
  const [row] = await sql<[{ next: string }]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`;
  return BigInt(row.next);
}

test('a change is known although a crash has made PostgreSQL count transactions anew', async (t) => {
  await useOwnServer();
  const scratch = await createTestDatabase();
  t.after(() => scratch.drop());
  const own = scratch.database;
  const other = connectDatabase({ url: scratch.url });
  t.after(() => other.close());
  // What was not committed is not on the disk when it crashes.
  await own.sql`alter system set wal_writer_delay = '10s'`;
  await own.sql`select pg_reload_conf()`;
  await own.sql`create table note (id integer)`;
  await change(own);
  await own.sql`checkpoint`;
  const undone = new Error('undone');
  for (let n = 0; n < 200; n += 1) {
    const undoing = own.transaction(async (sql) => {
      await sql`select pg_current_xact_id()`;
      throw undone;
    });
    await assert.rejects(undoing, (error) => error === undone);
  }
  await other.look();
  const stamp = stampOf(other.freshness.begin(), ['stock:bistro']);
  const before = await nextTransaction(own.sql);
  const [row] = await own.sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  // PostgreSQL ends all sessions, and recovers without a new start.
  process.kill(row.pid, 'SIGKILL');
  await again(() => change(own));
  assert.ok((await nextTransaction(own.sql)) < before, 'otherwise this proves nothing');
  await again(() => other.look());
  assert.equal(other.freshness.isCurrent(stamp), false);
});
