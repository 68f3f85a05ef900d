import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Platform, start } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import type { DemoFile } from '../../server/src/sandbox/demo-file.ts';
import { listTables } from '../../server/test/database/backup-fixture-store.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../server/test/database.ts';
import { says, servery } from './command.ts';
import { runHere, sendAsCurl } from './remote-platform.ts';

let folder: string;
let own: TestDatabase;
let platform: Platform;
let file: string;
let paymentUuid: string;

const inFolder = (name: string) => path.join(folder, name);

function envOf(database: TestDatabase, dataDir = inFolder('data')): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    SERVERY_DATA_DIR: dataDir,
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
  };
}

const run = (args: readonly string[], env = envOf(own)) => runHere(args, env);

async function restoredFolder(name: string): Promise<string> {
  const dataDir = inFolder(name);
  await mkdir(dataDir);
  await copyFile(path.join(inFolder('data'), 'master.key'), path.join(dataDir, 'master.key'));
  return dataDir;
}

async function tokenOf(baseUrl: string, { clients }: DemoFile): Promise<string> {
  const { clientId, clientSecret } = clients.partner;
  const answer = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

// A sandbox whose simulator is a process of its own, so that there is a ledger; a payment is held.
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-backup-'));
  file = inFolder('first.backup');
  own = await createTestDatabase();
  platform = await start(readConfig(envOf(own), []));
  const demo = JSON.parse(await readFile(path.join(inFolder('data'), 'demo.json'), 'utf8'));
  const made = await run(['encrypt', '--card', '4111111111111111', '--amount', '12.50', '--curl']);
  const { status, body } = await sendAsCurl(made.out, await tokenOf(platform.url, demo));
  assert.equal(status, 200, JSON.stringify(body));
  paymentUuid = /payments\/([0-9a-f-]{36})/.exec(made.out)?.[1] ?? '';
  const written = await run(['backup', file, '--json']);
  assert.equal(written.code, 0, written.err);
  const told = JSON.parse(written.out);
  assert.equal(told.kind, 'sandbox');
  assert.equal(told.ledger.isIncluded, true);
});
after(async () => {
  await platform.stop();
  await own.drop();
  await rm(folder, { recursive: true, force: true });
});

test('servery backup verify says yes; the database that it used is gone then', async () => {
  const { code, out, err } = await run(['backup', 'verify', file, '--scratch-url', own.url]);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /is sound: \d+ rows of \d+ tables .* 1 signing key, \d+ card keys and 0 webhook secrets, and /,
  );
  const left = await own.database.sql`
    select from pg_database where starts_with(datname, 'servery_scratch_')`;
  assert.equal(left.length, 0);
});

test('servery backup verify needs no database: it makes one, and leaves nothing', async () => {
  const { DATABASE_URL: _, ...env } = envOf(own);
  const { code, out, err } = await run(['backup', 'verify', file, '--json'], env);
  assert.equal(code, 0, err);
  const told = JSON.parse(out);
  assert.deepEqual([told.sound, told.signingKeys], [true, 1]);
  assert.ok(told.cardKeys > 0 && told.rows > 100, out);
  // Another process may check a backup at the same time.
  const prefix = `servery-scratch-${process.pid}-`;
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  assert.deepEqual(left, []);
});

test('servery restore gives a sandbox that goes on with its payments and its ledger', async () => {
  const other = await createEmptyDatabase();
  const dataDir = await restoredFolder('restored');
  const env = envOf(other, dataDir);
  try {
    const restored = await run(['restore', file], env);
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.out, /^Restored .*: \d+ rows of \d+ tables/);
    const again = await start(readConfig(env, []));
    try {
      const shown = await run(['payments', 'list', '--payment-state', 'AUTHORIZED', '--json'], env);
      assert.ok(shown.out.includes(paymentUuid), shown.err);
      const voided = await run(['payments', 'void', paymentUuid, '--reason', 'restored'], env);
      assert.equal(voided.code, 0, voided.err);
      const seen = await run(['payments', 'show', paymentUuid, '--json'], env);
      assert.match(seen.out, /"VOIDED"/, 'the ledger knows the hold');
    } finally {
      await again.stop();
    }
  } finally {
    await other.drop();
  }
});

