import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { troubleOf } from '../src/away.ts';
import { type Copies, connectCopies, listCopies } from '../src/copies.ts';
import { connectDatabase } from '../src/database.ts';
import { isClosedForCopy, isSqlState } from '../src/postgres-error.ts';
import { createEmptyDatabase, runOnServer, type TestDatabase, useServer } from './test-database.ts';

const prefix = `copies_${randomBytes(4).toString('hex')}_`;
const named = (name: string) => prefix + name;

let source: TestDatabase;
let from: string;
let serverUrl: string;
let copies: Copies;

/** As a process that is killed while it copies leaves it. */
const close = (name: string) => runOnServer(`alter database ${name} allow_connections false`);

const list = (start: string) => listCopies(source.database.sql, start);

async function countEntries(url: string): Promise<number> {
  const { sql, close } = connectDatabase({ url, poolSize: 1 });
  try {
    const [row] = await sql<[{ count: number }]>`select count(*)::int as count from entry`;
    return row.count;
  } finally {
    await close();
  }
}

before(async () => {
  serverUrl = await useServer();
  source = await createEmptyDatabase();
  await source.database.sql`create table entry (n integer)`;
  from = await source.database.sql`select current_database() as name`.then(([row]) => row?.name);
  copies = connectCopies(serverUrl, 'copies test');
});
after(async () => {
  for (const { name } of await list(prefix)) await copies.drop(name);
  await copies.end();
  await source.drop();
});

describe('copies of databases', () => {
  test('a copy of a database in use holds what was committed, and ends no commit', {
    timeout: 60_000,
  }, async () => {
    const { database } = source;
    const { promise: written, resolve: tellWritten } = Promise.withResolvers<void>();
    const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
    const committing = database.transaction(async (sql) => {
      await sql`insert into entry (n) values (1)`;
      tellWritten();
      await closed;
      await sql`insert into entry (n) values (2)`;
    });
    await written;
    const copying = copies.copyInUse({ from, to: named('in_use') }, 60_000);
    let refusal: unknown;
    // A session that has just come in is ended as idle, and fails otherwise.
    while (!isClosedForCopy(refusal)) {
      refusal = await countEntries(source.url).catch((error: unknown) => error);
    }
    assert.equal(troubleOf(refusal), 'away');
    tellClosed();
    await committing;
    await copying;
    await database.sql`insert into entry (n) values (3)`;
    assert.equal(await countEntries(copies.urlOf(named('in_use'))), 2);
  });

  test('a session in a transaction ends after its grace, and a failed copy opens again', async () => {
    const { promise: begun, resolve: tellBegun } = Promise.withResolvers<void>();
    const { promise: copied, resolve: tellCopied } = Promise.withResolvers<void>();
    const ended = source.database.transaction(async (sql) => {
      await sql`select 1`;
      tellBegun();
      await copied;
      await sql`select 1`;
    });
    await begun;
    await assert.rejects(copies.copyInUse({ from, to: 'postgres' }, 20), (error) =>
      isSqlState(error, '42P04'),
    );
    tellCopied();
    await assert.rejects(ended);
    assert.ok((await countEntries(source.url)) >= 0);
  });

  test('many copies at once all come about, of closed databases and of one in use', async () => {
    const others = [copies, connectCopies(serverUrl, 'copies test 2')];
    await copies.copyInUse({ from, to: named('frozen') }, 0);
    await close(named('frozen'));
    await Promise.all(
      [1, 2, 3, 4].flatMap((n) =>
        others.map(async (own, index) => {
          const to = named(`many_${n}_${index}`);
          if (n % 2 === 0) await own.copy({ from: named('frozen'), to });
          else await own.copyInUse({ from, to }, 0);
        }),
      ),
    );
    await others[1]?.end();
    const made = await list(named('many_'));
    assert.equal(made.length, 8);
    assert.ok(made.every(({ isClosed, isInvalid }) => !isClosed && !isInvalid));
    assert.equal(
      await countEntries(source.url),
      await countEntries(copies.urlOf(named('many_1_0'))),
    );
  });

  test('what a killed process left closed, another one opens and drops', async () => {
    const name = named('left');
    await copies.copyInUse({ from, to: name }, 0);
    await close(name);
    assert.deepEqual([...(await list(name))], [{ name, isClosed: true, isInvalid: false }]);
    await assert.rejects(countEntries(copies.urlOf(name)), isClosedForCopy);
    await copies.open(name);
    assert.ok(((await copies.sizeBytes(name)) ?? 0) > 1_000_000);
    const user = connectDatabase({ url: copies.urlOf(name) });
    await user.sql`select from entry`;
    await copies.drop(name);
    await copies.drop(name);
    assert.equal(await copies.sizeBytes(name), null);
    assert.equal((await list(name)).length, 0);
    await user.close();
  });

  test('a name that is none reaches no statement', async () => {
    for (const name of ['', 'Upper', '1st', 'a"b', 'a b', 'a; drop', 'x'.repeat(64)]) {
      await assert.rejects(copies.copy({ from, to: name }), /is no name for a database/);
      await assert.rejects(copies.drop(name), /is no name for a database/);
    }
    const strange = `${from}" with owner "x`;
    await assert.rejects(copies.copy({ from: strange, to: named('strange') }), (error) =>
      isSqlState(error, '3D000'),
    );
  });

  test('a user who may not create databases is told what to give', async () => {
    const role = named('role');
    await runOnServer(`create role ${role} login password 'word'`);
    const other = connectCopies(
      serverUrl.replace(/\/\/[^@]*@/, `//${role}:word@`),
      'copies test without a right',
    );
    try {
      const missing = await other.findMissingRight();
      const gift = /ALTER ROLE .* CREATEDB/.exec(missing ?? '')?.[0];
      assert.ok(gift, String(missing));
      await assert.rejects(other.copy({ from: 'template1', to: named('denied') }), (error) =>
        isSqlState(error, '42501'),
      );
      await runOnServer(gift);
      assert.equal(await other.findMissingRight(), null);
      await other.copy({ from: 'template1', to: named('allowed') });
      await other.drop(named('allowed'));
    } finally {
      await other.end();
      await runOnServer(`drop role ${role}`);
    }
  });
});
