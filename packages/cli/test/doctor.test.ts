import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { type Platform, start } from '../../server/src/boot/server.ts';
import { type Config, readConfig } from '../../server/src/config/config.ts';
import { developmentCertificate } from '../../server/src/http/edge/tls.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  useOwnServer,
} from '../../server/test/database.ts';
import { reservePort } from '../../server/test/reserved-ports.ts';
import {
  checkEnvironment,
  checkServer,
  checkWriting,
  judgeMigrations,
} from '../src/doctor/database.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { checkKeys } from '../src/doctor/keys.ts';
import {
  checkCertificate,
  checkDataFolder,
  checkNode,
  openFilesOf,
  roomOf,
} from '../src/doctor/machine.ts';
import { hasEmbedded } from '../src/platform.ts';
import { servery } from './command.ts';
import { runHere } from './remote-platform.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const NOBODY = 'https://platform.example';

let folder: string;
let own: TestDatabase;
let env: Record<string, string>;
let config: Config;

// A sandbox that a server has started on once, and that does not run.
before(async () => {
  // Whoever checks a backup on a server removes what killed programs left there.
  await useOwnServer();
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-doctor-'));
  own = await createTestDatabase();
  env = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_ENV: 'empty',
  };
  config = readConfig(env, []);
  await (await start(config)).stop();
});
after(async () => {
  await own.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Told {
  readonly sound: boolean;
  readonly findings: readonly Finding[];
}

async function doctor(change: Record<string, string> = {}, args: readonly string[] = []) {
  const { code, out, err } = await runHere(['doctor', '--json', ...args], { ...env, ...change });
  const { sound, findings } = JSON.parse(out) as Told;
  assert.equal(code, sound ? 0 : 1, err);
  return { sound, findings };
}

/** What it finds of one check, which is not fine. */
async function finds(check: string, change: Record<string, string> = {}): Promise<Finding> {
  const { findings } = await doctor(change);
  return notFine(check, findings);
}

function notFine(check: string, findings: readonly Finding[]): Finding {
  const found = findings.find((one) => one.check === check && one.verdict !== 'ok');
  assert.ok(found, `${check} is told: ${JSON.stringify(findings, null, 2)}`);
  assert.ok(found.fix, 'and what to do');
  return found;
}

async function listening(work: (port: number) => Promise<void>): Promise<void> {
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  try {
    await work((listener.address() as { port: number }).port);
  } finally {
    listener.close();
  }
}

describe('servery doctor', () => {
  test('servery doctor finds nothing broken where nothing is, and says so', async () => {
    const { sound, findings } = await doctor();
    assert.equal(sound, true, JSON.stringify(findings));
    const { out, err, code } = await runHere(['doctor'], env);
    assert.equal(code, 0);
    assert.match(err, /^No problems found/);
    for (const check of ['node', 'settings', 'disk', 'clock', 'migrations', 'master key', 'keys']) {
      assert.match(out, new RegExp(`${check} +(ok|WARN)`), check);
    }
  });

  test('servery doctor says that a replica is away, or is none', async () => {
    const away = 'postgres://a:b@127.0.0.1:1/c';
    const found = await finds('replica', { SERVERY_REPLICA_URL: away });
    assert.match(`${found.verdict} ${found.found}`, /^warn it can't be used: .*ECONNREFUSED/);
    const primary = await finds('replica', { SERVERY_REPLICA_URL: own.url });
    assert.match(primary.found, /it takes writes/);
  });

  test('servery doctor works while the server runs, whose port it knows', async () => {
    const platform: Platform = await start(config);
    try {
      const { findings, sound } = await doctor({ SERVERY_PORT: new URL(platform.url).port });
      assert.equal(sound, true, JSON.stringify(findings));
      const port = findings.find(({ check }) => check === 'http port');
      assert.match(port?.found ?? '', /a server listens at/);
      const any = (await doctor({ SERVERY_PORT: '0' })).findings;
      const elsewhere = any.find(({ check }) => check === 'http port');
      assert.ok(elsewhere?.found.endsWith(`is running: a server listens at ${platform.url}`));
      const other = await finds('database', { DATABASE_URL: '' });
      assert.match(other.found, /^the server at http:\S+, which has \S+, uses another database$/);
      assert.match(other.fix ?? '', /^set DATABASE_URL/);
      const processes = findings.find(({ check }) => check === 'processes');
      assert.match(processes?.found ?? '', /^1 seen on this database, the last \d\.\d s ago$/);
    } finally {
      await platform.stop();
    }
  });

  test('servery doctor tells of workers that need more connections than there are', async () => {
    const workers = { SERVERY_PROCESSOR: 'none', SERVERY_WORKERS: '64' };
    const { found, fix } = await finds('database pool', {
      ...workers,
      SERVERY_DATABASE_POOL: '200',
    });
    assert.match(found, /^64 workers with 200 database connections each need 12864 in all/);
    assert.match(fix ?? '', /^set SERVERY_DATABASE_POOL to|^start \d+ workers or fewer/);
  });

  test('servery doctor does not call a server that was killed running', async () => {
    const { code } = await servery(['start'], {
      env,
      onStart: (child) => {
        child.stdout?.on('data', (chunk) => {
          if (String(chunk).includes('servery ready')) child.kill('SIGKILL');
        });
      },
    });
    assert.equal(code, null, 'it was killed');
    const { sql } = own.database;
    // As if no time had passed since, however slow this machine is.
    await sql`update server_process set seen_at = seen_at + interval '1 hour'`;
    try {
      const { findings } = await doctor();
      const processes = findings.find(({ check }) => check === 'processes');
      assert.match(
        processes?.found ?? '',
        /^1 seen on this database, the last \d\.\d s ago; the last server of \S+ \(process \d+\) no longer exists$/,
      );
    } finally {
      await sql`delete from server_process`;
    }
  });

  test('servery doctor tells of a port that another program has', async () => {
    await listening(async (port) => {
      const { verdict, fix } = await finds('http port', { SERVERY_PORT: String(port) });
      assert.equal(verdict, 'fail');
      assert.equal(fix, `servery start --port ${port + 1}`);
    });
  });

  test('servery doctor tells of a processor that is missing, or does not answer', async () => {
    const none = await finds('processor', { SERVERY_PROCESSOR: 'none' });
    assert.equal(none.verdict, 'warn');
    assert.match(none.found, /no card processor is configured: every payment is refused with 503/);
    const { SERVERY_PROCESSOR: _, ...without } = env;
    const away = { SERVERY_PROCESSOR: 'http', SERVERY_PROCESSOR_URL: 'http://127.0.0.1:1' };
    assert.match((await finds('processor', { ...without, ...away })).found, /was not reached/);
  });

  test('servery doctor tells of settings with typos, and shows no value', async () => {
    const { found, verdict } = await finds('settings', { SERVERY_MASTER_KEYS: 'svs_hidden' });
    assert.equal(verdict, 'fail');
    assert.match(found, /SERVERY_MASTER_KEYS is not a setting: is SERVERY_MASTER_KEY meant/);
    assert.ok(!found.includes('svs_hidden'));
  });

  test('servery doctor tells of a database that is away', async () => {
    const url = `postgres://ann:hunter2@127.0.0.1:${await reservePort()}/servery`;
    const { found, verdict, fix } = await finds('database', { DATABASE_URL: url });
    assert.equal(verdict, 'fail');
    assert.match(found, /nothing listens there/);
    assert.match(fix ?? '', /start PostgreSQL/);
    assert.ok(!found.includes('hunter2'));
  });

  test('servery doctor tells of an empty database that a start fills it', async () => {
    const empty = await createEmptyDatabase();
    try {
      const { sound, findings } = await doctor({ DATABASE_URL: empty.url });
      assert.equal(sound, true, JSON.stringify(findings));
      assert.ok(findings.some(({ found }) => found.includes('the first start applies them')));
      const { DATABASE_URL: _, ...without } = env;
      const fresh = { ...without, SERVERY_DATA_DIR: path.join(folder, 'fresh') };
      const { out } = await runHere(['doctor', '--json'], fresh);
      assert.match(out, /the first start creates an embedded one/);
    } finally {
      await empty.drop();
    }
  });

  test('servery doctor tells of migrations that are pending, newer or unknown', async () => {
    const { sql } = own.database;
    const [newest] = await sql`select * from schema_migration order by number desc limit 1`;
    const set = (number: number, checksum: string) =>
      sql`update schema_migration set number = ${number}, checksum = ${checksum}
        where number = (select max(number) from schema_migration)`;
    const state = { applied: ['0001-a.sql'], pending: ['0002-b.sql'], newer: [], unknown: [] };
    const pending = judgeMigrations(state);
    assert.equal(pending.verdict, 'warn');
    assert.match(pending.fix ?? '', /servery backup .* && servery migrate/);
    try {
      await set(newest?.number, 'changed');
      assert.match((await finds('migrations')).found, /older development version/);
      await set(9_999, newest?.checksum);
      assert.match((await finds('migrations')).found, /newer than this program/);
    } finally {
      await sql`delete from schema_migration where number = 9999`;
      await sql`
        insert into schema_migration (number, file_name, checksum, applied_at)
        values (${newest?.number}, ${newest?.file_name}, ${newest?.checksum}, ${newest?.applied_at})
        on conflict (number) do update set checksum = excluded.checksum`;
    }
    assert.equal((await doctor()).sound, true);
  });

  test('servery doctor tells of a master key that is missing, another one, or open', async () => {
    const file = path.join(folder, 'master.key');
    const aside = path.join(folder, 'aside.key');
    await chmod(file, 0o644);
    const open = await finds('master key file');
    assert.equal(open.fix, `chmod 600 ${file}`);
    await chmod(file, 0o600);
    await copyFile(file, aside);
    try {
      await rm(file);
      assert.match((await finds('master key')).found, /missing, and the database holds data/);
      await writeFile(file, `${Buffer.alloc(32, 1).toString('base64')}\n`, { mode: 0o600 });
      assert.match((await finds('master key')).found, /not the key that sealed/);
      await writeFile(file, 'rubbish', { mode: 0o600 });
      assert.match((await finds('master key')).found, /does not hold 32 bytes/);
    } finally {
      await copyFile(aside, file);
      await chmod(file, 0o600);
    }
  });

  test('servery doctor tells of an environment of the other kind', async () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    const { DATABASE_URL: url } = env;
    const production = {
      ...{ SERVERY_KIND: 'production', SERVERY_ENV: '', SERVERY_PROCESSOR: '' },
      ...{ SERVERY_MASTER_KEY: key, SERVERY_PUBLIC_URL: NOBODY, DATABASE_URL: url ?? '' },
    };
    const { found, fix } = await finds('environment', production);
    assert.match(found, /belongs to a sandbox environment, but the settings say production/);
    assert.equal(fix, 'export SERVERY_KIND=sandbox');
  });

  test('servery doctor tells of a ledger of the payments that is not there', async () => {
    const { sql } = own.database;
    const at = new Date(await readDatabaseTimeMs(sql));
    await sql`
      insert into processor_ledger (id, ledger_id, claimed_at) values (1, ${newGuid()}, ${at})`;
    try {
      const { found, verdict } = await finds('ledger', { SERVERY_PROCESSOR: 'simulator' });
      assert.equal(verdict, 'fail');
      assert.match(found, /ledger\.jsonl is missing/);
    } finally {
      await sql`delete from processor_ledger`;
    }
  });

  test('servery doctor tells of card keys and secrets that end, and old signing keys', async () => {
    const { sql } = own.database;
    const nowMs = await readDatabaseTimeMs(sql);
    const [key] = await sql`select client_id, key_id from card_key limit 1`;
    const [secret] = await sql`select client_id, guid from client_secret limit 1`;
    const end = async (at: Date | null) => {
      await sql`update card_key set not_after = ${at} where key_id = ${key?.key_id}`;
      await sql`update client_secret set expires_at = ${at} where guid = ${secret?.guid}`;
    };
    const found = () => checkKeys(config, own.database, nowMs);
    await end(new Date(nowMs + 5 * DAY_MS));
    try {
      const soon = await found();
      assert.equal(notFine('card keys', soon).verdict, 'warn');
      assert.equal(
        notFine('card keys', soon).fix,
        `servery keys issue ${key?.client_id} --pending`,
      );
      assert.match(notFine('secrets', soon).fix ?? '', /^servery clients secrets add /);
      await end(new Date(nowMs - DAY_MS));
      assert.equal(notFine('card keys', await found()).verdict, 'fail');
      assert.equal(notFine('secrets', await found()).verdict, 'fail');
    } finally {
      await end(null);
    }
    const later = await checkKeys(config, own.database, nowMs + 100 * DAY_MS);
    assert.match(
      notFine('signing keys', later).found,
      /in use for 100 days, but the setting is 90/,
    );
  });

  test('servery doctor tells of rows that outlived their time, and of wrong totals', async () => {
    const { sql } = own.database;
    const { findings } = await doctor();
    const largest = findings.find(({ check }) => check === 'largest tables');
    assert.match(largest?.found ?? '', /^\w+ [\d,]+ MiB \([\d,]+ rows/);
    for (const check of ['retention', 'totals']) {
      assert.equal(findings.find((one) => one.check === check)?.verdict, 'ok', check);
    }
    const partnerGuid = newGuid();
    const past = new Date((await readDatabaseTimeMs(sql)) - 3 * DAY_MS);
    await sql`insert into partner (guid, name, created_at) values (${partnerGuid}, 'One', ${past})`;
    await sql`
      insert into partner_counter (partner_guid, position, connections) values (${partnerGuid}, 0, 1)`;
    await sql`
      insert into velocity_count (key_digest, window_index, used, used_before, expires_at)
      values (${Buffer.alloc(32)}, 1, 1, 0, ${past})`;
    try {
      const retention = await finds('retention');
      assert.equal(retention.verdict, 'warn');
      assert.match(retention.found, /^velocity_count: 1 rows should have been deleted/);
      assert.match((await finds('totals')).found, /^1 partners have a total/);
    } finally {
      await sql`delete from velocity_count`;
      await sql`delete from partner_counter where partner_guid = ${partnerGuid}`;
      await sql`delete from partner where guid = ${partnerGuid}`;
    }
  });

  test('servery doctor tells how far the clocks are apart', async () => {
    const nowMs = await readDatabaseTimeMs(own.database.sql);
    const of = async (aheadMs: number) =>
      (await checkServer(config, own.database, new FixedClock(nowMs + aheadMs))).find(
        ({ check }) => check === 'clock',
      );
    const behind = await of(10 * MINUTE_MS);
    assert.equal(behind?.verdict, 'fail');
    assert.match(behind?.found ?? '', /^the database clock is \d{6} ms behind the clock/);
    assert.equal((await of(-10 * MINUTE_MS))?.verdict, 'fail');
    assert.equal((await of(20_000))?.verdict, 'warn');
  });

  test('servery doctor tells servers that refuse the tokens of each other', async () => {
    const { sql } = own.database;
    const nowMs = await readDatabaseTimeMs(sql);
    const start = (url: string) => sql`
      insert into server_process (process_id, group_id, started_at, seen_at, public_url)
      values (${newGuid()}, ${newGuid()}, ${new Date(nowMs)}, ${new Date(nowMs)}, ${url})`;
    const addresses = async () =>
      (await checkEnvironment(config, own.database, nowMs)).filter(
        ({ check }) => check === 'addresses',
      );
    try {
      await start('http://a:1');
      await start('http://a:1');
      assert.deepEqual(await addresses(), []);
      await start('http://b:2');
      const [found] = await addresses();
      assert.equal(found?.verdict, 'warn');
      assert.match(found?.fix ?? '', /SERVERY_PUBLIC_URL/);
    } finally {
      await sql`delete from server_process`;
    }
  });

  test('servery doctor tries a write, which leaves nothing, and tells why it fails', async () => {
    const { sql } = own.database;
    const nowMs = await readDatabaseTimeMs(sql);
    assert.equal((await checkWriting(own.database, nowMs)).verdict, 'ok');
    assert.equal((await sql`select from server_process`).length, 0);
    await sql.unsafe(`
      create function refuse() returns trigger language plpgsql
        as $$ begin raise exception 'no space' using errcode = '53100'; end $$;
      create trigger full_disk before insert on server_process
        for each row execute function refuse()`);
    try {
      const { verdict, found } = await checkWriting(own.database, nowMs);
      assert.deepEqual([verdict, found], ['fail', 'The disk of the database is full']);
    } finally {
      await sql.unsafe('drop function refuse cascade');
    }
  });

  test('servery doctor tells what killed programs left: processes, locks, databases', async () => {
    const { sql, transaction } = own.database;
    const nowMs = await readDatabaseTimeMs(sql);
    const at = new Date(nowMs - 5 * MINUTE_MS);
    await sql`
      insert into server_process (process_id, group_id, started_at, seen_at)
      values (${newGuid()}, ${newGuid()}, ${at}, ${at})`;
    await sql.unsafe('create database servery_scratch_left');
    try {
      await transaction(async (held) => {
        await held`select 1`;
        const found = await checkEnvironment(config, own.database, nowMs + 20 * MINUTE_MS);
        assert.match(
          notFine('left processes', found).found,
          /^1 silent for more than 5 s without a clean shutdown$/,
        );
        assert.match(notFine('locks', found).found, /"servery" has held a transaction open/);
        assert.match(notFine('left databases', found).found, /servery_scratch_left/);
      });
    } finally {
      await sql`delete from server_process`;
      await sql.unsafe('drop database servery_scratch_left');
    }
  });
});

test('servery doctor: a data folder that is a file, or lies in one', async () => {
  const file = path.join(folder, 'a-file');
  await writeFile(file, '');
  for (const dataDir of [file, path.join(file, 'data')]) {
    const { verdict, found } = notFine(
      'data folder',
      await checkDataFolder({ ...config, dataDir }),
    );
    assert.deepEqual([verdict, found], ['fail', `${file} is a file, not a directory`]);
    assert.equal(await hasEmbedded({ ...config, dataDir }), false);
  }
  const half = path.join(folder, 'half');
  await mkdir(path.join(half, 'postgres', 'data'), { recursive: true });
  assert.equal(await hasEmbedded({ ...config, dataDir: half }), true, 'it is told what it lacks');
});

test('servery doctor: Node.js that is too old, and a disk that fills up', () => {
  assert.equal(checkNode('22.12.0').verdict, 'fail');
  assert.equal(checkNode('24.0.0').verdict, 'ok');
  assert.equal(roomOf('/data', 2 ** 31).verdict, 'ok');
  assert.equal(roomOf('/data', 2 ** 29).verdict, 'warn');
  assert.equal(roomOf('/data', 2 ** 20).verdict, 'fail');
});

test('servery doctor: a limit of open files that is low, or too low for the settings', () => {
  const of = (files: number, maxConnections: number | null = null) =>
    openFilesOf({ files, databasePool: 10 }, maxConnections);
  assert.equal(of(65_536).verdict, 'ok');
  assert.match(of(65_536).found, /10000 connections at a time/);
  const low = of(256);
  assert.equal(low.verdict, 'warn');
  assert.match(`${low.found}: ${low.fix}`, /^256 allowed: 90 connections .*: .* ulimit -n 2076/);
  assert.equal(of(256, 90).verdict, 'ok', 'somebody chose the number');
  const tooLow = of(256, 91);
  assert.equal(tooLow.verdict, 'fail');
  assert.match(tooLow.fix ?? '', /ulimit -n 258.*lower SERVERY_MAX_CONNECTIONS/);
  assert.equal(of(64).verdict, 'fail');
});

test('servery doctor: a certificate that expires, has expired or cannot serve', async () => {
  const nowMs = await readDatabaseTimeMs(own.database.sql);
  const tlsFolder = path.join(folder, 'tls');
  await mkdir(tlsFolder, { recursive: true });
  await developmentCertificate(tlsFolder, new FixedClock(nowMs));
  const certFile = path.join(tlsFolder, 'localhost.crt');
  const keyFile = path.join(tlsFolder, 'localhost.key');
  const tls = { host: '127.0.0.1', port: 0, certFile, keyFile };
  const of = async (atMs: number, files = tls) =>
    (await checkCertificate({ ...config, tls: files }, atMs)).map(({ verdict }) => verdict);
  assert.deepEqual(await of(nowMs), ['ok']);
  assert.deepEqual(await of(nowMs + 380 * DAY_MS), ['warn']);
  assert.deepEqual(await of(nowMs + 400 * DAY_MS), ['fail']);
  assert.deepEqual(await of(nowMs, { ...tls, certFile: keyFile }), ['fail']);
  assert.deepEqual(await checkCertificate({ ...config, tls: null }, nowMs), []);
});
