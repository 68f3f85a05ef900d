import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Agent, request } from 'undici';
import { DemoCallers } from './client.ts';
import { itemGuids, openRestaurants } from './fixtures.ts';
import { authorize, cardWithOutcome, paymentBody } from './payment.ts';
import {
  endServer,
  newDataDir,
  OWN_SETTINGS,
  PRODUCTION,
  RAISED_LIMITS,
  readyAddress,
  runCommand,
  type StartedPlatform,
  spawnServer,
  startPlatform,
} from './platform.ts';
import { nth } from './values.ts';

const settings = RAISED_LIMITS;
/** A number of no card, with a right check digit, that nothing else writes. */
const CANARY_NUMBER = '4111119706581937';
const canaries: string[] = [];
const masterKey = Buffer.alloc(32, 7).toString('base64');
const paymentUuid = '0b8f6a52-3c1d-4e7f-9a80-5d2c1b3a4f69';

/** Starts a server that must refuse to, and gives what it said. */
async function refusal(extra: Record<string, string>): Promise<string> {
  const dataDir = await newDataDir();
  const server = spawnServer(dataDir, { settings: extra });
  // Not its exit: what it said last may be read after that.
  const [code] = await once(server.child, 'close');
  await rm(join(dataDir, '..'), { recursive: true, force: true });
  assert.notEqual(code, 0, server.output());
  assert.doesNotMatch(server.output(), /servery ready/);
  return server.output();
}

test('start: a wrong setting refuses, with every fault at once and by name', async () => {
  // At the same time, because most of each is the start of the process.
  const [many, keyless, open] = await Promise.all([
    refusal({
      SERVERY_KIND: 'nonsense',
      SERVERY_BRAND: '1 brand',
      SERVERY_RATE_LIMIT_PER_SECOND: '-5',
      DATABASE_URL: 'mysql://elsewhere',
    }),
    refusal({ SERVERY_KIND: 'production' }),
    refusal({ ...PRODUCTION, SERVERY_MASTER_KEY: masterKey, SERVERY_HOST: '0.0.0.0' }),
  ]);
  for (const name of ['KIND', 'BRAND', 'RATE_LIMIT_PER_SECOND', 'DATABASE_URL']) {
    assert.match(many, new RegExp(name), many);
  }
  assert.doesNotMatch(many, /\bat .+:\d+:\d+/, 'no stack trace for a wrong setting');
  assert.match(keyless, /SERVERY_MASTER_KEY/, 'production has no default secret');
  assert.match(keyless, /SERVERY_PUBLIC_URL/, 'production knows its address');
  assert.match(open, /SERVERY_HOST/, 'production is not plain on a public address');
  assert.ok(!open.includes(masterKey), 'a secret is never shown');
});

test('start: the profile none says what is missing, and the way to a first token', async () => {
  const dataDir = await newDataDir();
  const server = spawnServer(dataDir, { flags: ['--profile', 'none'], settings: OWN_SETTINGS });
  try {
    const address = await readyAddress(server);
    const said = server.output();
    assert.match(
      said,
      /This sandbox uses the profile none, so it has no group, account or\n.*demo\.json/,
    );
    assert.ok(said.includes(`export SERVERY_URL=${address} `), said);
    const [, told = ''] = /^servery (clients create .+? all)$/ms.exec(said) ?? [];
    const words = told.replace('\\\n', ' ').split(/ +/);
    const made = await runCommand(dataDir, [...words, '--json']);
    assert.equal(made.code, 0, made.errors);
    const { client, clientSecret } = JSON.parse(made.output);
    const login = await request(`${address}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${client.clientId}:${clientSecret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    assert.equal(login.statusCode, 200, await login.body.text());
  } finally {
    await endServer(server.child, 'SIGTERM');
    await rm(join(dataDir, '..'), { recursive: true, force: true });
  }
});

let platform: StartedPlatform | undefined;
after(async () => platform?.stop());

test('start: demo.json is for its owner alone, and the ready line names the address', async () => {
  platform = await startPlatform({ settings, flags: ['--tls-dev', '--tls-port', '0'] });
  const { mode } = await stat(platform.demoPath);
  assert.equal((mode & 0o777).toString(8), '600');
  assert.equal(platform.demo.baseUrl.replace(/\/$/, ''), platform.baseUrl);
  assert.match(platform.output(), /curl /, 'a first call to copy');
  for (const { clientSecret } of Object.values(platform.demo.clients)) {
    assert.ok(clientSecret.length >= 32);
  }
});

test('start: with --tls-dev the same platform answers by https', async () => {
  assert.ok(platform);
  const { tlsUrl } = platform.demo;
  assert.match(String(tlsUrl), /^https:\/\//);
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const answer = await request(`${tlsUrl}/healthz`, { dispatcher });
  assert.equal(answer.statusCode, 200);
  await answer.body.dump();
  await dispatcher.close();
});

test('start: after kill -9 nothing acknowledged is lost, and credentials stay', async () => {
  assert.ok(platform);
  const before = platform;
  const [restaurant] = openRestaurants(before.demo);
  const partner = await new DemoCallers(before).as('partner');
  const guid = nth(await itemGuids(partner, restaurant), 0, 'menu item');
  const json = [{ guid, status: 'QUANTITY', quantity: 41 }];
  await partner.call('stock.update', 200, { restaurant, json });
  const card = { ...cardWithOutcome(before.demo, 'AUTHORIZED'), cardNumber: CANARY_NUMBER };
  const body = await paymentBody(before.demo, { card });
  const paid = await authorize(partner, 200, restaurant, body, paymentUuid);
  canaries.push(CANARY_NUMBER, String(body.encryptedCardData).slice(0, 60), String(partner.token));
  await endServer(before.process, 'SIGKILL');

  platform = await startPlatform({ settings, dataDir: before.dataDir });
  assert.deepEqual(platform.demo.clients, before.demo.clients);
  const again = await new DemoCallers(platform).as('partner');
  const found = await again.call('stock.search', 200, { restaurant, json: { guids: [guid] } });
  assert.equal((found.json as { quantity: number }[])[0]?.quantity, 41);
  const repeated = await authorize(again, 200, restaurant, body, paymentUuid);
  assert.deepEqual(repeated.json, paid.json);
});

/** All files under a folder. */
async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

test('start: no card number, ciphertext, token or client secret is written anywhere', async () => {
  assert.ok(platform);
  await endServer(platform.process, 'SIGINT');
  const { demo, dataDir, output } = platform;
  assert.equal(canaries.length, 3);
  const secrets = Object.values(demo.clients).map(({ clientSecret }) => clientSecret);
  const files = (await filesUnder(dataDir)).filter((file) => !file.endsWith('demo.json'));
  assert.ok(files.length > 100, 'the database is among the files');
  for (const file of files) {
    const bytes = await readFile(file);
    const found = [...canaries, ...secrets].filter((canary) => bytes.includes(canary));
    assert.deepEqual(found, [], file);
  }
  for (const canary of canaries) assert.ok(!output().includes(canary), 'nor into the log');
});

test('start: Ctrl-C stops cleanly', () => {
  assert.ok(platform);
  assert.equal(platform.process.exitCode, 0, platform.output().slice(-500));
});

test('start: a signal to npm start stops the server in order, not only npm', async () => {
  assert.ok(platform);
  platform = await startPlatform({ settings, dataDir: platform.dataDir, throughNpm: true });
  await endServer(platform.process, 'SIGTERM');
  await assert.rejects(request(`${platform.baseUrl}/healthz`), 'nothing answers anymore');
  assert.match(platform.output(), /servery: stopping/);
});
