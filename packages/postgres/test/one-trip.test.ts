import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sleep } from '@servery/support/timer.ts';
import { troubleOf } from '../src/away.ts';
import { CommitUnknownError, connectDatabase, type Database } from '../src/database.ts';
import { parseDatabaseUrl } from '../src/database-url.ts';
import { isSqlState } from '../src/postgres-error.ts';
import type { Sql } from '../src/sql.ts';
import { createEmptyDatabase, type TestDatabase } from './test-database.ts';

let scratch: TestDatabase;

before(async () => {
  scratch = await createEmptyDatabase();
  await scratch.database.sql.unsafe(`
    create table note (id integer primary key, text text);
    create table checked_late (id integer references note (id) deferrable initially deferred);
    create table slow (id integer);
    create function take_time() returns trigger language plpgsql
      as $$ begin perform pg_sleep(0.4); return null; end $$;
    create constraint trigger slow_commit after insert on slow
      deferrable initially deferred for each row execute function take_time();
    create sequence tries;
    create function conflict_twice() returns integer language plpgsql as $$
      begin
        if nextval('tries') % 3 <> 0 then raise 'conflict' using errcode = '40001'; end if;
        return 1;
      end $$`);
});
after(() => scratch.drop());

/** A transaction says nothing of itself, or has a limit, which BEGIN and COMMIT carry. */
const kinds = {
  'of a statement alone': { isOneTrip: true },
  'with a limit': { isOneTrip: true, statementTimeoutMs: 10_000 },
} as const;

const insertNote = (id: number, text: string) => (sql: Sql) =>
  sql`insert into note (id, text) values (${id}, ${text}) returning id`;

const isNoted = async (id: number) =>
  (await scratch.database.sql`select 1 from note where id = ${id}`).length === 1;

let made = 0;
/** The id of a note that is not there. */
function newId(): number {
  made += 1;
  return made;
}

for (const [kind, options] of Object.entries(kinds)) {
  test(`a transaction ${kind} is there and back once`, async () => {
    await withRelay(async ({ database, relay }) => {
      // What a session does for the first time takes longer: the server is asked for its types.
      for (const _ of [1, 2]) await database.transaction(insertNote(newId(), 'x'), options);
      relay.turns = 0;
      const id = newId();
      const rows = await database.transaction(insertNote(id, 'x'), options);
      assert.deepEqual([...rows], [{ id }]);
      assert.equal(relay.turns, 1);
      assert.ok(await isNoted(id));
    });
  });

  test(`a transaction ${kind} that is refused leaves nothing, and the session whole`, async () => {
    const database = connectDatabase({ url: scratch.url, poolSize: 1 });
    const id = newId();
    await database.transaction(insertNote(id, 'x'), options);
    await assert.rejects(
      database.transaction(insertNote(id, 'again'), options),
      (error) => isSqlState(error, '23505') && !(error instanceof CommitUnknownError),
    );
    await database.transaction(insertNote(newId(), 'x'), options);
    assert.deepEqual(
      [...(await database.sql`select text from note where id = ${id}`)],
      [{ text: 'x' }],
    );
    await database.close();
  });

  test(`a transaction ${kind} that is refused at its COMMIT is told as refused`, async () => {
    const dangling = (sql: Sql) => sql`insert into checked_late values (${-1})`;
    await assert.rejects(
      scratch.database.transaction(dangling, options),
      (error) => isSqlState(error, '23503') && !(error instanceof CommitUnknownError),
    );
  });

  for (const fate of ['lost', 'done'] as const) {
    test(`a transaction ${kind} that is ${fate} but not answered is unknown`, async () => {
      await withRelay(async ({ database, relay }) => {
        await database.transaction(insertNote(newId(), 'x'), options);
        relay.fate = fate;
        const id = newId();
        await assert.rejects(
          database.transaction(insertNote(id, 'cut here'), options),
          (error) => error instanceof CommitUnknownError && error.cause instanceof Error,
        );
        await until(async () => (await isNoted(id)) === (fate === 'done'));
        // The pool is whole: the next one opens a fresh connection.
        await database.transaction(insertNote(newId(), 'cut here'), options);
      });
    });
  }

  test(`a transaction ${kind} is repeated after a conflict`, async () => {
    const id = newId();
    const conflicting = (sql: Sql) => sql`insert into note (id) values (${id} * conflict_twice())`;
    await scratch.database.transaction(conflicting, options);
    assert.ok(await isNoted(id));
  });

  test(`a transaction ${kind} whose plan was dropped is done once`, async () => {
    const database = connectDatabase({ url: scratch.url, poolSize: 1 });
    const counted = (sql: Sql) => sql`insert into slow select ${1}::integer where false`;
    const id = newId();
    const append = (sql: Sql) => sql`update note set text = text || ${'y'} where id = ${id}`;
    await database.transaction(insertNote(id, ''), options);
    await database.transaction(append, options);
    await database.transaction(counted, options);
    await database.sql.unsafe('deallocate all');
    const changed = await database.transaction(append, options);
    assert.equal(changed.count, 1);
    const [note] = await database.sql`select text from note where id = ${id}`;
    assert.equal(note?.text, 'yy');
    await database.close();
  });
}

