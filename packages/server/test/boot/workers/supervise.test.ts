import assert from 'node:assert/strict';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeTestFolder, removeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { giveUpWorkers, startWorkers, type Workers } from '../../../src/boot/workers/supervise.ts';
import { createMetrics } from '../../../src/support/metrics.ts';

const EXEC = fileURLToPath(new URL('./scripted-worker.ts', import.meta.url));
const LONG_LIFE_MS = 60_000;
const TOLD = { groupId: '11111111-1111-4111-8111-111111111111', port: 4_711, tlsPort: 0 };

let folder: string;
let workers: Workers | null = null;
/** What the log was told, and the pauses before a worker was started again. */
let told: { readonly message: string; readonly fields: Record<string, unknown> }[] = [];
let pauses: number[] = [];
let isLongLived = false;
const news = new EventTarget();

beforeEach(async () => {
  folder = await makeTestFolder();
  told = [];
  pauses = [];
  isLongLived = false;
});
afterEach(async () => {
  await workers?.stop();
  workers = null;
  removeTestFolder(folder);
});

const silent = () => {};
const tell = (fields: Record<string, unknown>, message: string) => {
  told.push({ message, fields });
  news.dispatchEvent(new Event('told'));
};

function group(words: readonly string[], count = 1): Workers {
  workers = startWorkers({
    exec: EXEC,
    args: [path.join(folder, 'lives'), ...words],
    env: {},
    count,
    log: { debug: silent, info: silent, warn: silent, error: tell as never },
    metrics: createMetrics(),
    pause: async (durationMs, signal) => {
      if (durationMs !== LONG_LIFE_MS) pauses.push(durationMs);
      else if (!isLongLived) await once(signal, 'abort').then(() => Promise.reject(signal.reason));
    },
  });
  return workers;
}

async function untilTold(count: number): Promise<void> {
  while (told.length < count) await once(news, 'told');
}

test('workers: the first one begins before all others, and says what is to be shown', async () => {
  const ready = await group(['begins'], 3).begin(TOLD);
  assert.equal(ready.greeting, 'first');
  assert.equal(ready.url, '4711');
});

test('workers: one that dies again and again is replaced after growing pauses', async () => {
  await group(['dies', 'dies', 'refuses', 'vanishes', 'begins']).begin(TOLD);
  await untilTold(6);
  const [ended, cannot] = ['a worker ended and is being restarted', 'a worker cannot start'];
  assert.deepEqual(
    told.map(({ message }) => message),
    [ended, ended, cannot, ended, cannot, ended],
  );
  assert.deepEqual(pauses, [0, 250, 500, 1_000]);
  assert.equal(told[0]?.fields.signal, 'SIGKILL');
  assert.equal(told[0]?.fields.worker, 1);
  assert.equal(told[2]?.fields.reason, 'it does not want to');
});

test('workers: one that lived for long is replaced at once', async () => {
  isLongLived = true;
  await group(['dies', 'dies', 'dies', 'begins']).begin(TOLD);
  await untilTold(3);
  assert.deepEqual(pauses, [0, 0, 0]);
});

test('workers: when one cannot begin, its own words are why none does', async () => {
  await assert.rejects(group(['refuses'], 2).begin(TOLD), /^Error: it does not want to$/);
});

test('workers: one that ends before it has begun is named', async () => {
  await assert.rejects(
    group(['begins', 'vanishes'], 2).begin(TOLD),
    /^Error: Worker 2 ended by SIGKILL before it was ready\.$/,
  );
});

test('workers: who gives up waits for none of them', async () => {
  const own = group(['begins'], 2);
  await own.begin(TOLD);
  const stopped = own.stop();
  await giveUpWorkers();
  await stopped;
  assert.deepEqual(told, []);
});

test('workers: one that has not loaded yet is not waited for', { timeout: 240_000 }, async () => {
  await group(['hangs'], 2).stop();
  assert.deepEqual(told, []);
});
