import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { findLedgerHolder } from '@servery/card-simulator/ledger-lock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { makeTestFolder, removeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { type Platform, start } from '../../../src/boot/server.ts';
import { readConfig } from '../../../src/config/config.ts';
import { findLedgerId } from '../../../src/database/environment.ts';
import { createTestDatabase, type TestDatabase } from '../../database.ts';

let own: TestDatabase;
let folder: string;
let platforms: Platform[];
beforeEach(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
  platforms = [];
});
afterEach(async () => {
  await stopAll();
  await own.drop();
  removeTestFolder(folder);
});

async function stopAll(): Promise<void> {
  for (const platform of platforms.splice(0)) await platform.stop();
}

const dataDirOf = (name: string) => join(folder, name);
const ledgerOf = (name: string) => simulatorLedgerFile(dataDirOf(name));

/** Starts a server on the one database, with a data folder of that name. */
async function serve(name: string, more: Record<string, string> = {}): Promise<void> {
  const settings = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: dataDirOf(name),
    SERVERY_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'none',
    SERVERY_LOG_LEVEL: 'silent',
    ...more,
  };
  platforms.push(await start(readConfig(settings, [])));
}

test('start PAY-I1: a server whose simulator has another ledger, also that of another environment, or has lost it, is refused, in words', async () => {
  await serve('one');
  const ledgerId = await findLedgerId(own.database);
  assert.ok(ledgerId);
  // A data folder of its own would begin a ledger of its own.
  await assert.rejects(serve('two'), (error: Error) => {
    assert.ok(error.message.includes(ledgerId));
    assert.match(error.message, /two\/processor\/ledger\.jsonl is missing/);
    assert.match(error.message, /SERVERY_PROCESSOR_URL, or its data folder with --data-dir/);
    return true;
  });
  assert.equal(existsSync(ledgerOf('two')), false, 'nothing was begun');
  await assert.rejects(serve('three', { SERVERY_PROCESSOR: 'in-process' }), /in-process would/);
  // It is shared by its address, and by its folder.
  const holder = await findLedgerHolder(ledgerOf('one'));
  await serve('two', { SERVERY_PROCESSOR_URL: holder?.url ?? '' });
  await serve('one');
  assert.equal(await findLedgerId(own.database), ledgerId);
  const other = await createTestDatabase();
  try {
    await serve('other', { DATABASE_URL: other.url });
    const another = await findLedgerHolder(ledgerOf('other'));
    const told = /is another ledger \(.*restore it; or start a new sandbox/s;
    await assert.rejects(serve('other'), told);
    const byAddress = serve('two', { SERVERY_PROCESSOR_URL: another?.url ?? '' });
    await assert.rejects(byAddress, told);
  } finally {
    await stopAll();
    await other.drop();
  }
  rmSync(ledgerOf('one'));
  // It is not silently begun anew.
  await assert.rejects(serve('one'), /ledger\.jsonl is missing: .* restore it; or start a new/s);
  assert.equal(existsSync(ledgerOf('one')), false);
});

test('start PAY-I1: a processor that is away is taken as it is, and one that is slow to tell of its ledger is asked again', async () => {
  await serve('one', { SERVERY_PROCESSOR_URL: 'http://127.0.0.1:1' });
  assert.equal(await findLedgerId(own.database), null);
  await stopAll();
  const ledger = newRandomId();
  let questions = 0;
  const slow = createServer(async (request, response) => {
    questions += 1;
    if (questions === 1) return response.destroy();
    const { key } = (await json(request)) as { key: string };
    response.end(JSON.stringify({ protocol: 1, key, answer: { outcome: 'ready', ledger } }));
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  await serve('one', { SERVERY_PROCESSOR_URL: `http://127.0.0.1:${port}` });
  assert.equal(await findLedgerId(own.database), ledger);
  slow.close();
});
