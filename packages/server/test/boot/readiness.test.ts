import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { startEmbeddedDatabase } from '@servery/postgres/embedded.ts';
import { type Clock, databaseClock } from '@servery/support/clock.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { readiness } from '../../src/boot/readiness.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { migratePlatform } from '../../src/database/migrations.ts';
import {
  announceAddress,
  joinProcesses,
  type ProcessRegistry,
} from '../../src/database/processes.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { until } from '../payments/processors/orders.ts';

const LONG_MS = 300_000;

async function join(database: Database, stopping?: AbortSignal): Promise<ProcessRegistry> {
  const realClock: Clock = databaseClock(await readDatabaseTimeMs(database.sql));
  // A heartbeat that fails is what some of these tests are about.
  const joining = { database, realClock, groupId: null, onError: () => {} };
  return await joinProcesses({ ...joining, ...(stopping && { stopping }) });
}

function whyUnready(database: Database, processes: ProcessRegistry) {
  return readiness({ database, processes, stopping: new AbortController().signal });
}

describe('on a shared server', () => {
  let own: TestDatabase;
  before(async () => {
    own = await createTestDatabase();
  });
  after(() => own.drop());

  test('processes: a job comes after each heartbeat, and none holds up the stop', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const stopping = new AbortController();
    const processes = await join(own.database, stopping.signal);
    const begun: number[] = [];
    const jobs = [1, 2, 3].map(async (job) => {
      await processes.afterBeat();
      begun.push(job);
    });
    t.mock.timers.tick(1_000);
    await jobs[0];
    assert.deepEqual(begun, [1]);
    stopping.abort();
    await Promise.all([...jobs, processes.afterBeat()]);
    await processes.stop();
  });

  test('health.ready 503: a database without space is told until a write finds some', {
    timeout: LONG_MS,
  }, async () => {
    const { database } = own;
    const processes = await join(database);
    try {
      const why = whyUnready(database, processes);
      assert.equal(await why(), null);
      await database.sql.unsafe(`
        create table spacious (id integer);
        create function refuse() returns trigger language plpgsql
          as $$ begin raise exception 'no space' using errcode = '53100'; end $$;
        create trigger full_disk before insert on spacious execute function refuse();
        create trigger full_disk before update of trial on server_process
          for each row execute function refuse()`);
      await assert.rejects(database.sql`insert into spacious values (1)`.then());
      assert.equal(await why(), 'The disk of the database is full.');
      const seenAt = () =>
        database.sql<[{ at: Date }]>`select max(seen_at) as at from server_process`;
      const [before] = await seenAt();
      // A heartbeat finds what it needs where its row was before: that is no space.
      await until('two more heartbeats', async () => {
        const [{ at }] = await seenAt();
        return at.getTime() >= before.at.getTime() + 2_000;
      });
      assert.equal(await why(), 'The disk of the database is full.');
      await database.sql.unsafe('drop trigger full_disk on server_process');
      await until('it takes writes again', async () => (await why()) === null);
    } finally {
      await processes.stop();
    }
  });

  test('processes with different addresses are warned, each of them, and those with one are not', {
    timeout: LONG_MS,
  }, async () => {
    const told: Record<string, string[]> = { one: [], same: [], other: [] };
    const start = async (name: string, url: string) => {
      const processes = await join(own.database);
      await announceAddress(processes, url, (line) => told[name]?.push(line));
      return processes;
    };
    const running = [await start('one', 'http://a:1'), await start('same', 'http://a:1')];
    try {
      assert.deepEqual(told, { one: [], same: [], other: [] });
      running.push(await start('other', 'http://b:2'));
      assert.match(told.other?.join() ?? '', /http:\/\/a:1.*SERVERY_PUBLIC_URL/);
      await until('those that were there are warned', async () =>
        [told.one, told.same].every((lines) => /http:\/\/b:2/.test(lines?.join() ?? '')),
      );
    } finally {
      for (const processes of running) await processes.stop();
    }
  });
});

/** All processes of the server of a data folder. */
function processesOf(dataDir: string): number[] {
  const file = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const master = Number.parseInt(readFileSync(file, 'utf8'), 10);
  const children = readdirSync('/proc').filter((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'utf8') : '';
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === master;
    } catch {
      return false;
    }
  });
  return [master, ...children.map(Number)];
}

/** Mounts a small disk, or says why this cannot be done here. */
function mountDisk(folder: string): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=755', 'tmpfs', folder], {
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    return `no disk can be mounted here: ${String(error).split('\n')[0]}`;
  }
}

/** Takes all that a disk has left. */
function fill(file: string): void {
  const target = openSync(file, 'w');
  for (let size = 1_048_576; size >= 512; ) {
    try {
      if (writeSync(target, Buffer.alloc(size)) < size) size /= 2;
    } catch {
      size /= 2;
    }
  }
  closeSync(target);
}

describe('on an embedded server', () => {
  const undo: (() => unknown)[] = [];
  let folder: string;
  let noDisk: string | null;
  let dataDir: string;
  let database: Database;
  let why: () => Promise<string | null>;
  before(async () => {
    folder = await makeTestFolder();
    undo.push(() => removeTestFolder(folder));
    noDisk = mountDisk(folder);
    if (noDisk === null) undo.push(() => execFileSync('umount', ['-l', folder]));
    dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    const server = await startEmbeddedDatabase({ name: 'servery', dataDir, isDurable: false });
    undo.push(() => server.stop());
    database = connectDatabase({ url: server.url });
    undo.push(() => database.close());
    await migratePlatform(database);
    const processes = await join(database);
    undo.push(() => processes.stop());
    why = whyUnready(database, processes);
  });
  after(async () => {
    for (const step of undo.reverse()) await step();
  });

  test('health.ready 503: a frozen database is told while it is frozen, and recovery by itself', {
    timeout: LONG_MS,
    skip: process.platform !== 'linux' && 'it takes /proc to find the processes of a server',
  }, async () => {
    assert.equal(await why(), null);
    const pids = processesOf(dataDir);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      assert.equal(await why(), 'The database does not answer.');
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await until('it answers again', async () => (await why()) === null);
  });

  test('health.ready 503: a disk that is really full is told, and recovery by itself', {
    timeout: LONG_MS,
  }, async (t) => {
    if (noDisk !== null) {
      t.skip(noDisk);
      return;
    }
    const filler = path.join(folder, 'filler');
    await database.sql.unsafe('create table growing (text text)');
    fill(filler);
    const grow = () =>
      database.sql`insert into growing select repeat('x', 1000) from generate_series(1, 1000)`;
    await until('a write fails', () =>
      grow().then(
        () => false,
        () => true,
      ),
    );
    await until('it is told', async () => (await why()) !== null);
    rmSync(filler);
    await until('it takes writes again', async () => (await why()) === null);
    await grow();
  });
});
