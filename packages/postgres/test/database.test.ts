import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { after, before, mock, test } from 'node:test';
import { inspect } from 'node:util';
import { nextTurn } from '@servery/support/runner.ts';
import { troubleOf } from '../src/away.ts';
import { CommitUnknownError, connectDatabase, readDatabaseTimeMs } from '../src/database.ts';
import { parseDatabaseUrl } from '../src/database-url.ts';
import { isSqlState } from '../src/postgres-error.ts';
import type { Sql } from '../src/sql.ts';
import { startRelay } from './relay.ts';
import { createEmptyDatabase, type TestDatabase } from './test-database.ts';

let scratch: TestDatabase;

before(async () => {
  scratch = await createEmptyDatabase();
  await scratch.database.sql`create table note (id integer primary key, text text, document json)`;
});
after(() => scratch.drop());

test('values come as the types that stores count on', async () => {
  const [row] = await scratch.database.sql`
    select '0191c1a0-0000-7000-8000-000000000001'::uuid as guid, 12345678901234567890.1234::numeric
           as exact, 9007199254740991::bigint as big, count(*) as count,
           '2026-03-04T05:06:07.089Z'::timestamptz as instant, '2026-03-04'::date as day,
           '{"b":1,"a":[2]}'::json as document, '{"b":1,"a":2}'::json::text as raw,
           array['x','y'] as list, '\\x00ff'::bytea as bytes`;
  assert.deepEqual(
    { ...row },
    {
      guid: '0191c1a0-0000-7000-8000-000000000001',
      exact: '12345678901234567890.1234',
      big: 9007199254740991,
      count: 1,
      instant: new Date('2026-03-04T05:06:07.089Z'),
      day: '2026-03-04',
      document: { b: 1, a: [2] },
      raw: '{"b":1,"a":2}',
      list: ['x', 'y'],
      bytes: Buffer.from([0, 255]),
    },
  );
});

test('a bigint that a number cannot hold exactly is refused, not rounded', async () => {
  await assert.rejects(async () => {
    await scratch.database.sql`select 9007199254740993::bigint as big`;
  }, /9007199254740993 is beyond/);
});

test('json() keeps the order of keys, in a pool and in a transaction', async () => {
  const document = { zulu: 1, alpha: { yankee: [1, 'two'], bravo: null } };
  await scratch.database.sql`
    insert into note (id, document) values (1, ${scratch.database.sql.json(document)})`;
  await scratch.database.transaction(async (sql) => {
    await sql`insert into note (id, document) values (2, ${sql.json('only text')})`;
    await sql`insert into note (id, document) values (3, ${'{"b": 1, "a": 2}'}::text::json)`;
  });
  const rows = await scratch.database.sql`select document::text from note where id < 4 order by id`;
  assert.deepEqual(
    rows.map((row) => row.document),
    [JSON.stringify(document), '"only text"', '{"b": 1, "a": 2}'],
  );
});

test('a transaction gives what it ran, and leaves nothing behind when it throws', async () => {
  const result = await scratch.database.transaction(async (sql) => {
    await sql`insert into note (id) values (10)`;
    return [Promise.resolve('not awaited by the driver')];
  });
  assert.equal(await result[0], 'not awaited by the driver');
  const fault = new Error('changed my mind');
  await assert.rejects(
    scratch.database.transaction(async (sql) => {
      await sql`insert into note (id) values (11)`;
      throw fault;
    }),
    (error) => error === fault,
  );
  const rows = await scratch.database.sql`select id from note where id in (10, 11)`;
  assert.deepEqual([...rows], [{ id: 10 }]);
});

test('a failed statement that was swallowed fails the transaction all the same', async () => {
  await assert.rejects(
    scratch.database.transaction(async (sql) => {
      await sql`insert into note (id) values (12)`;
      await sql`insert into note (id) values (12)`.catch(() => {});
    }),
    (error) => isSqlState(error, '23505'),
  );
  assert.equal((await scratch.database.sql`select 1 from note where id = 12`).length, 0);
});

test('serialization failures are repeated until all transactions are in', async () => {
  await scratch.database.sql`insert into note (id, text) values (20, '0')`;
  const { promise: allHaveRead, resolve } = Promise.withResolvers<void>();
  let attempts = 0;
  const raise = () =>
    scratch.database.transaction(
      async (sql) => {
        const [row] = await sql`select text from note where id = 20`;
        attempts += 1;
        if (attempts === 3) resolve();
        await allHaveRead;
        await sql`update note set text = ${String(Number(row?.text) + 1)} where id = 20`;
      },
      { isolation: 'serializable' },
    );
  await Promise.all([raise(), raise(), raise()]);
  const [row] = await scratch.database.sql`select text from note where id = 20`;
  assert.equal(row?.text, '3');
  assert.ok(attempts > 3, `${attempts} attempts`);
});

