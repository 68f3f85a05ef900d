import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findLedgerHolder } from '@servery/card-simulator/ledger-lock.ts';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { isRunning } from '@servery/postgres/postgres-cluster.ts';
import { machineTimer } from '@servery/support/timer.ts';
import { makeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { type HttpProcessor, httpProcessor } from '../../../src/payments/processors/http.ts';
import { keepProcessor, type ProcessorKeeper } from '../../../src/payments/processors/keeper.ts';
import type { Processor } from '../../../src/payments/processors/processor.ts';
import { authorizationOf, noDeadline, until } from './orders.ts';

const KEEPER = fileURLToPath(new URL('./keeper-process.ts', import.meta.url));

let folder: string;
let ledgerFile: string;
let kept: ProcessorKeeper[];
let processors: HttpProcessor[];
beforeEach(async () => {
  folder = await makeTestFolder();
  ledgerFile = join(folder, 'processor', 'ledger.jsonl');
  kept = [];
  processors = [];
});
afterEach(async () => {
  for (const processor of processors) processor.close();
  await Promise.all(kept.map((keeper) => keeper.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function keep(lines: string[] = [], stopping?: AbortSignal): Promise<ProcessorKeeper> {
  const onProgress = (line: string) => lines.push(line);
  const keeper = await keepProcessor({ ledgerFile, timer: machineTimer, onProgress, stopping });
  kept.push(keeper);
  return keeper;
}

function through(keeper: ProcessorKeeper): Processor {
  const processor = httpProcessor({ url: () => keeper.url(), secret: null });
  processors.push(processor);
  return processor;
}

async function pid(): Promise<number> {
  const holder = await findLedgerHolder(ledgerFile);
  assert.ok(holder);
  return holder.pid;
}

const hold = (processor: Processor, key: string): Promise<ProcessorAnswer> =>
  processor.authorize(authorizationOf(key), noDeadline);

/** Repeats a call while it comes back as one of the outcomes that may be; the key is the same. */
async function holdAtLast(
  processor: Processor,
  key: string,
  passing: readonly string[] = ['notProcessed'],
): Promise<ProcessorAnswer> {
  let answer = await hold(processor, key);
  await until(`an answer to ${key}`, async () => {
    if (answer.outcome === 'approved') return true;
    assert.ok(passing.includes(answer.outcome), JSON.stringify(answer));
    answer = await hold(processor, key);
    return false;
  });
  return answer;
}

test('creditCards.authorize PAY-I1 PAY-I8: keepers that start at once share one simulator, which is back for all when it was killed', async () => {
  const lines: string[] = [];
  const keepers = await Promise.all([keep(lines), keep(lines), keep(lines), keep(lines)]);
  const urls = () => new Set(keepers.map((keeper) => keeper.url()));
  assert.equal(urls().size, 1);
  const [one, other] = keepers.map(through) as [Processor, Processor];
  const first = await hold(one, 'auth:1:1');
  assert.equal(first.outcome, 'approved');
  assert.deepEqual(await hold(other, 'auth:1:1'), first);
  const killed = await pid();
  process.kill(killed, 'SIGKILL');
  await until('the simulator is gone', () => !isRunning(killed));
  assert.deepEqual(await holdAtLast(one, 'auth:1:1'), first);
  await until('all know it', () => urls().size === 1 && !urls().has(null));
  assert.deepEqual(await holdAtLast(other, 'auth:1:1'), first);
  assert.notEqual(await pid(), killed);
  assert.ok(lines.some((line) => line.includes('has ended unexpectedly')));
});

test('creditCards.authorize PAY-I8: who is left starts again what the owner ended, which is no news while all stop', async () => {
  const lines: string[] = [];
  const stopping = new AbortController();
  const owner = await keep();
  const guest = await keep();
  const first = await hold(through(owner), 'auth:1:1');
  const ended = await pid();
  await owner.stop();
  assert.ok(!isRunning(ended), 'it ends with its owner');
  await until('another one runs', async () => (await pid()) !== ended && guest.url() !== null);
  assert.deepEqual(await holdAtLast(through(guest), 'auth:1:1'), first);
  const again = await pid();
  const last = await keep(lines, stopping.signal);
  stopping.abort();
  await guest.stop();
  assert.ok(!isRunning(again));
  // Others may still have calls to make.
  await until('another one runs', async () => (await pid()) !== again && last.url() !== null);
  assert.deepEqual(lines, []);
  const { port } = new URL(last.url() ?? '');
  await last.stop();
  const stranger = createServer((_request, response) => response.end('hello'));
  stranger.listen(Number(port), '127.0.0.1');
  // Where it cannot, a stranger is there already.
  await once(stranger, 'listening').catch(() => {});
  const next = await keep();
  assert.notEqual(new URL(next.url() ?? '').port, port, 'the stranger is left alone');
  assert.equal((await hold(through(next), 'auth:1:1')).outcome, 'approved');
  stranger.close();
});

test('creditCards.authorize PAY-I1: a killed server leaves no simulator behind', async () => {
  const server = fork(KEEPER, [ledgerFile]);
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  const holder = await findLedgerHolder(ledgerFile);
  assert.equal(holder?.url, url);
  const first = await hold(httpOf(url), 'auth:1:1');
  server.kill('SIGKILL');
  // The next server comes at once, while the last one's simulator may still be ending.
  const next = await keep();
  const passing = ['notProcessed', 'unknown'];
  assert.deepEqual(await holdAtLast(through(next), 'auth:1:1', passing), first);
  await until('the orphan has ended', () => !isRunning(holder?.pid ?? 0));
});

function httpOf(url: string): Processor {
  const processor = httpProcessor({ url: () => url, secret: null });
  processors.push(processor);
  return processor;
}

test('creditCards.authorize: a ledger that cannot be read stops the start, in words', async () => {
  await mkdir(dirname(ledgerFile));
  await writeFile(ledgerFile, 'rubbish\n{"type":"excused","subject":"1"}\n');
  await assert.rejects(keep(), /damaged at line 1/);
});
