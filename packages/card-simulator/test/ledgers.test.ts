import assert from 'node:assert/strict';
import { appendFile, copyFile, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { newRandomId } from '@servery/support/ids.ts';
import { instantTimer } from '@servery/support/timer.ts';
import type { Hold } from '../src/ledger.ts';
import { LedgerFolder } from '../src/ledger-folder.ts';
import { LEDGER_HEADER, PROTOCOL, type WireLedgers } from '../src/protocol.ts';
import { type RunningSimulator, runSimulator } from '../src/run.ts';
import { type ProcessSimulator, runInProcess } from './child-process.ts';
import { authorizationOf, noDeadline } from './orders.ts';
import { call } from './wire-client.ts';

const KILLS = 2;
const AT_ONCE = 4;

let folder: string;
let ledgerFile: string;
let running: RunningSimulator;
let killed: ProcessSimulator | null = null;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servery-test-'));
  ledgerFile = join(folder, 'ledger.jsonl');
  running = await runSimulator({ host: '127.0.0.1', port: 0, ledgerFile });
});
after(async () => {
  await killed?.kill();
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

async function send(path: string, method = 'GET', body?: object, base = running.url) {
  const headers = { 'content-type': 'application/json' };
  const text = body && JSON.stringify(body);
  const response = await fetch(base + path, { method, headers, body: text ?? null });
  return { status: response.status, body: await response.json() };
}

async function make(copyOf: string | null, base = running.url): Promise<string> {
  const ledger = newRandomId();
  const order = { protocol: PROTOCOL, ledger, copyOf };
  const { status, body } = await send('/ledgers', 'POST', order, base);
  assert.equal(status, 201, JSON.stringify(body));
  return ledger;
}

const at = (ledger: string) => `${running.url}/ledgers/${ledger}`;

async function statesIn(url: string): Promise<Record<string, string>> {
  const { holds } = (await (await fetch(`${url}/ledger`)).json()) as { holds: Hold[] };
  return Object.fromEntries(holds.map(({ key, state }) => [key, state]));
}

async function listed(base = running.url): Promise<string[]> {
  const { ledgers } = (await send('/ledgers', 'GET', undefined, base)).body as WireLedgers;
  return ledgers.map(({ ledger }) => ledger);
}

const hold = (url: string, key: string) => call(url, 'authorize', authorizationOf(key));
const giveUp = (url: string, id: string) =>
  call(url, 'void', { key: `void:${id}`, authorizationKey: `auth:${id}:1` });

test('creditCards.authorize PAY-I1: a copied ledger knows all, and goes its own way', async () => {
  await hold(running.url, 'auth:1:1');
  await hold(running.url, 'auth:2:1');
  const copy = await make('main');
  await giveUp(at(copy), '1');
  const second = await make(copy);
  await hold(at(copy), 'auth:3:1');
  const empty = await make(null);
  await hold(at(empty), 'auth:1:1');
  assert.deepEqual(await statesIn(running.url), { 'auth:1:1': 'HELD', 'auth:2:1': 'HELD' });
  const copied = { 'auth:1:1': 'VOIDED', 'auth:2:1': 'HELD' };
  assert.deepEqual(await statesIn(at(copy)), { ...copied, 'auth:3:1': 'HELD' });
  assert.deepEqual(await statesIn(at(second)), copied);
  assert.deepEqual(await statesIn(at(empty)), { 'auth:1:1': 'HELD' });
  const names = await Promise.all(
    [copy, second, empty].map(async (ledger) => (await send(`/ledgers/${ledger}/health`)).body),
  );
  assert.deepEqual(
    names.map((health) => (health as { ledger: string }).ledger),
    [copy, second, empty],
  );
});

test('creditCards.authorize PAY-I1: a ledger takes neither calls nor faults of others', async () => {
  const [one, other] = [await make(null), await make(null)];
  const fault = { kind: 'declined', responseCode: '91' };
  await send(`/ledgers/${one}/faults`, 'POST', { operation: 'any', count: 1, fault });
  for (const url of [running.url, at(other)]) {
    assert.equal((await hold(url, 'auth:own:1')).outcome, 'approved');
  }
  assert.equal((await hold(at(one), 'auth:own:1')).outcome, 'declined');
  const meantForOther = await fetch(`${at(one)}/inquire`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [LEDGER_HEADER]: other },
    body: JSON.stringify({ protocol: PROTOCOL, key: 'auth:own:1' }),
  });
  assert.equal(meantForOther.status, 409);
});

test('creditCards.authorize PAY-I1: a ledger that is not there is never begun anew', async () => {
  const ledger = await make(null);
  const order = { protocol: PROTOCOL, ledger, copyOf: null };
  assert.equal((await send('/ledgers', 'POST', order)).status, 409);
  await hold(at(ledger), 'auth:1:1');
  assert.deepEqual((await send(`/ledgers/${ledger}`, 'DELETE')).body, {
    ...{ protocol: PROTOCOL, isDropped: true },
  });
  assert.equal((await send(`/ledgers/${ledger}`, 'DELETE')).status, 200);
  const inquiry = { protocol: PROTOCOL, key: 'auth:1:1' };
  for (const name of [ledger, newRandomId(), 'main', `..%2f${ledger}`]) {
    const { status, body } = await send(`/ledgers/${name}/inquire`, 'POST', inquiry);
    assert.equal(status, 404, name);
    assert.equal((body as { answer: { outcome: string } }).answer.outcome, 'notProcessed');
  }
  const copyOfNone = { protocol: PROTOCOL, ledger: newRandomId(), copyOf: ledger };
  assert.equal((await send('/ledgers', 'POST', copyOfNone)).status, 404);
  const ofPath = { ...order, ledger: '../../etc' };
  assert.equal((await send('/ledgers', 'POST', ofPath)).status, 400);
  assert.ok(!(await listed()).includes(ledger));
  // The same name is another ledger.
  assert.equal((await send('/ledgers', 'POST', order)).status, 201);
  assert.deepEqual(await statesIn(at(ledger)), {});
});

