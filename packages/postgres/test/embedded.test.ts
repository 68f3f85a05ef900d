import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase } from '../src/database.ts';
import { parseDatabaseUrl, withDatabase } from '../src/database-url.ts';
import { startEmbeddedDatabase } from '../src/embedded.ts';
import { chooseAccount, type PostgresAccount } from '../src/postgres-account.ts';
import { checkDatabaseSafety } from '../src/safety.ts';
import {
  copyProgram,
  killPrograms,
  nextReply,
  type ProgramFiles,
  readServerPid,
  signal,
  startProgram,
} from './embedded-driver.ts';
import { makeTestFolder, removeTestFolder } from './test-folder.ts';

const run = promisify(execFile);

/** No machine needs so long for a server that recovers, in milliseconds. */
const LONGEST_WAIT_MS = 120_000;

/** Whom PostgreSQL runs as when this is root; null for a normal user, who tests as itself. */
const unprivileged = await chooseAccount('/nonexistent');
/** Who owns PostgreSQL's process and files. */
const postgresUid = unprivileged?.uid ?? process.getuid?.();

let base: string;
/** A data folder that has had its first start: that takes longer than most tests. */
let made: string | undefined;
const template = () => made ?? assert.fail('the first start has failed');

before(async () => {
  base = await makeTestFolder();
  await chmod(base, 0o755);
});
after(async () => {
  await killPrograms();
  removeTestFolder(base);
});

/** Where a new data folder may be made, in a folder that is closed to all but the account. */
async function newDataDir(name = 'data', account: PostgresAccount | null = null): Promise<string> {
  const home = await mkdtemp(path.join(base, 'home-'));
  await chmod(home, 0o700);
  if (account) await chown(home, account.uid, account.gid);
  return path.join(home, name);
}

/** A new data folder with what the template has. */
async function copyDataDir(name?: string): Promise<string> {
  const dataDir = await newDataDir(name);
  await run('cp', ['-a', template(), dataDir]);
  await rm(path.join(dataDir, 'postgres', 'log'));
  return dataDir;
}

const start = (dataDir: string, isDurable = false) =>
  startProgram({ dataDir, account: null, isDurable });

const readLog = (dataDir: string) => readFile(path.join(dataDir, 'postgres', 'log'), 'utf8');

/** PostgreSQL takes its file away first and says goodbye afterwards. */
async function untilGoodbyes(dataDir: string, count: number): Promise<void> {
  const goodbyes = async () => (await readLog(dataDir)).match(/database system is shut down/g);
  await until(async () => (await goodbyes())?.length === count, `${count} goodbyes`);
}

/** Waits until a condition holds that no event tells; fails when it never does. */
async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const startedMs = performance.now();
  while (!(await condition())) {
    assert.ok(performance.now() - startedMs < LONGEST_WAIT_MS, `never: ${what}`);
    await sleep(5);
  }
}

