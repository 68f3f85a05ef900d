import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { makeSql, type Row, type Rows } from '@servery/postgres/sql.ts';
import fc from 'fast-check';
import { startRelay } from '../../../postgres/test/relay.ts';
import { connectDatabase, type Database, type Sql } from '../../src/database/database.ts';
import { migratePlatform, readPlatformMigrations } from '../../src/database/migrations.ts';
import { Cache, type Sight } from '../../src/freshness/cache.ts';
import { type Revision, updateMarks } from '../../src/freshness/change-mark-store.ts';
import { Freshness, type Stamp, type Subject, stampOf } from '../../src/freshness/freshness.ts';
import { BUCKETS, bucketOf, EVERYTHING } from '../../src/freshness/subjects.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const BISTRO: Subject = 'stock:bistro';
const DINER: Subject = 'stock:diner';

let scratch: TestDatabase;
/** Two pools on one database are two processes. */
let own: Database;
let other: Database;

before(async () => {
  scratch = await createTestDatabase();
  own = scratch.database;
  other = connectDatabase({ url: scratch.url });
  await own.sql`create table note (id integer primary key, about text)`;
});
after(async () => {
  await other.close();
  await scratch.drop();
});

let made = 0;
/** The id of a note that is not there. */
function newId(): number {
  made += 1;
  return made;
}

/** Writes a note that changes the subjects. */
const note = (sql: Sql, subjects: readonly Subject[], id = newId()) =>
  sql.touching(subjects)`insert into note (id, about) values (${id}, ${subjects.join(' ')})`;

const stampNow = ({ freshness }: Pick<Database, 'freshness'>, subject: Subject): Stamp =>
  stampOf(freshness.begin(), [subject]);

const look = (process: Database) => process.freshness.look(process.sql);

/** The counter of a subject, as the database has it. */
async function revisionOf(subject: Subject): Promise<number> {
  const [row] = await scratch.database.sql<[{ revision: number }]>`
    select coalesce(max(revision), 0)::float8 as revision
    from change_mark where bucket = ${bucketOf(subject)}`;
  return row.revision;
}

/** A time, and a wall clock, that stand still until a test moves them. */
function stopwatch(): { nowMs: number; wallMs: number; readonly freshness: Freshness } {
  const time = { nowMs: 0, wallMs: 1_000_000 };
  const freshness = new Freshness(
    () => time.nowMs,
    null,
    () => time.wallMs,
  );
  return Object.assign(time, { freshness });
}

/** What a look is answered, when the test says so. */
function slowMarks() {
  const asked: PromiseWithResolvers<Row[]>[] = [];
  const sql = makeSql(async () => {
    const question = Promise.withResolvers<Row[]>();
    asked.push(question);
    return (await question.promise) as Rows<Row[]>;
  });
  /** Answers a look, counted from 0, once it was sent. */
  const answer = async (index: number, rows: Row[]) => {
    while (!asked[index]) await Promise.resolve();
    asked[index].resolve(rows);
  };
  return { sql, answer };
}

const marks = (revision: number, raised: number[] = []): Row[] => {
  const pairs = raised.map((bucket) => `${bucket} ${revision}`);
  return [{ raised: pairs.join(','), serverStartedAt: '1.5' }];
};

/** Answers a look at once. */
const told = (row: Row) => makeSql(async () => [row] as Row[] as Rows<Row[]>);

test('in a cluster, what is read is kept only once the workers have the change, too', async () => {
  const { freshness } = stopwatch();
  const bucket = bucketOf(BISTRO);
  let settled = 7;
  const cluster = (row: object) =>
    makeSql(async ([text = '']) => {
      const rows = text.includes('from pg_dist') ? [{ settled: String(settled) }] : [row];
      return rows as Row[] as Rows<Row[]>;
    });
  const seen = (total: number, snapshot: string) =>
    cluster({ ...marks(total, [bucket])[0], snapshot, isCluster: true });
  await freshness.look(seen(0, '7:7:'));
  const kept = () => freshness.isCurrent(stampOf(freshness.begin(), [BISTRO]));
  assert.ok(kept());
  await freshness.look(seen(1, '7:9:8'));
  const early = stampOf(freshness.begin(), [BISTRO]);
  assert.equal(kept(), false, 'the coordinator has committed, and maybe no worker has');
  settled = 8;
  await freshness.look(seen(1, '9:9:'));
  assert.equal(kept(), false);
  settled = 9;
  await freshness.look(seen(1, '9:9:'));
  assert.equal(freshness.isCurrent(early), false, 'it may be older than the change');
  assert.ok(kept());
  await freshness.look(
    cluster({ ...marks(1, [EVERYTHING])[0], snapshot: '9:11:10', isCluster: true }),
  );
  assert.equal(kept(), false, 'the workers may not be migrated');
  settled = 11;
  await freshness.look(seen(1, '11:11:'));
  assert.ok(kept());
  const cache = new Cache<object>({ freshness, maxBytes: 1_000, bytesOf: () => 1 });
  const read = async (sight: Sight | null) => ({ sight });
  const { value } = (await cache.get('bistro', [BISTRO], read)) ?? {};
  assert.deepEqual(value, { sight: null }, 'counters and rows are on different nodes');
});

