import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { run } from '../../src/boot/run.ts';
import { type Platform, start } from '../../src/boot/server.ts';
import { readConfig } from '../../src/config/config.ts';
import type { DemoFile } from '../../src/sandbox/demo-file.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let own: TestDatabase;
let folder: string;
let platforms: Platform[];
let lines: string[];
/** Called with each line. */
let onLine: (line: string) => void;
beforeEach(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
  platforms = [];
  lines = [];
  onLine = () => {};
});
afterEach(async () => {
  for (const platform of platforms) await platform.stop();
  await own.drop();
  removeTestFolder(folder);
});

function settingsOf(port: number, databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: String(port),
    SERVERY_PROFILE: 'empty',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_LOG_LEVEL: 'silent',
  };
}

async function serve(port = 0, databaseUrl = own.url): Promise<Platform> {
  const onProgress = (line: string) => {
    lines.push(line);
    onLine(line);
  };
  const platform = await start(readConfig(settingsOf(port, databaseUrl), []), { onProgress });
  platforms.push(platform);
  return platform;
}

async function demo(): Promise<DemoFile> {
  return JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
}

/**
 * A port that stays free until somebody asks for it by its number: below those that the machine
 * gives to any program that asks, as the tests do that run beside this one.
 */
async function freePort(): Promise<number> {
  const port = randomInt(12_000, 32_000);
  const listener = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    listener.once('error', () => resolve(false));
    listener.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return await freePort();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

test('start: demo.json tells of the first server in a folder for as long as it lives, and a second database there is refused', async () => {
  const first = await serve();
  const told = await demo();
  assert.equal(told.baseUrl, first.url);
  const other = await createTestDatabase();
  try {
    await assert.rejects(serve(0, other.url), (error: Error) => {
      assert.ok(error.message.includes(`belongs to the server at ${first.url}`));
      assert.match(error.message, /another database: give this one a folder of its own/);
      return true;
    });
    const rows = await other.database.sql`select from client_secret`;
    assert.equal(rows.length, 0, 'no secret was made that nobody is told');
  } finally {
    await other.drop();
  }
  assert.deepEqual(await demo(), told);
  const second = await serve();
  assert.deepEqual(await demo(), told);
  assert.ok(lines.some((line) => line.includes(`still names the server at ${first.url}`)));
  assert.notEqual(second.url, first.url);
  const isTakenOver = new Promise<void>((resolve) => {
    onLine = (line) => {
      if (line.includes('demo.json names this server now')) resolve();
    };
  });
  await first.stop();
  await isTakenOver;
  assert.deepEqual(await demo(), { ...told, baseUrl: second.url, authUrl: second.url });
  await second.stop();
  const third = await serve();
  assert.equal((await demo()).baseUrl, third.url);
  assert.deepEqual((await demo()).clients, told.clients);
});

test('start: the same server a second time says where it runs, with exit code 4, and a stranger on the port of the last run is told', async (t) => {
  const port = await freePort();
  const platform = await serve(port);
  const { url } = platform;
  const told = await demo();
  let said = '';
  t.mock.method(process.stderr, 'write', (text: string) => {
    said += text;
    return true;
  });
  const code = await run(settingsOf(port, own.url), []);
  t.mock.restoreAll();
  assert.equal(said, `servery: Servery already runs here: ${url}\n`);
  assert.equal(code, 4);
  assert.deepEqual(await demo(), told);
  await platform.stop();
  const stranger = createServer().listen(port, '127.0.0.1');
  await new Promise((resolve) => stranger.once('listening', resolve));
  stranger.on('connection', (socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end('hello'),
  );
  await assert.rejects(serve(port), /is taken by another program/);
  await new Promise((resolve) => stranger.close(resolve));
});

test('start: a port that is taken is told before the database is made', async () => {
  const stranger = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => stranger.once('listening', resolve));
  const { port } = stranger.address() as { port: number };
  const { DATABASE_URL: _, ...settings } = settingsOf(port, '');
  const tlsSettings = { ...settings, SERVERY_PORT: '0', SERVERY_TLS_PORT: String(port) };
  const onProgress = (line: string) => lines.push(line);
  try {
    const plain = start(readConfig(settings, []), { onProgress });
    await assert.rejects(plain, /is taken by another program: end it, or choose one with --port/);
    const tls = start(readConfig(tlsSettings, ['--tls-dev']), { onProgress });
    await assert.rejects(tls, /is taken by another program: end it, or choose one with --tls-port/);
  } finally {
    await new Promise((resolve) => stranger.close(resolve));
  }
  assert.deepEqual(lines, [], 'nothing was begun');
  assert.deepEqual(await readdir(folder), [], 'nothing was made');
});