describe('an embedded database', () => {
  test('is made and started by programs that start at once, and ends with the last', async () => {
    const dataDir = await newDataDir('deeper/data');
    // A Ctrl-C that reaches the whole group of one of them interrupts no making of files.
    const interrupted = { dataDir, account: null, isDurable: true, isInterrupted: true };
    const atOnce = await Promise.all([startProgram(interrupted), start(dataDir, true)]);
    const programs = [...atOnce, await start(dataDir, true)];
    const pids = await Promise.all(
      programs.map((each) =>
        each.query(`select pg_read_file('postmaster.pid', 0, 6)::text as pid`),
      ),
    );
    assert.deepEqual(pids[0], pids[1]);
    assert.deepEqual(pids[0], pids[2]);
    const [one, two, three] = programs;
    await one?.query('create table kept (n integer); insert into kept values (7)');
    await one?.stop();
    assert.deepEqual(await two?.query('select n from kept'), [{ n: 7 }]);
    // Both may find each other gone; exactly one of them must stop the server.
    await Promise.all([two?.stop(), three?.stop()]);
    assert.equal(await readServerPid(dataDir), null);
    // Each may make one, but the first that is ready is everybody's.
    assert.deepEqual(
      [...new Set(programs.flatMap((each) => each.progress))],
      ['creating the embedded PostgreSQL', 'starting the embedded PostgreSQL'],
    );
    made = dataDir;
  });

  test('keeps its data, and ends cleanly', async () => {
    const second = await start(template(), true);
    assert.deepEqual(second.progress, ['starting the embedded PostgreSQL']);
    assert.deepEqual(await second.query('select n from kept'), [{ n: 7 }]);
    await second.stop();
    await untilGoodbyes(template(), 2);
    const log = await readLog(template());
    assert.doesNotMatch(log, /recovery|not properly shut down/);
  });

  test('outlives a kill -9 of its process, and is adopted by the next', async () => {
    const dataDir = await copyDataDir();
    const killed = await start(dataDir);
    await killed.query('create table entry (n integer); insert into entry values (1)');
    const pid = await readServerPid(dataDir);
    await killed.kill();
    const successor = await start(dataDir);
    assert.deepEqual(successor.progress, []);
    assert.equal(await readServerPid(dataDir), pid);
    assert.deepEqual(await successor.query('select n from entry'), [{ n: 1 }]);
    await successor.stop();
    assert.equal(await readServerPid(dataDir), null);
  });

  test('loses nothing it acknowledged when everything is killed under load, even where its file then names a living stranger', async () => {
    const dataDir = await copyDataDir();
    let writer = await start(dataDir, true);
    await writer.query('create table entry (n integer)');
    for (const [enough, isStranger] of [
      [20, false],
      [60, true],
    ] as const) {
      const { promise: isEnough, resolve } = Promise.withResolvers<void>();
      let acknowledged = 0;
      writer.write(100_000, (n) => {
        acknowledged = n;
        if (n >= enough) resolve();
      });
      await isEnough;
      // The server first: the program may still believe in a COMMIT that never came.
      signal((await readServerPid(dataDir)) ?? 0, 'SIGKILL');
      await writer.kill();
      const file = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
      const stale = await readFile(file, 'utf8');
      if (isStranger) await writeFile(file, stale.replace(/^\d+/, String(process.pid)));
      writer = await start(dataDir, true);
      const [row] = await writer.query('select count(*) as count, max(n) as last from entry');
      assert.ok(Number(row?.count) >= acknowledged, `${row?.count} of ${acknowledged}`);
      assert.equal(Number(row?.count), Number(row?.last), 'none is missing or there twice');
      await writer.query('truncate entry');
    }
    await writer.stop();
    assert.match(await readLog(dataDir), /automatic recovery in progress/);
  });

  test('a server that was killed in the middle of a copy leaves nothing of it', async () => {
    const dataDir = await copyDataDir();
    const folders = async () => {
      const names = await readdir(path.join(dataDir, 'postgres', 'data', 'base'));
      return names.filter((name) => /^\d+$/.test(name)).sort();
    };
    const killed = await start(dataDir);
    await killed.query('create database source');
    await killed.query('create database half_dropped');
    await killed.query(`update pg_database set datconnlimit = -2 where datname = 'half_dropped'`);
    const source = connectDatabase({ url: withDatabase(killed.url, 'source') });
    await source.sql.unsafe(`create table entry as
      select repeat('x', 900) as text from generate_series(1, 20000)`);
    await source.close();
    const before = await folders();
    const copier = connectDatabase({ url: killed.url, poolSize: 1 });
    const [session] = await copier.sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
    const copy = () => copier.sql.unsafe('create database unfinished template source');
    /** A backend that stands still can neither end its copy nor clean up after it. */
    const isStoppedInTheMiddle = async () => {
      await until(async () => (await folders()).length > before.length, 'a folder of the copy');
      signal(session.pid, 'SIGSTOP');
      const made = await killed.query(`select from pg_database where datname = 'unfinished'`);
      return made.length === 0;
    };
    let copying = copy();
    while (!(await isStoppedInTheMiddle())) {
      signal(session.pid, 'SIGCONT');
      await copying;
      await copier.sql.unsafe('drop database unfinished');
      copying = copy();
    }
    const failed = assert.rejects(copying);
    // The program first: it would start its server again. A backend outlives its server.
    const gone = killed.kill();
    signal((await readServerPid(dataDir)) ?? 0, 'SIGKILL');
    signal(session.pid, 'SIGKILL');
    await Promise.all([gone, failed]);
    await copier.close();
    assert.ok((await folders()).length > before.length, 'there is something to remove');
    const next = await start(dataDir);
    assert.match(next.progress.join(), /removed 2 unfinished copies of databases/);
    const rows = await next.query('select oid::text as oid from pg_database order by oid::text');
    assert.deepEqual(
      await folders(),
      rows.map(({ oid }) => oid),
    );
    await next.stop();
  });

  test('is started again when its server is killed under it, and survives the Ctrl-C of its process group', async () => {
    const dataDir = await copyDataDir();
    const survivor = await start(dataDir, true);
    await survivor.query('create table entry (n integer); insert into entry values (3)');
    const pid = (await readServerPid(dataDir)) ?? 0;
    signal(pid, 'SIGKILL');
    await until(async () => {
      const current = await readServerPid(dataDir);
      return current !== null && current !== pid;
    }, 'another server');
    await until(async () => {
      const rows = await survivor.query('select n from entry').catch(() => []);
      return rows[0]?.n === 3;
    }, 'the same data again');
    const { child } = survivor;
    const exit = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    assert.deepEqual(await nextReply(child), { interrupted: [{ state: 'alive' }] });
    assert.deepEqual(await exit, [0, null]);
    assert.equal(await readServerPid(dataDir), null);
    await untilGoodbyes(dataDir, 1);
  });

  test('has a private socket elsewhere when the folder has a long path', async () => {
    const dataDir = await copyDataDir(`${'long-'.repeat(24)}path`);
    const first = await startEmbeddedDatabase({ name: 'servery', dataDir, isDurable: false });
    const [folder = ''] = parseDatabaseUrl(first.url).hosts;
    assert.ok(folder.length < 90, folder);
    const { mode, uid } = await stat(folder);
    assert.equal(mode & 0o777, 0o700);
    assert.equal(uid, postgresUid);
    const second = await startEmbeddedDatabase({ name: 'servery', dataDir, isDurable: false });
    assert.equal(second.url, first.url);
    await Promise.all([first.stop(), second.stop()]);
    await rm(folder, { recursive: true });
  });
});