test('an own change is known before its transaction has an answer', async () => {
  const [changed, unchanged] = [stampNow(own, BISTRO), stampNow(own, DINER)];
  await own.transaction(async (sql) => {
    await note(sql, [BISTRO]);
    assert.ok(own.freshness.isCurrent(changed), 'nothing has happened before the COMMIT');
  });
  assert.equal(own.freshness.isCurrent(changed), false);
  assert.ok(own.freshness.isCurrent(unchanged));
  assert.ok(own.freshness.isCurrent(stampNow(own, BISTRO)), 'what is read from now on');
});

test("another process's change is known after a look, and not before", async () => {
  await look(other);
  const [changed, unchanged] = [stampNow(other, BISTRO), stampNow(other, DINER)];
  await look(other);
  assert.ok(other.freshness.isCurrent(changed), 'a look that learns nothing changes nothing');
  await own.transaction((sql) => note(sql, [BISTRO]));
  assert.ok(other.freshness.isCurrent(changed));
  await look(other);
  assert.equal(other.freshness.isCurrent(changed), false);
  assert.ok(other.freshness.isCurrent(unchanged));
});

test('of transactions that end in any order, a look finds each that has ended', async () => {
  const open: { readonly subject: Subject; readonly end: () => Promise<unknown> }[] = [];
  const begin = async (subject: Subject) => {
    const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const running = own.transaction(async (sql) => {
      await note(sql, [subject]);
      begun.resolve();
      await ending.promise;
    });
    await begun.promise;
    const end = () => {
      ending.resolve();
      return running;
    };
    open.push({ subject, end });
  };
  const step = fc.record({ begins: fc.boolean(), which: fc.nat(3) });
  const steps = fc.sample(step, { seed: 40, numRuns: 60 });
  for (const { begins, which } of steps) {
    if (begins && open.length < 4) await begin(`stock:${which}`);
    await look(other);
    const kept = new Map(open.map(({ subject }) => [subject, stampNow(other, subject)]));
    const [ended] = begins ? [] : open.splice(which % Math.max(1, open.length), 1);
    await ended?.end();
    await look(other);
    for (const [subject, stamp] of kept) {
      assert.equal(other.freshness.isCurrent(stamp), subject !== ended?.subject, subject);
    }
  }
  await Promise.all(open.map(({ end }) => end()));
});

test("another process's change is known once something was read that may show it", async () => {
  await look(other);
  const [changed, unchanged] = [stampNow(other, BISTRO), stampNow(other, DINER)];
  await other.freshness.confirm([bucketOf(BISTRO)]);
  assert.ok(other.freshness.isCurrent(changed), 'nothing has changed');
  await own.transaction((sql) => note(sql, [BISTRO]));
  await other.freshness.confirm([bucketOf(DINER)]);
  assert.ok(other.freshness.isCurrent(changed), 'nothing was read of it');
  await other.freshness.confirm([bucketOf(BISTRO)]);
  assert.equal(other.freshness.isCurrent(changed), false);
  assert.ok(other.freshness.isCurrent(unchanged));
});

test('who has read a part of what was changed at once uses nothing older of the rest', async () => {
  await look(other);
  const [ofBistro, ofDiner] = [stampNow(other, BISTRO), stampNow(other, DINER)];
  await own.transaction((sql) => note(sql, [BISTRO, DINER]));
  const confirming = other.freshness.confirm([bucketOf(BISTRO)]);
  assert.ok(other.freshness.isCurrent(ofDiner), 'nobody has heard of it');
  await confirming;
  assert.equal(other.freshness.isCurrent(ofBistro), false);
  assert.equal(other.freshness.isCurrent(ofDiner), false);
});

