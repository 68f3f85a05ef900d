import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { nextTurn } from '@servery/support/runner.ts';
import type { PutRule } from '../src/faults.ts';
import type { Hold } from '../src/ledger.ts';
import type { ProcessorAnswer } from '../src/messages.ts';
import { type RunningSimulator, runSimulator } from '../src/run.ts';
import { authorizationOf } from './orders.ts';
import { call } from './wire-client.ts';

const CARD = '4242424242424242';
const JSON_HEADERS = { 'content-type': 'application/json' };

let folder: string;
let running: RunningSimulator;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servery-test-'));
  const ledgerFile = join(folder, 'ledger.jsonl');
  running = await runSimulator({ host: '127.0.0.1', port: 0, ledgerFile });
});
after(async () => {
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What the doors answer, as far as tests look. */
interface Body {
  readonly ledger: string;
  readonly id: number;
  readonly key: string | null;
  readonly answer: ProcessorAnswer;
  readonly rules: readonly PutRule[];
  readonly holds: readonly Hold[];
}

async function send(path: string, init: RequestInit = {}) {
  const response = await fetch(running.url + path, { headers: JSON_HEADERS, ...init });
  return { status: response.status, body: (await response.json()) as Body };
}

const post = (path: string, body: unknown) =>
  send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

test('creditCards.authorize: what the simulator cannot read it does not process', async () => {
  const inquiry = { protocol: 1, key: 'auth:1:1' };
  const cases: [string, RequestInit, number][] = [
    ['/inquire', { method: 'POST', body: '{' }, 400],
    ['/inquire', { method: 'POST', body: JSON.stringify({ ...inquiry, protocol: 2 }) }, 400],
    ['/inquire', { method: 'POST', body: JSON.stringify({ ...inquiry, more: 1 }) }, 400],
    ['/inquire', { method: 'POST', body: JSON.stringify(inquiry), headers: {} }, 415],
    ['/inquire', { method: 'POST', body: `"${'x'.repeat(70_000)}"` }, 413],
    ['/inquire', { method: 'GET' }, 404],
    ['/refund', { method: 'POST', body: '{}' }, 404],
    ['/faults', { method: 'PUT', body: '{}' }, 405],
  ];
  for (const [path, init, expected] of cases) {
    const { status, body } = await send(path, init);
    assert.equal(status, expected, path);
    assert.equal(body.answer.outcome, 'notProcessed');
    assert.equal(body.key, null);
  }
});

test('creditCards.authorize PAY-I7: a refused request does not come back in the refusal', async () => {
  const card = { number: CARD, securityCode: '7391' };
  const order = { protocol: 1, key: 'auth:1:1', card };
  for (const body of [order, `{"number":"${CARD}"`, { ...order, card: { ...card, number: 'x' } }]) {
    const answer = await post('/authorize', body);
    assert.equal(answer.status, 400);
    assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(`${CARD}|7391`));
  }
});

test('creditCards.authorize: a caller that hangs up in its body ends nothing', async () => {
  const caller = connect(Number(new URL(running.url).port), '127.0.0.1');
  const head = 'POST /void HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\n';
  const asked = 'expect: 100-continue\r\ncontent-length: 99\r\n\r\n';
  caller.write(head + asked);
  // The simulator reads the body from now on.
  await once(caller, 'data');
  caller.write('{', () => caller.destroy());
  await once(caller, 'close');
  const ended = running.failed.catch((error: Error) => error.message);
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await send('/health')).status, 200);
  }
  assert.equal(await Promise.race([ended, nextTurn()]), undefined);
});

test('creditCards.authorize: faults are put, listed, met and taken back over HTTP', async () => {
  const fault = { kind: 'declined', responseCode: '65' };
  const rule = { operation: 'authorize', match: { last4: '4242' }, count: 1, fault };
  const { status, body } = await post('/faults', rule);
  assert.equal(status, 201);
  assert.deepEqual(body, { id: body.id, ...rule });
  assert.deepEqual((await send('/faults')).body.rules, [body]);
  const declined = await call(running.url, 'authorize', authorizationOf('auth:f1:1', CARD));
  assert.deepEqual(declined, { outcome: 'declined', responseCode: '65' });
  assert.deepEqual((await send('/faults')).body.rules, []);
  await post('/faults', { ...rule, count: 5 });
  assert.deepEqual((await send('/faults', { method: 'DELETE' })).body, { removed: 1 });
  const approved = await call(running.url, 'authorize', authorizationOf('auth:f2:1', CARD));
  assert.equal(approved.outcome, 'approved');
});

test('creditCards.authorize: a rule that makes no sense is refused', async () => {
  const fault = { kind: 'timeOutAfter' };
  const rules = [
    { operation: 'refund', count: 1, fault },
    { operation: 'any', count: 0, fault },
    { operation: 'any', count: 1, fault: { kind: 'flood' } },
    { operation: 'any', count: 1, fault: { kind: 'delay' } },
    { operation: 'any', count: 1, fault: { kind: 'declined', responseCode: '5' } },
    { operation: 'void', count: 1, fault: { kind: 'lateApproval' } },
    { operation: 'any', match: { card: CARD }, count: 1, fault },
  ];
  for (const rule of rules) assert.equal((await post('/faults', rule)).status, 400);
  assert.deepEqual((await send('/faults')).body.rules, []);
});

test('creditCards.authorize: GET /ledger tells each hold with its state', async () => {
  const key = 'auth:told:1';
  await call(running.url, 'authorize', authorizationOf(key, CARD));
  await call(running.url, 'void', { key: 'void:told', authorizationKey: key });
  const { body } = await send('/ledger');
  const holds = body.holds.filter((hold) => hold.key === key);
  assert.deepEqual(holds, [
    {
      ...{ key, paymentId: 'told', merchantGuid: 'm', amountMinor: 1250, currencyCode: 'USD' },
      ...{ brand: 'VISA', last4: '4242', state: 'VOIDED', capturedMinor: 0 },
    },
  ]);
});