test('a session that the server had ended unnoticed leaves one outcome unknown', async () => {
  await withRelay(async ({ database, relay }) => {
    const options = kinds['with a limit'];
    const [row] = await database.transaction(
      (sql) => sql<[{ pid: number }]>`select pg_backend_pid() as pid`,
      options,
    );
    const dead = relay.withhold();
    await scratch.database.sql`select pg_terminate_backend(${row?.pid ?? 0})`;
    await dead;
    const id = newId();
    await assert.rejects(
      database.transaction(insertNote(id, 'x'), options),
      (error) => error instanceof CommitUnknownError,
    );
    assert.equal(await isNoted(id), false);
    await database.transaction(insertNote(id, 'x'), options);
    assert.ok(await isNoted(id));
  });
});

test('a limit holds for the one statement, not for its COMMIT', async () => {
  const limit = { isOneTrip: true, statementTimeoutMs: 30_000 };
  // It leaves COMMIT half the time that this takes; itself it is not in a hurry.
  const insertSlow = (sql: Sql) => sql`
    insert into slow select length(set_config('statement_timeout', '200', true))`;
  await scratch.database.transaction(insertSlow, limit);
  assert.equal((await scratch.database.sql`select from slow`).count, 1);
  await assert.rejects(
    scratch.database.transaction((sql) => sql`select pg_sleep(${10})`, {
      ...{ ...limit, statementTimeoutMs: 200 },
    }),
    (error) => isSqlState(error, '57014'),
  );
});

test('a server that is not there has done nothing', async () => {
  const database = connectDatabase({ url: 'postgres://a:b@127.0.0.1:1/d', poolSize: 1 });
  for (const options of Object.values(kinds)) {
    await assert.rejects(
      database.transaction(insertNote(newId(), 'x'), options),
      (error) => troubleOf(error) === 'away' && !(error instanceof CommitUnknownError),
    );
  }
  await database.close();
});

test('rows in place of a statement are refused before anything is sent', async () => {
  const id = newId();
  await assert.rejects(
    scratch.database.transaction(async () => 'rows', { isOneTrip: true }),
    /one statement that nobody has awaited/,
  );
  await scratch.database.transaction(insertNote(id, 'x'), { isOneTrip: true });
  assert.ok(await isNoted(id));
});