test('an own change is no news to a reading or a look that comes after it', async () => {
  await look(own);
  await own.transaction((sql) => note(sql, [BISTRO]));
  const stamp = stampNow(own, BISTRO);
  await own.freshness.confirm([bucketOf(BISTRO)]);
  await look(own);
  assert.ok(own.freshness.isCurrent(stamp));
});

test('what is rolled back raises nothing', async () => {
  const [before, stamp] = [await revisionOf(BISTRO), stampNow(own, BISTRO)];
  const fault = new Error('changed my mind');
  await assert.rejects(
    own.transaction(async (sql) => {
      await note(sql, [BISTRO]);
      throw fault;
    }),
    (error) => error === fault,
  );
  assert.equal(await revisionOf(BISTRO), before);
  assert.ok(own.freshness.isCurrent(stamp));
});

test('a statement outside of a transaction gets one of its own', async () => {
  const [before, stamp] = [await revisionOf(BISTRO), stampNow(own, BISTRO)];
  const { count } = await note(own.sql, [BISTRO]);
  assert.equal(count, 1);
  assert.equal(await revisionOf(BISTRO), before + 1);
  assert.equal(own.freshness.isCurrent(stamp), false);
  const id = newId();
  await note(own.sql, [], id);
  await assert.rejects(
    async () => await note(own.sql, [BISTRO], id),
    (error) => isSqlState(error, '23505'),
  );
  assert.equal(await revisionOf(BISTRO), before + 1, 'a statement that fails raises nothing');
});

test('where only the answer tells what was changed, its rows do', async () => {
  const ids = [newId(), newId()] as const;
  await own.sql`insert into note (id, about) values (${ids[0]}, 'bistro'), (${ids[1]}, 'diner')`;
  const [before, stamps] = [await revisionOf(DINER), [BISTRO, DINER].map((s) => stampNow(own, s))];
  const named = own.sql.touching((rows) => rows.map(({ about }) => `stock:${about}` as const));
  await named`delete from note where id = ${ids[0]} returning about`;
  assert.deepEqual(
    stamps.map((stamp) => own.freshness.isCurrent(stamp)),
    [false, true],
  );
  assert.equal(await revisionOf(DINER), before);
});

test('a subject that is changed often in one transaction is raised once', async () => {
  const before = await revisionOf(BISTRO);
  await own.transaction(async (sql) => {
    for (const _ of [1, 2, 3]) await note(sql, [BISTRO]);
  });
  assert.equal(await revisionOf(BISTRO), before + 1);
});

for (const arrives of [true, false]) {
  const fate = arrives ? 'arrives' : 'is lost';
  test(`a COMMIT that ${fate} unanswered counts as a change`, async () => {
    const relay = await startRelay(scratch.url, { word: 'commit', arrives });
    const database = connectDatabase({ url: relay.url, poolSize: 1 });
    try {
      const [before, stamp] = [await revisionOf(BISTRO), stampNow(database, BISTRO)];
      await assert.rejects(
        database.transaction((sql) => note(sql, [BISTRO])),
        (error) => error instanceof CommitUnknownError,
      );
      assert.equal(database.freshness.isCurrent(stamp), false);
      // Whoever else remembers it hears of it with the change itself, and only then.
      const expected = arrives ? before + 1 : before;
      while ((await revisionOf(BISTRO)) !== expected) await own.sql`select pg_sleep(0.01)`;
    } finally {
      await database.close();
      await relay.close();
    }
  });
}

test('counters are sent before the COMMIT that is sent next', async () => {
  const sent: string[] = [];
  const sql = makeSql(async (strings) => {
    sent.push(String(strings));
    return [] as Row[] as Rows<Row[]>;
  });
  const raised = updateMarks(sql, [bucketOf(BISTRO)]);
  assert.match(sent.join(), /into change_mark/, 'not only when somebody waits for it');
  await raised;
  assert.equal(sent.length, 1);
});

test('a transaction whose counters cannot be raised is not committed', async () => {
  const id = newId();
  const limits = { statementTimeoutMs: 100 };
  await own.transaction(async (sql) => {
    await sql`select from change_mark where bucket = ${bucketOf(BISTRO)} for update`;
    const refused = other.transaction((later) => note(later, [BISTRO], id), limits);
    await assert.rejects(refused, (error) => isSqlState(error, '57014'));
  });
  assert.equal((await own.sql`select from note where id = ${id}`).count, 0);
});