test('a deadlock is repeated', async () => {
  await scratch.database.sql`insert into note (id, text) values (30, ''), (31, '')`;
  const { promise: bothHaveOne, resolve } = Promise.withResolvers<void>();
  const { promise: oneIsDone, resolve: reportDone } = Promise.withResolvers<void>();
  let holders = 0;
  const lockBoth = async (ids: number[]) => {
    let attempts = 0;
    await scratch.database.transaction(async (sql) => {
      attempts += 1;
      // Whoever comes again could take the first one before the other has woken up for it.
      if (attempts > 1) await oneIsDone;
      await sql`update note set text = text || 'x' where id = ${ids[0] ?? 0}`;
      holders += 1;
      if (holders === 2) resolve();
      await bothHaveOne;
      await sql`update note set text = text || 'x' where id = ${ids[1] ?? 0}`;
    });
    reportDone();
  };
  await Promise.all([lockBoth([30, 31]), lockBoth([31, 30])]);
  const rows = await scratch.database.sql`select text from note where id in (30, 31)`;
  assert.deepEqual([...rows], [{ text: 'xx' }, { text: 'xx' }]);
  assert.equal(holders, 3);
});

test('a conflict that does not end is given up after six attempts', async () => {
  let attempts = 0;
  await assert.rejects(
    scratch.database.transaction(async (sql) => {
      attempts += 1;
      await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`;
    }),
    (error) => isSqlState(error, '40001'),
  );
  assert.equal(attempts, 6);
});

test('a connection lost before COMMIT is an ordinary failure, whatever is under way', async () => {
  await assert.rejects(
    scratch.database.transaction(async (sql) => {
      await sql`insert into note (id) values (40)`;
      // Statements sent with the fatal one must fail too: never run elsewhere, never hang.
      const others = Array.from({ length: 200 }, (_, index) =>
        sql`insert into note (id) values (${4_000 + index})`.then(
          () => 'done',
          () => 'failed',
        ),
      );
      const fatal = sql`select pg_terminate_backend(pg_backend_pid())`.catch(() => 'failed');
      const late = sql`insert into note (id) values (41)`.catch(() => 'failed');
      assert.equal(await fatal, 'failed');
      assert.equal(await late, 'failed');
      await Promise.all(others);
      await sql`insert into note (id) values (42)`;
    }),
    (error) => !(error instanceof CommitUnknownError),
  );
  const rows = await scratch.database.sql`
    select id from note where id between 40 and 42 or id >= 4000`;
  assert.deepEqual([...rows], []);
});

test('a pool whose connections were all ended is as good as new', async () => {
  const database = connectDatabase({ url: scratch.url, poolSize: 4, applicationName: 'victim' });
  const ask = () => Promise.all([1, 2, 3, 4].map((n) => database.sql`select ${n}::integer as n`));
  for (let round = 0; round < 5; round += 1) {
    await ask();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Ended while statements are being sent: what fails may fail, but nothing hangs afterwards.
    const disturbed = Promise.allSettled([ask(), promise.then(ask), ask()]);
    // One that is about to end would still be taken for a connection afterwards.
    await scratch.database.sql`
      select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where application_name = 'victim'`;
    resolve();
    await disturbed;
    const answer = await database.transaction(async (sql) => await sql`select 1 as n`);
    assert.equal(answer[0]?.n, 1);
  }
  await database.close();
});

test('a transaction begun along with its statements is one, though its connection had been lost', async (t) => {
  const relay = await startRelay(scratch.url, { word: 'begin', arrives: false });
  const database = connectDatabase({ url: relay.url, poolSize: 1 });
  t.after(async () => {
    await database.close();
    await relay.close();
  });
  const rows = await database.transaction(
    (sql) =>
      Promise.all([sql`insert into note (id) values (600) returning id`, sql`select 1 as n`]),
    { isBegunAlong: true },
  );
  assert.deepEqual(rows.flat(), [{ id: 600 }, { n: 1 }]);
  await assert.rejects(
    database.transaction(
      async (sql) => {
        await sql`insert into note (id) values (601)`;
        throw new Error('given up');
      },
      { isBegunAlong: true },
    ),
    /given up/,
  );
  const kept = await database.sql`select id from note where id between 600 and 601`;
  assert.deepEqual([...kept], [{ id: 600 }]);
});

test('a transaction whose BEGIN is refused keeps nothing and says why, though its statements were sent along', async () => {
  const run = async (sql: Sql) => {
    const first = sql`insert into note (id) values (606)`.catch(() => {});
    await first;
    await sql`insert into note (id) values (607)`;
  };
  await assert.rejects(
    scratch.database.transaction(run, { isBegunAlong: true, statementTimeoutMs: -1 }),
    /statement_timeout/,
  );
  const kept = await scratch.database.sql`select id from note where id in (606, 607)`;
  assert.deepEqual([...kept], []);
});

test('a statement of a transaction that has ended is refused', async () => {
  let stolen = scratch.database.sql;
  await scratch.database.transaction(async (sql) => {
    stolen = sql;
    await sql`select 1`;
  });
  await assert.rejects(async () => {
    await stolen`select 1`;
  }, /transaction of this statement has ended/);
});

test('a failed statement that nobody awaited fails the transaction', async () => {
  await assert.rejects(
    scratch.database.transaction(async (sql) => {
      await sql`insert into note (id) values (43)`;
      sql`insert into note (id) values (43)`.catch(() => {});
    }),
    /rolled back|duplicate key/,
  );
  assert.equal((await scratch.database.sql`select 1 from note where id = 43`).length, 0);
});

test('pieces of SQL join, each with its parameters', async () => {
  const { sql } = scratch.database;
  const wanted = sql`n > ${2} and n < ${5}`;
  const rows = await sql`
    select n from unnest(${[1, 2, 3, 4, 5]}::integer[]) as n where ${wanted} order by n`;
  assert.deepEqual([...rows], [{ n: 3 }, { n: 4 }]);
  assert.equal(rows.count, 2);
});

test('an error names the place where its statement was written', async () => {
  async function writeFaultyStatement() {
    await scratch.database.sql`select nothing from nowhere`;
  }
  await assert.rejects(writeFaultyStatement, (error: Error & { origin?: string }) => {
    assert.match(error.origin ?? '', /^at writeFaultyStatement .*database\.test\.ts:\d+/);
    return isSqlState(error, '42P01');
  });
});

test('a transaction is served although single statements keep every connection busy', async () => {
  const database = connectDatabase({ url: scratch.url, poolSize: 2 });
  let isServed = false;
  const keepBusy = async () => {
    while (!isServed) await database.sql`select pg_sleep(0.002)`;
  };
  const busy = [1, 2, 3, 4, 5, 6].map(keepBusy);
  await database.sql`select 1`;
  await database.transaction(async (sql) => await sql`select 1`);
  isServed = true;
  await Promise.all(busy);
  await database.close();
});

test('a caller that gets no free connection in time is told so', async () => {
  const database = connectDatabase({ url: scratch.url, poolSize: 1 });
  await database.transaction(async (sql) => {
    await sql`select 1`;
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let isTold = false;
      const told = assert.rejects(
        database.sql`select 1`.finally(() => {
          isTold = true;
        }),
        (error) => troubleOf(error) === 'busy' && /was free for 30000 ms/.test(String(error)),
      );
      assert.equal(database.pool().waitingStatements, 1);
      mock.timers.tick(29_999);
      await nextTurn();
      assert.equal(isTold, false);
      mock.timers.tick(1);
      await told;
    } finally {
      mock.timers.reset();
    }
  });
  await database.sql`select 1`;
  await database.close();
  await assert.rejects(async () => {
    await database.sql`select 1`;
  }, /pool is closed/);
});

for (const { arrives, id } of [
  { arrives: true, id: 50 },
  { arrives: false, id: 51 },
]) {
  const fate = arrives ? 'arrives' : 'is lost';
  test(`a COMMIT that ${fate} but is not answered is reported as unknown`, async () => {
    const relay = await startRelay(scratch.url, { word: 'commit', arrives });
    const database = connectDatabase({ url: relay.url, poolSize: 1 });
    try {
      await assert.rejects(
        database.transaction((sql) => sql`insert into note (id) values (${id})`),
        (error) => error instanceof CommitUnknownError && error.cause instanceof Error,
      );
      const rows = await scratch.database.sql`select 1 from note where id = ${id}`;
      assert.equal(rows.length, arrives ? 1 : 0);
      // The pool is whole: the next statement opens a fresh connection.
      await database.sql`select 1`;
    } finally {
      await database.close();
      await relay.close();
    }
  });
}

test('a COMMIT that the server refuses is a failure, not unknown', async () => {
  await scratch.database.sql`
    create table checked_late (id integer references note (id) deferrable initially deferred)`;
  await assert.rejects(
    scratch.database.transaction((sql) => sql`insert into checked_late values (999)`),
    (error) => isSqlState(error, '23503') && !(error instanceof CommitUnknownError),
  );
});

test('the password shows in no error and no inspection', async () => {
  const url = scratch.url.replace(/:[^:@]*@/, ':hunter2@');
  const database = connectDatabase({ url, poolSize: 1 });
  const unreachable = connectDatabase({ url: 'postgres://a:hunter2@127.0.0.1:1/d', poolSize: 1 });
  const seen = [inspect(database, { depth: 12, showHidden: true }), JSON.stringify(database)];
  for (const candidate of [database, unreachable]) {
    await assert.rejects(
      async () => {
        await candidate.sql`select 1`;
      },
      (error) => seen.push(inspect(error, { depth: 12, showHidden: true })) > 0,
    );
    await candidate.close();
  }
  assert.equal(seen.length, 4);
  for (const text of seen) assert.doesNotMatch(text, /hunter2/);
});

test('statements and idle transactions have limits, and the session is in UTC', async () => {
  const [row] = await scratch.database.sql`
    select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement,
           current_setting('idle_in_transaction_session_timeout') as idle`;
  assert.deepEqual({ ...row }, { zone: 'UTC', statement: '30s', idle: '1min' });
  const database = connectDatabase({ url: scratch.url, poolSize: 1, statementTimeoutMs: 50 });
  await assert.rejects(
    async () => {
      await database.sql`select pg_sleep(10)`;
    },
    (error) => isSqlState(error, '57014'),
  );
  await database.close();
});

test('the limit of one transaction holds for its statements, not for its COMMIT', async () => {
  const { sql } = scratch.database;
  await sql.unsafe(`
    create table slow (id integer);
    create function take_time() returns trigger language plpgsql
      as $$ begin perform pg_sleep(0.4); return null; end $$;
    create constraint trigger slow_commit after insert on slow
      deferrable initially deferred for each row execute function take_time()`);
  await scratch.database.transaction(
    async (transaction) => {
      await transaction`insert into slow values (1)`;
      // From here on COMMIT alone has to do with it: no statement is so slow by accident.
      const [row] = await transaction`
      select current_setting('statement_timeout') as statement,
             set_config('statement_timeout', '200', true) as left`;
      assert.deepEqual({ ...row }, { statement: '30001ms', left: '200ms' });
    },
    { statementTimeoutMs: 30_001 },
  );
  assert.equal((await sql`select from slow`).count, 1);
  await assert.rejects(
    scratch.database.transaction(
      async (transaction) => {
        await transaction`select pg_sleep(10)`;
      },
      { statementTimeoutMs: 200 },
    ),
    (error) => isSqlState(error, '57014'),
  );
  await scratch.database.transaction(async (transaction) => {
    await transaction`select pg_sleep(0.4)`;
  });
});

test("the database's clock is read in epoch milliseconds", async () => {
  const earliest = Date.now() - 60_000;
  const nowMs = await readDatabaseTimeMs(scratch.database.sql);
  assert.ok(nowMs > earliest && nowMs < earliest + 120_000, String(nowMs));
});

test('a server that hangs up while a connection is made fails the statement at once', async () => {
  const rude = createServer((socket) => socket.once('data', () => socket.destroy()));
  const port = await listen(rude);
  // Whoever waits for this limit is not told at once, however slow the machine is.
  const connectTimeoutMs = 120_000;
  const database = connectDatabase({
    ...{ url: `postgres://a:b@127.0.0.1:${port}/d`, connectTimeoutMs },
  });
  const startedAt = performance.now();
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => database.sql`select 1`));
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'));
  assert.ok(performance.now() - startedAt < connectTimeoutMs / 2);
  await database.close();
  await new Promise((resolve) => {
    rude.close(resolve);
  });
});