test('a connection that breaks behind a refusal is nobody else’s', async () => {
  const address = parseDatabaseUrl(scratch.url);
  const sockets = new Set<Socket>();
  let isArmed = false;
  // Over TCP: a reset reaches the driver's statements before it says that the connection closed.
  const server = createServer((client) => {
    const upstream = connect(`${address.hosts[0]}/.s.PGSQL.${address.ports[0]}`);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    client.on('data', (chunk: Buffer) => upstream.write(chunk));
    let heard = Buffer.alloc(0);
    upstream.on('data', (chunk: Buffer) => {
      if (!isArmed) return void client.write(chunk);
      heard = Buffer.concat([heard, chunk]);
      const refusedAt = heard.indexOf('23505');
      const readyAt = refusedAt === -1 ? -1 : heard.indexOf('Z\0\0\0\x05', refusedAt, 'latin1');
      if (readyAt === -1) return;
      // Nothing of the answer to COMMIT. The driver, in this process, reads the rest
      // between the two turns of the event loop.
      isArmed = false;
      upstream.destroy();
      client.write(heard.subarray(0, readyAt + 6), async () => {
        await sleep(0);
        await sleep(0);
        client.resetAndDestroy();
      });
    });
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = scratch.url.replace(/@[^/]*\//, `@127.0.0.1:${port}/`);
  const database = connectDatabase({ url, poolSize: 1 });
  const options = kinds['with a limit'];
  const id = newId();
  await database.transaction(insertNote(id, 'x'), options);
  isArmed = true;
  const refused = database.transaction(insertNote(id, 'again'), options);
  const waiting = database.transaction(insertNote(newId(), 'x'), options);
  const ends = await Promise.allSettled([refused, waiting]);
  await database.close();
  for (const socket of sockets) socket.destroy();
  server.close();
  assert.ok(ends[0].status === 'rejected');
  assert.ok(isSqlState(ends[0].reason, '23505'), String(ends[0].reason));
  assert.equal(ends[1].status, 'fulfilled');
});

/** Stands between a pool of one session and the server. */
interface Relay {
  /** How often the client sent something after it had heard something. */
  turns: number;
  /** What becomes of a statement that says "cut here": it never arrives, or its answer does not. */
  fate: 'lost' | 'done' | null;
  /** Keeps what the server says until the client speaks; resolves when the server has hung up. */
  withhold(): Promise<void>;
}

async function withRelay(
  use: (parts: { readonly database: Database; readonly relay: Relay }) => Promise<void>,
): Promise<void> {
  const address = parseDatabaseUrl(scratch.url);
  const target = `${address.hosts[0]}/.s.PGSQL.${address.ports[0]}`;
  const folder = await mkdtemp(path.join(tmpdir(), 'relay-'));
  const sockets = new Set<Socket>();
  let withheld: { readonly chunks: Buffer[]; readonly hungUp: () => void } | null = null;
  const relay: Relay = {
    turns: 0,
    fate: null,
    withhold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      withheld = { chunks: [], hungUp: resolve };
      return promise;
    },
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    let hasHeard = true;
    let cut: Relay['fate'] = null;
    client.on('data', (chunk: Buffer) => {
      if (withheld) {
        // It speaks to somebody who left: now it hears the last that was said.
        client.end(Buffer.concat(withheld.chunks));
        withheld = null;
        return;
      }
      if (hasHeard) relay.turns += 1;
      hasHeard = false;
      if (relay.fate && chunk.includes('cut here')) {
        // Once: a second try, which must not be, would get through.
        cut = relay.fate;
        relay.fate = null;
      }
      if (cut === 'lost') upstream.destroy();
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      hasHeard = true;
      if (withheld) withheld.chunks.push(chunk);
      else if (cut) client.destroy();
      else client.write(chunk);
    });
    client.on('close', () => upstream.end());
    upstream.on('close', () => (withheld ? withheld.hungUp() : client.destroy()));
  });
  await new Promise<void>((resolve) => {
    server.listen(path.join(folder, '.s.PGSQL.5432'), resolve);
  });
  const url = scratch.url.replace(/@[^/]*\//, `@${encodeURIComponent(folder)}:5432/`);
  const database = connectDatabase({ url, poolSize: 1 });
  try {
    await use({ database, relay });
  } finally {
    await database.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await rm(folder, { recursive: true });
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const startedAtMs = performance.now();
  while (!(await holds())) assert.ok(performance.now() - startedAtMs < 120_000, 'never came');
}