test('creditCards.authorize: a copy has each hold that was answered before it', async () => {
  const answered: string[] = [];
  const life = async (id: number) => {
    for (let round = 0; round < 15; round += 1) {
      const key = `auth:busy-${id}-${round}:1`;
      await hold(running.url, key);
      answered.push(key);
    }
  };
  const busy = Promise.all(Array.from({ length: 8 }, (_, id) => life(id)));
  for (let copies = 0; copies < 5; copies += 1) {
    const before = answered.slice();
    const states = await statesIn(at(await make('main')));
    assert.deepEqual(
      before.filter((key) => states[key] !== 'HELD'),
      [],
    );
  }
  await busy;
});

test('creditCards.authorize: a damaged or unwritable ledger stops no other one', async () => {
  const [torn, ill] = [await make(null), await make('main')];
  const fileOf = (ledger: string) => join(folder, 'ledgers', `${ledger}.jsonl`);
  await appendFile(fileOf(torn), 'rubbish\n{"type":"excused","subject":"1"}\n');
  const { status, body } = await send(`/ledgers/${torn}/health`);
  assert.equal(status, 500);
  assert.match(JSON.stringify(body), /damaged at line 2/);
  const renamed = newRandomId();
  await copyFile(fileOf(ill), fileOf(renamed));
  assert.match(JSON.stringify(await send(`/ledgers/${renamed}/health`)), /is another ledger/);

  const handle = await open(fileOf(ill));
  await handle.close();
  await hold(at(ill), 'auth:well:1');
  const full = mock.method(Object.getPrototypeOf(handle), 'appendFile', async () => {
    throw new Error('the disk is full');
  });
  await assert.rejects(hold(at(ill), 'auth:ill:1'));
  full.mock.restore();
  assert.equal((await call(at(ill), 'inquire', { key: 'auth:ill:1' })).outcome, 'notFound');
  assert.equal((await call(at(ill), 'inquire', { key: 'auth:well:1' })).outcome, 'approved');
  assert.equal((await hold(running.url, 'auth:well:2')).outcome, 'approved');
});

test('creditCards.authorize: a ledger that nobody uses for a minute costs its file', async () => {
  let rest: (() => void) | null = null;
  const timer = {
    ...instantTimer,
    after: (durationMs: number, run: () => void) => {
      assert.equal(durationMs, 60_000);
      rest = run;
      return () => {
        rest = null;
      };
    },
  };
  const options = { folder: join(folder, 'resting'), mainFile: ledgerFile, timer };
  const ledgers = await LedgerFolder.open(options);
  const ledger = newRandomId();
  await ledgers.make(ledger, null);
  const isLoaded = async () => (await ledgers.list())[0]?.isLoaded;
  assert.equal(await isLoaded(), false);
  const order = authorizationOf('auth:1:1');
  await ledgers.use(ledger, async (simulator) => {
    simulator.faults.add({ operation: 'void', count: 1, fault: { kind: 'notProcessed' } });
    await simulator.call({ operation: 'authorize', order }, noDeadline);
    assert.equal(rest, null);
  });
  assert.equal(await isLoaded(), true);
  (rest as unknown as () => void)();
  assert.equal(await isLoaded(), false);
  const holds = await ledgers.use(ledger, async (simulator) => {
    assert.equal(simulator.faults.list().length, 1, 'faults stay');
    return simulator.holds();
  });
  assert.equal(holds[0]?.key, 'auth:1:1');
  await ledgers.close();
  assert.equal(rest, null);
});

test('creditCards.authorize PAY-I8: kill -9 leaves a whole copy or none', async () => {
  const source = join(folder, 'killed', 'ledger.jsonl');
  let simulator = await runInProcess(source);
  killed = simulator;
  const template = await make(null, simulator.url);
  // So long that most of a copy's time is that of its writing.
  const lines = Array.from({ length: 20_000 }, (_, n) => `{"type":"excused","subject":"${n}"}\n`);
  await appendFile(join(folder, 'killed', 'ledgers', `${template}.jsonl`), lines.join(''));
  await hold(`${simulator.url}/ledgers/${template}`, 'auth:last:1');
  const answered = new Set([template]);
  for (let round = 0; round < KILLS; round += 1) {
    const { url, kill } = simulator;
    const last = answered.size + 3 + round;
    let killing: Promise<void> | null = null;
    const copyOn = async () => {
      while (!killing) {
        answered.add(await make(template, url));
        // The other copies are under way.
        if (answered.size >= last) killing ??= kill();
      }
    };
    await Promise.allSettled(Array.from({ length: AT_ONCE }, copyOn));
    await killing;
    simulator = await runInProcess(source);
    killed = simulator;
    const found = await listed(simulator.url);
    assert.deepEqual(new Set([...answered, ...found]), new Set(found), 'no copy is lost');
    for (const ledger of found) {
      const states = await statesIn(`${simulator.url}/ledgers/${ledger}`);
      assert.deepEqual(states, { 'auth:last:1': 'HELD' }, 'no copy is half');
      answered.add(ledger);
    }
    const names = await readdir(join(folder, 'killed', 'ledgers'));
    assert.equal(names.length, found.length, 'no draft stays');
  }
});
