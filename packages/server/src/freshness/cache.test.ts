import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSql, type Row, type Rows } from '@servery/postgres/sql.ts';
import fc from 'fast-check';
import { Cache, type Sight } from './cache.ts';
import type { Revision } from './change-mark-store.ts';
import { Freshness, type Subject, stampOf } from './freshness.ts';
import { bucketOf } from './subjects.ts';

const SUBJECTS: readonly Subject[] = ['stock:a', 'stock:b', 'configuration:a'];
const [A = 'stock:a', B = 'stock:b'] = SUBJECTS;

const SERVER = '1.5';

/** What stands in a database: how often each subject was changed. */
type Versions = Record<string, number>;

/** As PostgreSQL tells of counters. */
const textOf = (revisions: readonly Revision[]) =>
  revisions.map(({ bucket, revision }) => `${bucket} ${revision}`).join(',');

/** A database in memory: every change raises a version, and the counter of its subject. */
class SharedState {
  nowMs = 0;
  readonly versions: Versions = Object.fromEntries(SUBJECTS.map((subject) => [subject, 0]));
  /** What stood there after each commit. A replica has one of these. */
  readonly history: Versions[] = [{ ...this.versions }];
  /** What each commit changed. */
  readonly changes: Versions[] = [];
  replayed = 0;
  /** When each version of a subject was committed, in milliseconds. */
  readonly committedAtMs = Object.fromEntries(SUBJECTS.map((subject) => [subject, [-1e9]]));

  commit(...subjects: Subject[]): Versions {
    const change: Versions = {};
    for (const subject of subjects) {
      change[subject] = (this.versions[subject] ?? 0) + 1;
      this.committedAtMs[subject]?.push(this.nowMs);
    }
    Object.assign(this.versions, change);
    this.history.push({ ...this.versions });
    this.changes.push(change);
    return change;
  }

  replica(): Versions {
    return { ...this.history[this.replayed] };
  }

  revisions(buckets: readonly number[], versions = this.versions): Revision[] {
    return this.counters(versions).filter(({ bucket }) => buckets.includes(bucket));
  }

  /** All that were ever raised. */
  counters(versions = this.versions): Revision[] {
    return SUBJECTS.map((subject) => ({
      bucket: bucketOf(subject),
      revision: versions[subject] ?? 0,
    })).filter(({ revision }) => revision > 0);
  }

  marks(): Row {
    return { raised: textOf(this.counters()), serverStartedAt: SERVER };
  }
}

interface Remembered {
  readonly versions: Versions;
}

/** A process on the database, with what was told of its own changes. */
class Process {
  readonly shared: SharedState;
  readonly freshness: Freshness;
  readonly cache: Cache<Remembered>;
  /** The version of each subject that it has answered a change or a read with. */
  readonly answered: Versions = {};

  constructor(shared: SharedState, maxBytes = 1_000_000) {
    this.shared = shared;
    this.freshness = new Freshness(() => shared.nowMs, {
      of: async (buckets) => shared.revisions(buckets),
      raisedSince: async () => shared.counters(),
    });
    this.cache = new Cache({ freshness: this.freshness, maxBytes, bytesOf: () => 100 });
  }

  async look(rows = Promise.resolve(this.shared.marks())): Promise<void> {
    await this.freshness.look(makeSql(async () => [await rows] as Row[] as Rows<Row[]>));
  }

  /** Tells of a change that was committed, as its transaction does before it has an answer. */
  tell(change: Versions): void {
    const revisions = Object.entries(change).map(([subject, version]) => ({
      bucket: bucketOf(subject as Subject),
      revision: version,
    }));
    this.freshness.committed(
      revisions.map(({ bucket }) => bucket),
      revisions,
    );
    this.showed(change);
  }

  /** It has answered with these, so it must not go back behind them. */
  showed(versions: Versions): void {
    for (const [subject, version] of Object.entries(versions)) {
      this.answered[subject] = Math.max(this.answered[subject] ?? 0, version);
    }
  }
}