test('many changes of the same subjects in opposite orders all finish', async () => {
  const subjects = Array.from({ length: 60 }, (_, n): Subject => `restaurant:${n}`);
  const before = await revisionOf(BISTRO);
  const write = (process: Database, order: readonly Subject[]) =>
    process.transaction(async (sql) => {
      for (const subject of order) await note(sql, [subject, BISTRO]);
    });
  const backwards = subjects.toReversed();
  const rounds = Array.from({ length: 6 }, () => [write(own, subjects), write(other, backwards)]);
  await Promise.all(rounds.flat());
  assert.equal(await revisionOf(BISTRO), before + 12);
});

test('a conflict over counters repeats the transaction', async () => {
  const before = await revisionOf(BISTRO);
  const ids = [newId(), newId(), newId()];
  const { promise: allHaveBegun, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const write = (id: number) =>
    own.transaction(
      async (sql) => {
        await note(sql, [BISTRO], id);
        begun += 1;
        if (begun === 3) resolve();
        await allHaveBegun;
      },
      { isolation: 'repeatable read' },
    );
  await Promise.all(ids.map(write));
  assert.equal(await revisionOf(BISTRO), before + 3);
  assert.ok(begun > 3, `${begun} attempts`);
});

test('a statement that is sent in one trip cannot change what others remember', async () => {
  const id = newId();
  await assert.rejects(
    own.transaction((sql) => note(sql, [BISTRO], id), { isOneTrip: true }),
    ({ cause }: Error) => /take a transaction/.test(String(cause)),
  );
  assert.equal((await own.sql`select from note where id = ${id}`).count, 0);
});

test('nothing is good before the first look, nor 700 ms after the last one was sent', async () => {
  const time = stopwatch();
  assert.equal(time.freshness.isKnown(), false);
  await time.freshness.look(own.sql);
  time.nowMs = 700;
  assert.ok(time.freshness.isKnown());
  time.nowMs = 700.1;
  assert.equal(time.freshness.isKnown(), false);
});

test('a look counts from when it was sent, however long its answer takes', async () => {
  const time = stopwatch();
  const { sql, answer } = slowMarks();
  const looking = time.freshness.look(sql);
  time.nowMs = 699;
  await answer(0, marks(1));
  await looking;
  assert.ok(time.freshness.isKnown());
  time.nowMs = 701;
  assert.equal(time.freshness.isKnown(), false);
});

test('a look that fails is told, and adds no time', async () => {
  const time = stopwatch();
  await time.freshness.look(own.sql);
  time.nowMs = 500;
  const away = connectDatabase({ url: 'postgres://a:b@127.0.0.1:1/d', poolSize: 1 });
  await assert.rejects(time.freshness.look(away.sql));
  await away.close();
  assert.ok(time.freshness.isKnown());
  time.nowMs = 701;
  assert.equal(time.freshness.isKnown(), false);
});

test('a machine that slept knows nothing until it has looked', async () => {
  const time = stopwatch();
  await time.freshness.look(own.sql);
  time.nowMs = 100;
  time.wallMs += 200;
  assert.ok(time.freshness.isKnown(), 'clocks do not run quite alike');
  time.wallMs += 1;
  assert.equal(time.freshness.isKnown(), false);
  await time.freshness.look(own.sql);
  assert.ok(time.freshness.isKnown());
  time.wallMs -= 3_600_000;
  assert.ok(time.freshness.isKnown(), 'a clock that is put back says nothing of sleep');
});

test('a look that is held up between the clocks is no proof that nobody slept', async () => {
  const time = { nowMs: 0, wallMs: 0 };
  let heldUpMs = 500;
  /** Whoever has read one clock is stopped before he reads the other. */
  const read = (clock: 'nowMs' | 'wallMs') => {
    const ms = time[clock];
    time.nowMs += heldUpMs;
    time.wallMs += heldUpMs;
    heldUpMs = 0;
    return ms;
  };
  const freshness = new Freshness(
    () => read('nowMs'),
    null,
    () => read('wallMs'),
  );
  await freshness.look(own.sql);
  time.wallMs += 300;
  assert.equal(freshness.isKnown(), false);
});

test('what another server answers makes all be forgotten, be the counters the same', async () => {
  const time = stopwatch();
  const [row] = marks(7, [bucketOf(BISTRO)]) as [Row];
  await time.freshness.look(told(row));
  const stamp = stampNow(time, BISTRO);
  await time.freshness.look(told({ ...row, raised: null }));
  assert.ok(time.freshness.isCurrent(stamp));
  // It may have come to these counters by other changes.
  const other = { ...row, serverStartedAt: '1.6' };
  await time.freshness.look(told(other));
  assert.equal(time.freshness.isCurrent(stamp), false);
  const later = stampNow(time, BISTRO);
  await time.freshness.look(told(other));
  assert.ok(time.freshness.isCurrent(later));
});

test('a replica is new enough only if it follows the server of the last look', async () => {
  const time = stopwatch();
  const bucket = bucketOf(BISTRO);
  const [row] = marks(7, [bucket]) as [Row];
  const has = (revision: number, serverStartedAt = '1.5') => {
    const revisions = [{ bucket, revision }];
    return time.freshness.isReachedBy([bucket], { revisions, serverStartedAt });
  };
  assert.equal(has(9), false, 'nothing is known yet');
  await time.freshness.look(told(row));
  assert.deepEqual([has(6), has(7), has(9), has(9, '1.6')], [false, true, true, false]);
  time.freshness.changed([bucket]);
  assert.equal(has(9), false, 'something new was read, and its counter is not known');
  time.nowMs += 1;
  await time.freshness.look(told({ ...row, raised: null }));
  assert.ok(has(7));
  time.freshness.doubt([bucket]);
  assert.equal(has(9), false);
  // A server that took over may lack changes that a replica of the old one has.
  const other = { ...row, serverStartedAt: '1.6' };
  time.nowMs += 60_000;
  await time.freshness.look(told(other));
  assert.deepEqual([has(7, '1.6'), has(7, '1.5')], [true, false]);
  const cluster = { ...other, isCluster: true, snapshot: '9:9:', settled: '9' };
  await time.freshness.look(told(cluster));
  assert.equal(has(7, '1.6'), false, 'rows of a cluster may be older than its counters');
});

test('a counter that goes back makes a process forget all', async () => {
  const time = stopwatch();
  await time.freshness.look(told(marks(7, [bucketOf(DINER)])[0] as Row));
  const stamp = stampNow(time, BISTRO);
  await time.freshness.look(told(marks(8, [bucketOf(DINER)])[0] as Row));
  assert.ok(time.freshness.isCurrent(stamp));
  await time.freshness.look(told(marks(6, [bucketOf(DINER)])[0] as Row));
  assert.equal(time.freshness.isCurrent(stamp), false);
});

test('a look that was sent before an own change makes nobody forget all', async () => {
  const time = stopwatch();
  const { sql, answer } = slowMarks();
  await time.freshness.look(told(marks(7, [bucketOf(DINER)])[0] as Row));
  const stamp = stampNow(time, BISTRO);
  const looking = time.freshness.look(sql);
  const bucket = bucketOf(DINER);
  time.freshness.committed([bucket], [{ bucket, revision: 8 }]);
  await answer(0, marks(7, [bucket]));
  await looking;
  assert.ok(time.freshness.isCurrent(stamp));
});

test('the server that answers is told from one that was started at another time', async () => {
  const answered: string[] = [];
  const seen = makeSql(async (strings, values) => {
    const rows = await own.sql(strings as TemplateStringsArray, ...(values ?? []));
    answered.push(...rows.map(({ serverStartedAt }) => String(serverStartedAt)));
    return rows as Rows<Row[]>;
  });
  await stopwatch().freshness.look(seen);
  const [row] = await own.sql<{ startedAt: number }[]>`
    select extract(epoch from pg_postmaster_start_time())::float8 as "startedAt"`;
  assert.ok(Number(answered[0]) >= Number(row?.startedAt), `${answered[0]}`);
});

test('of looks under way at once, the one that is answered first counts', async () => {
  const time = stopwatch();
  const { sql, answer } = slowMarks();
  const first = time.freshness.look(sql);
  time.nowMs = 300;
  const second = time.freshness.look(sql);
  await answer(1, marks(2, [bucketOf(BISTRO)]));
  await second;
  const stamp = stampNow(time, BISTRO);
  await answer(0, marks(1));
  await first;
  time.nowMs = 1_000;
  assert.ok(time.freshness.isKnown(), 'the second was sent 700 ms ago');
  assert.ok(time.freshness.isCurrent(stamp), 'the first knows less, not other');
  const third = time.freshness.look(sql);
  await answer(2, marks(3, [bucketOf(BISTRO)]));
  await third;
  assert.equal(time.freshness.isCurrent(stamp), false);
});

test('a migration makes every process forget all', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  try {
    await look(other);
    const stamps = [BISTRO, DINER].map((subject) => stampNow(other, subject));
    const known = await readPlatformMigrations();
    for (const { fileName, statements } of known) {
      await writeFile(path.join(folder, fileName), statements);
    }
    await writeFile(path.join(folder, '9998-nothing.sql'), 'select 1;');
    assert.deepEqual(await migratePlatform(own, { folder }), ['9998-nothing.sql']);
    await look(other);
    assert.deepEqual(
      stamps.map((stamp) => other.freshness.isCurrent(stamp)),
      [false, false],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('subjects spread over all counters, the same in every process', () => {
  assert.equal(bucketOf('stock:a'), bucketOf('stock:a'));
  const used = new Set<number>();
  for (let n = 0; n < 10 * BUCKETS; n += 1) {
    used.add(bucketOf(`restaurant:0191c1a0-0000-7000-8000-${String(n).padStart(12, '0')}`));
  }
  assert.ok(Math.min(...used) >= 0 && Math.max(...used) < BUCKETS);
  assert.ok(used.size > 0.98 * BUCKETS, `${used.size} of ${BUCKETS}`);
});

test('what was read while nothing was known counts when an older look comes after it', async () => {
  let [nowMs, revision] = [0, 7];
  const bucket = bucketOf(BISTRO);
  const freshness = new Freshness(() => nowMs, {
    of: async () => [{ bucket, revision }],
    raisedSince: async () => [{ bucket, revision }],
  });
  const [row] = marks(7, [bucket]) as [Row];
  await freshness.look(told(row));
  const stamp = stampNow({ freshness }, BISTRO);
  nowMs = 800;
  const slow = slowMarks();
  const looking = freshness.look(slow.sql);
  revision = 8;
  assert.equal(freshness.isKnown(), false);
  await freshness.confirm([bucket]);
  await slow.answer(0, [{ ...row, raised: null }]);
  await looking;
  assert.equal(freshness.isKnown(), true);
  assert.equal(freshness.isCurrent(stamp), false);
});

test('a confirmation that is answered late makes no later one ask for all that was raised', async () => {
  const bucket = bucketOf(BISTRO);
  const late = Promise.withResolvers<readonly Revision[]>();
  let asked = 0;
  const freshness = new Freshness(() => 0, {
    of: async () => [{ bucket, revision: 8 }],
    raisedSince: async () => {
      asked += 1;
      return await late.promise;
    },
  });
  await freshness.look(told(marks(6, [bucket])[0] as Row));
  const confirming = freshness.confirm([bucket], [{ bucket, revision: 7 }]);
  await freshness.look(told(marks(8, [bucket])[0] as Row));
  late.resolve([{ bucket, revision: 7 }]);
  await confirming;
  await freshness.confirm([bucket]);
  assert.equal(asked, 1);
});

test('counters of a server that was left count for nothing when they come late', async () => {
  const bucket = bucketOf(BISTRO);
  const late = Promise.withResolvers<readonly Revision[]>();
  const freshness = new Freshness(() => 0, { of: async () => [], raisedSince: () => late.promise });
  const [row] = marks(7, [bucket]) as [Row];
  await freshness.look(told(row));
  const confirming = freshness.confirm([bucket], [{ bucket, revision: 9 }]);
  const other = { ...row, serverStartedAt: '1.6' };
  await freshness.look(told(other));
  late.resolve([{ bucket, revision: 9 }]);
  await confirming;
  const stamp = stampNow({ freshness }, BISTRO);
  await freshness.look(told({ ...other, raised: `${bucket} 9` }));
  assert.equal(freshness.isCurrent(stamp), false);
});

test('PostgreSQL keeps the plan of the statement that raises counters', async () => {
  const plans = await own.transaction(async (sql) => {
    for (let bucket = 0; bucket < 10; bucket += 1) await updateMarks(sql, [bucket]);
    return await sql<{ kept: number }[]>`
      select generic_plans::integer as kept from pg_prepared_statements
      where statement like '%into change_mark%'`;
  });
  assert.ok((plans[0]?.kept ?? 0) > 0, JSON.stringify(plans));
});
