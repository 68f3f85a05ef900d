import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { type Platform, start } from '../../src/boot/server.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { openVault } from '../../src/config/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let own: TestDatabase;
let folder: string;
let keyFile: string;
let platform: Platform | null;
beforeEach(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
  keyFile = join(folder, 'master.key');
  platform = null;
});
afterEach(async () => {
  await platform?.stop();
  await own.drop();
  removeTestFolder(folder);
});

function configOf(more: Record<string, string> = {}): Config {
  const settings = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'none',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_LOG_LEVEL: 'silent',
    ...more,
  };
  return readConfig(settings, []);
}

async function startAndStop(more: Record<string, string> = {}): Promise<void> {
  platform = await start(configOf(more));
  await platform.stop();
  platform = null;
}

/** Everything in the database that a start could change but should not. */
async function sealedThings(): Promise<unknown> {
  return own.database.sql`select kid, sealed_private_key from signing_key order by generation`;
}

test('start: a first start makes the master key, for its owner; later ones keep it, and refuse another or none', async () => {
  await startAndStop();
  const first = await readFile(keyFile, 'utf8');
  assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
  const before = await sealedThings();
  await rm(keyFile);
  const told = /master\.key is missing, .*no client can log in.*Put the key back .*_MASTER_KEY/s;
  await assert.rejects(start(configOf()), told);
  assert.equal(existsSync(keyFile), false, 'no key was made');
  await writeFile(keyFile, first);
  const other = Buffer.alloc(32, 9).toString('base64');
  await assert.rejects(
    start(configOf({ SERVERY_MASTER_KEY: other })),
    /^Error: SERVERY_MASTER_KEY is not the master key that sealed .*Put the key back/s,
  );
  await writeFile(keyFile, `${other}\n`);
  await assert.rejects(start(configOf()), /master\.key is not the master key that sealed/);
  assert.equal(await readFile(keyFile, 'utf8'), `${other}\n`);
  assert.deepEqual(await sealedThings(), before);
  await writeFile(keyFile, first);
  await startAndStop();
  assert.equal(await readFile(keyFile, 'utf8'), first);
});

test('start: first starts at once agree on one master key', async () => {
  const vaults = await Promise.all(
    Array.from({ length: 8 }, () => openVault(configOf(), own.database)),
  );
  const sealed = vaults.map((vault) => vault.seal(Buffer.from('x'), 'test'));
  for (const bytes of sealed) {
    for (const vault of vaults) assert.equal(vault.open(bytes, 'test').toString(), 'x');
  }
});
