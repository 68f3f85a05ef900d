import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { checkDatabaseSafety } from '@servery/postgres/safety.ts';
import { dumpSchema } from '@servery/postgres/schema-dump.ts';
import { migrationsFolder } from '../../src/database/migrations.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../database.ts';

let migrated: TestDatabase;
let empty: TestDatabase;

before(async () => {
  [migrated, empty] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
});
after(() => Promise.all([migrated.drop(), empty.drop()]));

test('schema.sql is what the migrations make; npm run schema writes it anew', async () => {
  const committed = await readFile(path.join(migrationsFolder, 'schema.sql'), 'utf8');
  const statements = committed.replace(/^(--.*\n)+\n/, '');
  assert.equal(statements, await dumpSchema(migrated.database.sql));
});

test('schema.sql is SQL: it makes a database with the same schema', async () => {
  const dump = await dumpSchema(migrated.database.sql);
  // Tables come by name, so those that others point to may come later.
  const isKey = /,?\n {2}constraint \S+ foreign key .*/g;
  await empty.database.sql.unsafe(dump.replace(isKey, ''));
  for (const table of dump.split(/(?=create table )/)) {
    const name = /create table (\S+)/.exec(table)?.[1];
    for (const key of table.match(isKey) ?? []) {
      await empty.database.sql.unsafe(
        `alter table ${name} add ${key.replace(/^,?\n/, '')}`.replace(/,$/, ''),
      );
    }
  }
  assert.equal(await dumpSchema(empty.database.sql), dump);
});

test('a dump shows every change of a table, its keys, checks and indexes', async () => {
  const { sql } = migrated.database;
  const unchanged = await dumpSchema(sql);
  const changes = [
    'alter table stock add column note text',
    "alter table stock alter column status set default 'QUANTITY'",
    'alter table stock alter column quantity type numeric(16, 2)',
    'alter table stock add constraint stock_extra check (quantity < 100)',
    'create index stock_extra on stock (status)',
    'alter table partner alter column name drop not null',
    'create table extra (id integer primary key)',
  ];
  for (const change of changes) {
    const rollback = new Error('only tried');
    await assert.rejects(
      migrated.database.transaction(async (transaction) => {
        await transaction.unsafe(change);
        assert.notEqual(await dumpSchema(transaction), unchanged, change);
        throw rollback;
      }),
      (error) => error === rollback,
      change,
    );
  }
});

test('a database that forgets what it acknowledged is unfit for production, and why', async () => {
  const facts = await empty.database.transaction(async (sql) => {
    await sql`set local synchronous_commit = on`;
    return await checkDatabaseSafety(sql);
  });
  // The server of the tests forces nothing to disk.
  assert.equal(facts.length, 2);
  assert.match(facts[0] ?? '', /^fsync is off: .*; set it to on$/);
  assert.match(facts[1] ?? '', /^full_page_writes is off/);
  const forgetful = await empty.database.transaction(async (sql) => {
    await sql`set local synchronous_commit = off`;
    return await checkDatabaseSafety(sql);
  });
  assert.match(forgetful[2] ?? '', /^synchronous_commit is off/);
});

test('no condition of an index names a key, because lookups by key would read all of that index', async () => {
  // Before PostgreSQL has counted the rows, such an index looks as good as the primary key: an
  // update of 5,000 items once took 10 seconds.
  const dump = await dumpSchema(migrated.database.sql);
  const keys = new Map(
    [...dump.matchAll(/create table (\w+) \(.*?primary key \((.*?)\)/gs)].map(
      ([, table = '', columns = '']) => [table, columns.split(', ')],
    ),
  );
  const conditions = [...dump.matchAll(/index (\w+) on (\w+) .* where \((.*)\);/g)];
  assert.ok(keys.size > 40 && conditions.length > 20, `${keys.size}, ${conditions.length}`);
  const naming = conditions.filter(([, , table = '', condition = '']) =>
    keys.get(table)?.some((column) => new RegExp(`\\b${column}\\b`).test(condition)),
  );
  assert.deepEqual(
    naming.map(([, index]) => index),
    [],
  );
});
