import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { connectDatabase } from '../src/database.ts';
import { MigrationError, migrate, readMigrations } from '../src/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from './test-database.ts';

let scratch: TestDatabase;
let folder: string;

beforeEach(async () => {
  scratch = await createEmptyDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  await write('0001-first.sql', 'create table first (id integer primary key);');
  await write(
    '0002-second.sql',
    'create table second (id integer); insert into second values (1);',
  );
});

afterEach(async () => {
  await scratch.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);

async function listTables(): Promise<string[]> {
  const rows = await scratch.database.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'
    and table_name <> 'schema_migration' order by 1`;
  return rows.map((row) => row.name);
}

/** Fails to migrate for the expected reason, and leaves the tables as they were. */
async function assertRefused(expected: RegExp): Promise<void> {
  const before = await listTables();
  await assert.rejects(migrate(scratch.database, { folder }), (error: Error) => {
    assert.ok(error instanceof MigrationError, String(error));
    assert.match(error.message, expected);
    return true;
  });
  assert.deepEqual(await listTables(), before);
}

test('migrations are applied in order, each once', async () => {
  const announced: string[] = [];
  const applied = await migrate(scratch.database, {
    folder,
    onApply: (name) => announced.push(name),
  });
  assert.deepEqual(applied, ['0001-first.sql', '0002-second.sql']);
  assert.deepEqual(announced, applied);
  assert.deepEqual(await listTables(), ['first', 'second']);
  assert.deepEqual(await migrate(scratch.database, { folder }), []);
  await write('0003-third.sql', 'create table third (id integer);');
  assert.deepEqual(await migrate(scratch.database, { folder }), ['0003-third.sql']);
});

test('a database with an unknown, edited or renamed migration is refused by name', async () => {
  const isUnknown = (name: string) =>
    new RegExp(
      `older development version \\(.*${name}\\): use a new data folder or an empty database`,
    );
  await migrate(scratch.database, { folder });
  await write('0001-first.sql', 'create table first (id bigint primary key);');
  await write('0003-third.sql', 'create table third (id integer);');
  await assertRefused(isUnknown('0001-first.sql'));
  await rename(path.join(folder, '0001-first.sql'), path.join(folder, '0001-start.sql'));
  await assertRefused(isUnknown('0001-first.sql'));
  await rm(path.join(folder, '0001-start.sql'));
  await assertRefused(isUnknown('0001-first.sql'));
});

test('line ends that a checkout has changed are no edit', async () => {
  await write('0003-third.sql', 'create table third (\n  id integer\n);\n');
  await migrate(scratch.database, { folder });
  await write('0003-third.sql', 'create table third (\r\n  id integer\r\n);\r\n');
  assert.deepEqual(await migrate(scratch.database, { folder }), []);
});

test('a database that is newer than the program is refused', async () => {
  await migrate(scratch.database, { folder });
  await rm(path.join(folder, '0002-second.sql'));
  await assertRefused(/newer than this program \(.*0002-second\.sql\): use the newer program/);
});

test('a new migration with a number that was passed is refused', async () => {
  await rename(path.join(folder, '0002-second.sql'), path.join(folder, '0005-second.sql'));
  await migrate(scratch.database, { folder });
  await write('0003-late.sql', 'create table late (id integer);');
  await assertRefused(/0003-late\.sql is new, but this database already has 0005-second\.sql/);
});

test('files whose names are no migrations are refused by name', async () => {
  await write('0003_third.sql', '');
  await assertRefused(/0003_third\.sql is not a valid name for a migration/);
  await rm(path.join(folder, '0003_third.sql'));
  await write('0002-again.sql', '');
  await assertRefused(/0002-again\.sql and 0002-second\.sql have the same number/);
});

test('a database without any migration gets all of them or none', async () => {
  await write('0003-third.sql', 'insert into nowhere values (1);');
  await assertRefused(/0003-third\.sql failed and was rolled back: .*"nowhere" does not exist/);
  assert.deepEqual(await listTables(), []);
  await write('0003-third.sql', 'create table third (id integer);');
  assert.equal((await migrate(scratch.database, { folder })).length, 3);
});

test('a migration that fails is undone whole, named, and can be repaired', async () => {
  await migrate(scratch.database, { folder });
  await write('0003-third.sql', 'create table third (id integer); insert into nowhere values (1);');
  await assert.rejects(
    migrate(scratch.database, { folder }),
    /0003-third\.sql failed and was rolled back: .*"nowhere" does not exist/,
  );
  assert.deepEqual(await listTables(), ['first', 'second']);
  await write('0003-third.sql', 'create table third (id integer);');
  assert.deepEqual(await migrate(scratch.database, { folder }), ['0003-third.sql']);
});

test('processes that create the table of migrations at once all go on', async () => {
  const none = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  const databases = Array.from({ length: 6 }, () =>
    connectDatabase({ url: scratch.url, poolSize: 1 }),
  );
  // Which error PostgreSQL answers a loser depends on the moment: many rounds see most of them.
  for (let round = 0; round < 30; round += 1) {
    await Promise.all(databases.map((database) => migrate(database, { folder: none })));
    await scratch.database.sql`drop table schema_migration`;
  }
  await Promise.all(databases.map((database) => database.close()));
  await rm(none, { recursive: true });
});

test('migrations go where the search path says', async () => {
  await migrate(scratch.database, { folder });
  await scratch.database.sql`create schema own`;
  const [row] = await scratch.database.sql`select current_database() as name`;
  await scratch.database.sql.unsafe(`alter database ${row?.name} set search_path = own`);
  const database = connectDatabase({ url: scratch.url, poolSize: 1 });
  try {
    assert.deepEqual(await migrate(database, { folder }), ['0001-first.sql', '0002-second.sql']);
    assert.deepEqual(await migrate(database, { folder }), []);
    const rows = await scratch.database.sql`select * from own.second`;
    assert.equal(rows.length, 1);
  } finally {
    await database.close();
  }
});

test('what else hinders the table of migrations is not taken for another process', async () => {
  await scratch.database.sql`create type schema_migration as enum ()`;
  await assert.rejects(migrate(scratch.database, { folder }), /"schema_migration" already exists/);
});

test('processes that start at once apply each migration exactly once', async () => {
  for (let number = 3; number <= 9; number += 1) {
    await write(`000${number}-more.sql`, `create table more_${number} (id integer);`);
  }
  const databases = Array.from({ length: 6 }, () =>
    connectDatabase({ url: scratch.url, poolSize: 1 }),
  );
  const applied = await Promise.all(databases.map((database) => migrate(database, { folder })));
  await Promise.all(databases.map((database) => database.close()));
  assert.deepEqual(
    applied.flat().sort(),
    (await readMigrations(folder)).map((m) => m.fileName),
  );
  const rows = await scratch.database.sql`select * from second`;
  assert.equal(rows.length, 1);
});