/** All that needs no more than promises goes on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
}

async function ready(maxBytes?: number) {
  const process = new Process(new SharedState(), maxBytes);
  await process.look();
  return process;
}

test('who has seen the new state at one place does not see the old one at another', async () => {
  const { shared, cache } = await ready();
  const read = async () => ({ versions: { ...shared.versions } });
  await cache.get('list', [A], read);
  shared.commit(A);
  assert.equal((await cache.get('list', [A], read))?.value.versions[A], 0, 'nobody has told it');
  assert.equal((await cache.get('object', [A], read))?.value.versions[A], 1);
  assert.equal((await cache.get('list', [A], read))?.value.versions[A], 1);
});

test('cache: what was read is given again until its subject changes', async () => {
  const { cache, freshness } = await ready();
  let reads = 0;
  const get = (key: string, subject: Subject) =>
    cache.get(key, [subject], async () => {
      reads += 1;
      return { versions: { reads } };
    });
  const first = await get('a', A);
  await get('b', B);
  assert.equal(await get('a', A), first);
  freshness.changed([bucketOf(A)]);
  assert.notEqual(await get('a', A), first);
  await get('b', B);
  assert.equal(reads, 3);
  assert.deepEqual([cache.use().hits, cache.use().misses], [2, 3]);
});

test('cache: what was read before a change and comes back after it is not kept', async () => {
  const { cache, freshness } = await ready();
  const slow = Promise.withResolvers<Remembered>();
  const asked = cache.get('a', [A], () => slow.promise);
  freshness.changed([bucketOf(A)]);
  slow.resolve({ versions: {} });
  assert.ok(await asked, 'a caller that asked before the change has it');
  assert.equal(cache.find('a'), null);
});

test('cache: who comes after a known change does not join a reading from before it', async () => {
  const { cache, freshness } = await ready();
  const readings = [1, 2].map(() => Promise.withResolvers<Remembered>());
  let begun = 0;
  const get = () => {
    const reading = readings[begun];
    return cache.get('a', [A], async () => {
      begun += 1;
      return (await reading?.promise) ?? null;
    });
  };
  const early = [get(), get()];
  assert.equal(begun, 1, 'who comes before joins');
  freshness.changed([bucketOf(A)]);
  const late = get();
  assert.equal(begun, 2);
  readings[1]?.resolve({ versions: { n: 2 } });
  assert.equal((await late)?.value.versions.n, 2);
  // The older reading is the last to come back, and does not replace the newer one.
  readings[0]?.resolve({ versions: { n: 1 } });
  for (const one of early) assert.equal((await one)?.value.versions.n, 1);
  assert.equal(cache.find('a')?.value.versions.n, 2);
});

test('cache: of two readings without a change between them the later one stays', async () => {
  const { cache, freshness } = await ready();
  const stamps = [1, 2].map(() => stampOf(freshness.begin(), [A]));
  const [older, newer] = stamps.map((stamp) => ({ value: { versions: {} }, stamp }));
  assert.ok(older && newer);
  cache.put('a', newer);
  cache.put('a', older);
  assert.equal(cache.find('a'), newer);
});

test('cache: while nothing is known, each reads by itself', async () => {
  const process = await ready();
  const { cache, shared } = process;
  let reads = 0;
  const get = () =>
    cache.get('a', [A], async () => {
      reads += 1;
      return { versions: {} };
    });
  await get();
  shared.nowMs = 701;
  assert.equal(cache.find('a'), null);
  await Promise.all([get(), get()]);
  assert.equal(reads, 3);
  await process.look();
  assert.ok(cache.find('a'), 'nobody has changed it');
});

test('cache: nothing and errors are not kept', async () => {
  const { cache } = await ready();
  assert.equal(await cache.get('a', [A], async () => null), null);
  await assert.rejects(
    cache.get('a', [A], async () => {
      throw new Error('away');
    }),
    /away/,
  );
  const found = await cache.get('a', [A], async () => ({ versions: { n: 1 } }));
  assert.equal(found?.value.versions.n, 1);
});

test('cache: it holds no more than its bytes, and forgets first what was not used', async () => {
  const { cache } = await ready(2_000);
  const get = (key: string) => cache.get(key, [A], async () => ({ versions: {} }));
  for (let n = 0; n < 100; n += 1) {
    await get(`key ${n}`);
    await get('often');
    assert.ok(cache.use().bytes <= 2_000);
  }
  assert.ok(cache.find('often'));
  assert.equal(cache.find('key 1'), null);
  const huge = await cache.get('x'.repeat(5_000), [A], async () => ({ versions: {} }));
  assert.ok(huge, 'what is larger than all is given, and not kept');
  assert.ok(cache.find('often'));
});

test('cache: a COMMIT that was not answered is doubted for a while, whatever is read', async () => {
  const process = await ready();
  const { cache, shared, freshness } = process;
  freshness.doubt([bucketOf(A)]);
  const get = (key: string, subject: Subject) =>
    cache.get(key, [subject], async () => ({ versions: {} }));
  await get('a', A);
  await get('b', B);
  assert.equal(cache.find('a'), null, 'it may be done after it was read');
  assert.ok(cache.find('b'));
  shared.nowMs = 59_999;
  await process.look();
  await get('a', A);
  assert.equal(cache.find('a'), null);
  shared.nowMs = 60_000;
  await process.look();
  await get('a', A);
  assert.ok(cache.find('a'));
});

/** What can happen, more often what is to be seen often. */
const events = [
  ...['get', 'get', 'get', 'get', 'get', 'get', 'get', 'get', 'deliver', 'deliver', 'deliver'],
  ...['deliver', 'look', 'look', 'look', 'commit', 'tell', 'pass', 'pass', 'replay'],
] as const;