test('of several hosts over TCP the first that will have a connection is used', async () => {
  const address = parseDatabaseUrl(scratch.url);
  const target = `${address.hosts[0]}/.s.PGSQL.${address.ports[0]}`;
  const relay = createServer((client) => {
    const upstream = connect(target);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  });
  const port = await listen(relay);
  // A port that was free a moment ago may be another process's by now; nobody is given this one.
  const hosts = `127.0.0.1:1,127.0.0.1:${port}`;
  const several = scratch.url.replace(/@[^/]*\//, `@${hosts}/`);
  const database = connectDatabase({ url: several });
  const rows = await Promise.all([1, 2, 3].map((n) => database.sql`select ${n}::integer as n`));
  assert.deepEqual(
    rows.map(([row]) => row?.n),
    [1, 2, 3],
  );
  await database.close();

  await scratch.database.sql.unsafe(`alter database ${address.database}
    set default_transaction_read_only = on`);
  const writer = connectDatabase({ url: `${several}?target_session_attrs=read-write` });
  await assert.rejects(async () => {
    await writer.sql`select 1`;
  }, /is read-only|ECONNREFUSED/);
  await writer.close();
  await scratch.database.sql.unsafe(`alter database ${address.database}
    reset default_transaction_read_only`);
  relay.close();
  relay.unref();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