test('an embedded database is fit for production, and opens to nobody without its password', async () => {
  const dataDir = await copyDataDir();
  const embedded = await startEmbeddedDatabase({ name: 'servery', dataDir });
  for (const place of ['postgres', 'postgres/data']) {
    const { mode } = await stat(path.join(dataDir, place));
    assert.equal(mode & 0o077, 0, place);
  }
  assert.equal((await stat(path.join(dataDir, 'postgres', 'password'))).mode & 0o777, 0o600);
  assert.equal((await stat(path.join(dataDir, 'postgres', 'data'))).uid, postgresUid);
  assert.equal((await stat(`/proc/${await readServerPid(dataDir)}`)).uid, postgresUid);
  const address = parseDatabaseUrl(embedded.url);
  assert.equal(address.hosts[0], path.join(dataDir, 'postgres', 'data'));
  const stranger = connectDatabase({
    url: embedded.url.replace(/:[^:@]*@/, ':guess@'),
    poolSize: 1,
  });
  await assert.rejects(async () => {
    await stranger.sql`select 1`;
  }, /password authentication failed/);
  await stranger.close();
  const database = connectDatabase({ url: embedded.url });
  const [row] = await database.sql`select current_setting('listen_addresses') as addresses`;
  assert.equal(row?.addresses, '');
  assert.deepEqual(await checkDatabaseSafety(database.sql), []);
  await database.close();
  await Promise.all([embedded.stop(), embedded.stop()]);
});

test('a folder of another version or without its password is refused with a way out, and a server that cannot start says why', async () => {
  const dataDir = await copyDataDir();
  const version = path.join(dataDir, 'postgres', 'data', 'PG_VERSION');
  await writeFile(version, '14\n');
  await assert.rejects(
    startEmbeddedDatabase({ name: 'servery', dataDir }),
    /made by PostgreSQL 14.*export/,
  );
  await writeFile(version, '18\n');
  const password = path.join(dataDir, 'postgres', 'password');
  const known = await readFile(password, 'utf8');
  await writeFile(password, 'other');
  await assert.rejects(
    startEmbeddedDatabase({ name: 'servery', dataDir }),
    /is not the password of the database/,
  );
  await rm(password);
  await assert.rejects(
    startEmbeddedDatabase({ name: 'servery', dataDir }),
    /password is missing.*restore the file/,
  );
  await writeFile(password, known);
  await (await startEmbeddedDatabase({ name: 'servery', dataDir })).stop();
  const configuration = path.join(dataDir, 'postgres', 'data', 'postgresql.conf');
  await writeFile(configuration, 'no_such_setting = 1\n');
  await assert.rejects(
    startEmbeddedDatabase({ name: 'servery', dataDir }),
    /does not start:[\s\S]*no_such_setting[\s\S]*Choose another data folder/,
  );
});

if (unprivileged) {
  describe('for root', () => {
    let folder: string;
    let program: ProgramFiles;
    before(async () => {
      folder = await mkdtemp(path.join(base, 'checkout-'));
      program = await copyProgram(folder);
      await chmod(folder, 0o755);
    });

    test('an embedded database of a normal user is made, used and ended', async () => {
      const dataDir = await newDataDir('data', unprivileged);
      const own = await startProgram({ dataDir, account: unprivileged, program });
      assert.equal((await stat(path.join(dataDir, 'postgres'))).uid, unprivileged.uid);
      assert.deepEqual(await own.query('select 1 as n'), [{ n: 1 }]);
      await own.stop();
      assert.equal(await readServerPid(dataDir), null);
    });

    test("root's data folder is refused to a normal user, with what to do", async () => {
      const dataDir = await copyDataDir();
      await chmod(path.dirname(dataDir), 0o755);
      const stranger = { uid: 12_345, gid: 12_345, name: 'stranger' };
      await assert.rejects(
        startProgram({ dataDir, account: stranger, program }),
        /belongs to another user; start this program as root or as that user/,
      );
    });

    test('a checkout that the other user cannot enter works from a copy', async () => {
      await chmod(folder, 0o700);
      const dataDir = path.join(folder, 'data');
      await run('cp', ['-a', template(), dataDir]);
      const own = await startProgram({ dataDir, account: null, program });
      assert.deepEqual(await own.query('select 1 as n'), [{ n: 1 }]);
      await own.stop();
      const again = await startProgram({ dataDir, account: null, program });
      assert.deepEqual(await again.query('select 1 as n'), [{ n: 1 }]);
      await again.stop();
    });
  });
}