/** A step of a schedule: which process, which subject, and what a step wants beside. */
const step = fc.record({
  what: fc.constantFrom(...events),
  process: fc.nat(2),
  subject: fc.nat(SUBJECTS.length - 1),
  /** Whether a statement sees the database when it is sent, or when it is answered. */
  isEarly: fc.boolean(),
  /** Whether a statement brings along the counters that it saw. */
  bringsCounters: fc.boolean(),
  atReplica: fc.boolean(),
  ms: fc.nat(300),
});
/** What is in memory is found again late in a schedule; left to itself, few would be long. */
const schedule = fc.array(step, { minLength: 20, maxLength: 100, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays a schedule, and takes note of answers that are older than they may be. */
class Play {
  readonly shared = new SharedState();
  readonly processes = [1, 2, 3].map(() => new Process(this.shared));
  /** Answers of the database that are on their way. */
  readonly late: (() => void)[] = [];
  /** Changes that are committed, and not yet told. */
  readonly untold: (() => void)[] = [];
  /** What should not have been answered. */
  readonly stale: string[] = [];
  hits = 0;
  replicated = 0;

  async do(step: Step): Promise<void> {
    const { what, isEarly, ms } = step;
    const process = this.processes[step.process] as Process;
    const subject = SUBJECTS[step.subject] as Subject;
    if (what === 'pass') this.shared.nowMs += ms;
    if (what === 'commit') {
      const other = SUBJECTS[(step.subject + 1) % SUBJECTS.length] as Subject;
      const change = this.shared.commit(subject, ...(ms % 2 === 0 ? [other] : []));
      this.untold.push(() => process.tell(change));
    }
    if (what === 'tell') this.untold.shift()?.();
    if (what === 'look') void process.look(this.answer(isEarly, () => this.shared.marks()));
    if (what === 'deliver') this.late.splice(ms % Math.max(1, this.late.length), 1)[0]?.();
    if (what === 'get') void this.get(process, subject, step);
    if (what === 'replay') {
      this.shared.replayed = Math.min(this.shared.history.length - 1, this.shared.replayed + 2);
    }
    await settle();
  }

  /** What the database says, now or when it is delivered. */
  async answer<T>(isEarly: boolean, read: () => T): Promise<T> {
    const early = isEarly ? { value: read() } : null;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.late.push(resolve);
    await promise;
    return early ? early.value : read();
  }

  /** A row, and the counters of the moment. */
  rowOf(versions: Versions, buckets: readonly number[]) {
    const revisions = this.shared.revisions(buckets, versions);
    return { revisions, seen: textOf(revisions), row: { versions: { ...versions } } };
  }

  /** Null if the replica lacks something. What it says may come long after it was found good. */
  async readReplica(
    { freshness }: Process,
    { buckets, saw }: Sight,
    isEarly: boolean,
  ): Promise<Remembered | null> {
    const there = await this.answer(isEarly, () => this.rowOf(this.shared.replica(), buckets));
    const { revisions, seen, row } = there;
    if (!freshness.isReachedBy(buckets, { revisions, serverStartedAt: SERVER })) return null;
    this.replicated += 1;
    await this.answer(true, () => null);
    saw(seen);
    return row;
  }

  async readPrimary(
    { buckets, saw }: Sight,
    { isEarly, bringsCounters }: Step,
  ): Promise<Remembered> {
    const { seen, row } = await this.answer(isEarly, () =>
      this.rowOf(this.shared.versions, buckets),
    );
    if (bringsCounters) saw(seen);
    return row;
  }

  async get(process: Process, subject: Subject, step: Step): Promise<void> {
    const { shared, cache, answered } = process;
    const atMs = shared.nowMs;
    const own = answered[subject] ?? 0;
    const others = shared.committedAtMs[subject]?.findLastIndex((one) => one < atMs - 700) ?? 0;
    const key = `${subject} ${step.ms % 2}`;
    if (cache.find(key)) this.hits += 1;
    const found = await cache.get(key, [subject], async (sight) => {
      assert.ok(sight, 'this is no cluster');
      const there = step.atReplica ? await this.readReplica(process, sight, step.isEarly) : null;
      return there ?? (await this.readPrimary(sight, step));
    });
    const version = found?.value.versions[subject] ?? -1;
    process.showed({ [subject]: version });
    // Part of a transaction shows all of it.
    for (const change of shared.changes) {
      if ((change[subject] ?? Number.POSITIVE_INFINITY) <= version) process.showed(change);
    }
    if (version < own) this.stale.push(`${subject}: ${version} after ${own} was shown here`);
    if (version < others) this.stale.push(`${subject}: ${version} 700 ms after ${others}`);
  }
}

test('cache: no schedule of changes, looks and readings ends in a stale answer', async () => {
  let hits = 0;
  let replicated = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async (steps) => {
      const play = new Play();
      for (const one of play.processes) await one.look();
      for (const one of steps) await play.do(one);
      while (play.late.length > 0) {
        play.late.shift()?.();
        await settle();
      }
      assert.deepEqual(play.stale, []);
      hits += play.hits;
      replicated += play.replicated;
    }),
    { numRuns: 100 },
  );
  // About 130 and 420: otherwise the schedules prove nothing about either.
  assert.ok(hits > 50, `${hits} answers came from memory`);
  assert.ok(replicated > 100, `${replicated} answers came from a replica`);
});