test('servery backup never takes the place of a file, and says what to do', async () => {
  const before = await readFile(file);
  const { code, err } = await run(['backup', file]);
  assert.equal(code, 2);
  assert.match(err, /is there already, .* name a new one/);
  assert.doesNotMatch(err, /tables/, 'told before anything is read');
  assert.deepEqual(await readFile(file), before);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const nowhere = await run(['backup', inFolder('no/such/folder.backup')]);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.err, /cannot be written: there is no such directory/);
});

test('servery backup leaves out the sessions of people, and links that open', async () => {
  const bytes = gunzipSync(await readFile(file)).toString();
  const [header = ''] = bytes.split('\n', 1);
  const { tables, leftOut } = JSON.parse(header) as {
    readonly tables: readonly { readonly name: string }[];
    readonly leftOut: readonly string[];
  };
  assert.ok(leftOut.includes('person_session') && leftOut.includes('request_log'), header);
  assert.ok(tables.every(({ name }) => !leftOut.includes(name)));
  for (const name of ['person_session', 'person_invitation']) {
    assert.ok(leftOut.includes(name) && !bytes.includes(`"name":"${name}"`), name);
  }
});

test('servery backup of nothing is refused', async () => {
  const empty = await createEmptyDatabase();
  try {
    const { code, err } = await run(['backup', inFolder('nothing.backup')], envOf(empty));
    assert.equal(code, 1);
    assert.match(err, /nothing to back up/);
    assert.equal(existsSync(inFolder('nothing.backup')), false);
    assert.deepEqual(await listTables(empty.database.sql), [], 'nothing was migrated');
  } finally {
    await empty.drop();
  }
});

