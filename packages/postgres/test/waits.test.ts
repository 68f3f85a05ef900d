import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { troubleOf } from '../src/away.ts';
import { CommitUnknownError, connectDatabase, type Database } from '../src/database.ts';
import { parseDatabaseUrl } from '../src/database-url.ts';
import { createEmptyDatabase, type TestDatabase } from './test-database.ts';

let scratch: TestDatabase;
before(async () => {
  scratch = await createEmptyDatabase();
  await scratch.database.sql.unsafe('create table note (id integer primary key)');
});
after(() => scratch.drop());

const PATIENCE = { silenceMs: 200, probeMs: 2_000, marginMs: 500 };
/** No machine holds a process for so long that the test does not see the end of a wait. */
const LONG_MS = 240_000;

/** A way to the server on which everything stops, and goes on. */
interface Way {
  /** Nothing gets through anymore, neither on old connections nor on new ones. */
  freeze(of: 'all' | 'old'): void;
  thaw(): void;
}

/** Listens at a path, or at a port of this machine that the caller learns from the server. */
async function openWay(listen: string | { readonly port: 0; readonly host: string }) {
  const { hosts, ports } = parseDatabaseUrl(scratch.url);
  const sockets = new Set<Socket>();
  let frozen: 'all' | 'old' | null = null;
  const server: Server = createServer((client) => {
    const upstream = connect(`${hosts[0]}/.s.PGSQL.${ports[0]}`);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('data', (chunk) => to.write(chunk));
      from.on('close', () => to.destroy());
    }
    if (frozen === 'all') client.pause();
  });
  await once(server.listen(listen), 'listening');
  const way = {
    freeze(of: 'all' | 'old') {
      frozen = of;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = null;
      for (const socket of sockets) socket.resume();
    },
    close() {
      way.thaw();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return { ...way, server };
}

async function withWay(work: (way: Way, database: Database) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'way-'));
  const way = await openWay(path.join(folder, '.s.PGSQL.5432'));
  const database = connectDatabase({
    url: scratch.url.replace(/@[^/]*\//, `@${encodeURIComponent(folder)}:5432/`),
    patience: PATIENCE,
    connectTimeoutMs: 3_000,
    poolSize: 2,
  });
  try {
    await work(way, database);
  } finally {
    way.thaw();
    await database.close();
    way.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const ids = () => scratch.database.sql<{ id: number }[]>`select id from note order by id`;

test('a statement whose server gives no answer fails, and the next one is served again', {
  timeout: LONG_MS,
}, async () => {
  await withWay(async (way, { sql, pool }) => {
    await sql`select 1`;
    way.freeze('all');
    await assert.rejects(
      sql`select 1`.then(),
      (error) => troubleOf(error) === 'unknown' && /gave no answer for \d+ ms/.test(String(error)),
    );
    // Nobody is served by a connection that was given up.
    await assert.rejects(sql`select 1`.then(), (error) => troubleOf(error) !== null);
    way.thaw();
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }]);
    assert.equal(pool().held, 0);
  });
});

test('a COMMIT whose server gives no answer is unknown, and it may be done after all', {
  timeout: LONG_MS,
}, async () => {
  await withWay(async (way, database) => {
    const isOneTrip = true;
    await database.transaction((sql) => sql`insert into note values (1)`, { isOneTrip });
    way.freeze('all');
    await assert.rejects(
      database.transaction((sql) => sql`insert into note values (2)`, { isOneTrip }),
      (error) => error instanceof CommitUnknownError || troubleOf(error) === 'away',
    );
    way.thaw();
    await database.transaction((sql) => sql`insert into note values (3)`, { isOneTrip });
    const found = (await ids()).map(({ id }) => id).filter((id) => id !== 2);
    assert.deepEqual(found, [1, 3]);
  });
});

test('a statement that only takes long is waited for while its server answers others', {
  timeout: LONG_MS,
}, async () => {
  const database = connectDatabase({ url: scratch.url, patience: PATIENCE });
  try {
    // Far longer than the silence after which the server is asked, several times.
    await database.sql`select pg_sleep(2)`;
  } finally {
    await database.close();
  }
});

test('an answer that never comes is given up although the server answers others', {
  timeout: LONG_MS,
}, async () => {
  await withWay(async (way, database) => {
    await database.sql`select 1`;
    way.freeze('old');
    const limits = { statementTimeoutMs: 1_000 };
    await assert.rejects(
      database.transaction((sql) => sql`select 1`, limits),
      (error) => troubleOf(error) === 'unknown',
    );
    assert.deepEqual([...(await database.sql`select 1 as one`)], [{ one: 1 }]);
  });
});

test('a host that hangs is left with all its idle connections, and the next one is asked', {
  timeout: LONG_MS,
}, async () => {
  const listen = { port: 0, host: '127.0.0.1' } as const;
  const [first, second] = [await openWay(listen), await openWay(listen)];
  const hosts = [first, second].map(
    ({ server }) => `127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const database = connectDatabase({
    url: scratch.url.replace(/@[^/]*\//, `@${hosts}/`),
    patience: PATIENCE,
    poolSize: 4,
  });
  const { sql } = database;
  const isUnknown = (error: unknown) => troubleOf(error) === 'unknown';
  try {
    await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.1)`));
    assert.equal(database.pool().idle, 4);
    first.freeze('all');
    await assert.rejects(sql`select 1`.then(), isUnknown);
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }]);
    first.thaw();
    second.freeze('all');
    await assert.rejects(sql`select 1`.then(), isUnknown);
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }]);
  } finally {
    second.thaw();
    await database.close();
    first.close();
    second.close();
  }
});