test('servery restore refuses another key, a database with tables, and damaged files', async () => {
  const empty = await createEmptyDatabase();
  const refused = async (args: readonly string[], env: Record<string, string>, words: RegExp) => {
    const { code, err, out } = await run(args, env);
    assert.equal(code, 2, out + err);
    assert.match(err, words);
    assert.deepEqual(await listTables(empty.database.sql), []);
  };
  try {
    const withoutKey = envOf(empty, inFolder('without-key'));
    await refused(['restore', file], withoutKey, /Put its master\.key into/);
    const otherKey = { ...withoutKey, SERVERY_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
    await refused(['restore', file], otherKey, /encrypted with another master key/);
    await refused(['backup', 'verify', file], otherKey, /encrypted with another master key/);
    const dataDir = await restoredFolder('refused');
    const bytes = await readFile(file);
    const damaged = inFolder('damaged.backup');
    await writeFile(damaged, bytes.subarray(0, bytes.length / 2));
    await refused(
      ['restore', damaged],
      envOf(empty, dataDir),
      /is not the backup as it was written/,
    );
    await writeFile(damaged, 'no backup at all');
    await refused(['restore', damaged], envOf(empty, dataDir), /is no backup/);
    const onTables = await run(['restore', file], envOf(own));
    assert.equal(onTables.code, 2);
    assert.match(onTables.err, /not empty/);
    assert.equal(existsSync(path.join(dataDir, 'processor', 'ledger.jsonl')), false);
  } finally {
    await empty.drop();
  }
});

test('servery restore makes no database for a file that it can refuse at once', async () => {
  const dataDir = await restoredFolder('untouched');
  const { DATABASE_URL: _, ...env } = envOf(own, dataDir);
  const junk = inFolder('junk.backup');
  await writeFile(junk, 'no backup at all');
  const otherKey = { ...env, SERVERY_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
  const refused = async (args: readonly string[], words: RegExp, settings = env) => {
    const { err, code } = await run(args, settings);
    assert.ok(code === 1 || code === 2, `${code}`);
    assert.match(err, words);
    assert.ok(!err.includes('creating'), err);
    assert.deepEqual(await readdir(dataDir), ['master.key']);
  };
  for (const command of [['restore'], ['backup', 'verify']]) {
    await refused([...command, inFolder('none.backup')], /there is no such file/);
    await refused([...command, ''], /a file without a name cannot be read/);
    await refused([...command, folder], /it is a directory/);
    await refused([...command, junk], /is no backup/);
    await refused([...command, file], /encrypted with another master key/, otherKey);
    const keyless = inFolder(`keyless-${command.length}`);
    const noKey = { ...env, SERVERY_DATA_DIR: keyless };
    await refused([...command, junk], /is no backup/, noKey);
    await refused([...command, file], /the master key of the backup is missing/, noKey);
    assert.ok(!existsSync(keyless), 'nothing is made for a file that is refused');
  }
  await refused(['restore', file], /of a sandbox environment, but the settings say production/, {
    ...env,
    SERVERY_MASTER_KEY: (await readFile(path.join(dataDir, 'master.key'), 'utf8')).trim(),
    SERVERY_KIND: 'production',
    SERVERY_PUBLIC_URL: 'https://platform.example',
  });
  await refused(['backup', inFolder('none.backup')], /there is no database in .*--data-dir/);
  for (const args of [['status'], ['--dry-run']]) {
    await refused(['migrate', ...args], /there is no database in .*--data-dir/);
  }
});

test('servery backup verify tells of a scratch server that it cannot use', async () => {
  for (const [url, words, expected] of [
    ['nonsense', /^servery: --scratch-url cannot be used: .*postgres:\/\/user/, 2],
    ['postgres://u:geheim@127.0.0.1:1/x', /--scratch-url cannot be used: .*ECONNREFUSED/, 1],
  ] as const) {
    const { code, err } = await run(['backup', 'verify', file, '--scratch-url', url]);
    assert.equal(code, expected, err);
    assert.match(err, words);
    assert.ok(!err.includes('geheim'), err);
  }
});

test('servery restore keeps the hands off another ledger', async () => {
  const empty = await createEmptyDatabase();
  const dataDir = await restoredFolder('other-ledger');
  try {
    await mkdir(path.join(dataDir, 'processor'));
    const ledger = path.join(dataDir, 'processor', 'ledger.jsonl');
    await writeFile(ledger, '{"type":"begun","ledgerId":"91d0f3a2-6a4e-4b1c-9d3a-2f8e5c7b6a10"}\n');
    const { code, err } = await run(['restore', file], envOf(empty, dataDir));
    assert.equal(code, 2);
    assert.match(err, /is a different ledger .* from that of the backup/);
    assert.deepEqual(await listTables(empty.database.sql), []);
  } finally {
    await empty.drop();
  }
});

test('servery backup killed in the middle leaves no file that looks whole', async () => {
  const killed = inFolder('killed.backup');
  const { code } = await servery(['backup', killed], {
    env: envOf(own),
    onStart: (child) => void says(child, 'tables: ').then(() => child.kill('SIGKILL')),
  });
  // A command that was killed too late has made all of it, even if it could not say so.
  assert.ok(code === null || existsSync(killed));
  if (!existsSync(killed)) return;
  const verified = await run(['backup', 'verify', killed, '--scratch-url', own.url]);
  assert.equal(verified.code, 0, verified.err);
});

test('servery restore killed in the middle leaves the database empty', async () => {
  const empty = await createEmptyDatabase();
  const env = envOf(empty, await restoredFolder('killed'));
  try {
    const { code } = await servery(['restore', file], {
      env,
      onStart: (child) => void says(child, 'tables: ').then(() => child.kill('SIGKILL')),
    });
    await untilNobodyRestores(empty);
    // A command that was killed too late has restored all of it, even if it could not say so.
    if ((await listTables(empty.database.sql)).length === 0) {
      assert.equal(code, null);
      const again = await run(['restore', file], env);
      assert.equal(again.code, 0, again.err);
    }
    assert.equal((await run(['backup', inFolder('again.backup')], env)).code, 0);
  } finally {
    await empty.drop();
  }
});

/** The session of a killed program lives on until the server notices, and may yet commit. */
async function untilNobodyRestores({ database: { sql } }: TestDatabase): Promise<void> {
  for (;;) {
    const left = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'servery backup'`;
    if (left.length === 0) return;
  }
}
