import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { PutRule } from '@servery/card-simulator/faults.ts';
import type { Hold } from '@servery/card-simulator/ledger.ts';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { type RunningSimulator, runSimulator } from '@servery/card-simulator/run.ts';
import { instantTimer } from '@servery/support/timer.ts';
import { makeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { testCards } from '../../../src/payments/cards/test-cards.ts';
import { type HttpProcessor, httpProcessor } from '../../../src/payments/processors/http.ts';
import { inProcessProcessor } from '../../../src/payments/processors/in-process.ts';
import type { Processor } from '../../../src/payments/processors/processor.ts';
import { authorizationOf, noDeadline } from './orders.ts';

const CARD = '4242424242424242';
const JSON_HEADERS = { 'content-type': 'application/json' };

let folder: string;
let running: RunningSimulator;
let processor: HttpProcessor;
before(async () => {
  folder = await makeTestFolder();
  const ledgerFile = join(folder, 'ledger.jsonl');
  running = await runSimulator({ host: '127.0.0.1', port: 0, ledgerFile });
  processor = httpProcessor({ url: () => running.url, secret: null });
});
after(async () => {
  processor.close();
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

test('creditCards.authorize PAY-I1: a call meant for another ledger has no effect', async () => {
  const key = 'auth:elsewhere:1';
  let ledgerId = '00000000-0000-4000-8000-000000000000';
  const meant = httpProcessor({ url: () => running.url, secret: null, ledger: () => ledgerId });
  const calls = () => [
    meant.authorize(authorizationOf(key, CARD), noDeadline),
    meant.inquire({ key }, noDeadline),
    meant.void({ key: 'void:elsewhere', authorizationKey: key }, noDeadline),
  ];
  for (const call of calls()) {
    const answer = await call;
    assert.equal(answer.outcome, 'notProcessed');
    assert.match(JSON.stringify(answer), /another ledger/);
  }
  ledgerId = (await send('/health')).body.ledger;
  const [approved] = await Promise.all(calls().slice(0, 1));
  assert.equal(approved?.outcome, 'approved');
  meant.close();
});

test('creditCards.authorize PAY-8: each fault of the wire is an unknown outcome', async () => {
  const cases = [
    ['brokenAnswer', 'approved'],
    ['droppedConnectionBefore', 'notFound'],
    ['droppedConnectionAfter', 'approved'],
    ['timeOutBefore', 'notFound'],
    ['timeOutAfter', 'approved'],
  ] as const;
  for (const [kind, known] of cases) {
    const key = `auth:${kind}:1`;
    await post('/faults', { operation: 'any', match: { key }, count: 1, fault: { kind } });
    const deadline = new AbortController();
    const call = processor.authorize(authorizationOf(key), deadline.signal);
    if (kind.startsWith('timeOut')) {
      // The rule is gone when the call has met it.
      while ((await send('/faults')).body.rules.length > 0);
      deadline.abort();
    }
    assert.equal((await call).outcome, 'unknown', kind);
    assert.equal((await processor.inquire({ key }, noDeadline)).outcome, known, kind);
  }
});

test('creditCards.authorize: both ways to the simulator answer each card alike', async () => {
  const inside = inProcessProcessor(instantTimer);
  const answers = async (to: Processor, number: string) => {
    const key = `auth:${number}:1`;
    const order = authorizationOf(key, number);
    const unknown = () => ({ outcome: 'unknown' });
    return [
      await to.authorize(order, noDeadline).catch(unknown),
      await to.inquire({ key }, noDeadline).catch(unknown),
      await to.inquire({ key }, noDeadline).catch(unknown),
    ].map((answer) => ('explanation' in answer ? answer.outcome : answer));
  };
  const quick = testCards.filter(
    ({ outcome, latencyMs }) => !outcome.startsWith('timeOut') && latencyMs === 0,
  );
  for (const { number, outcome } of quick) {
    const [there, here] = [await answers(processor, number), await answers(inside, number)];
    // The reference of an inquiry's answer does not come over HTTP (PAY-I7).
    const plain = (answer: object | string, index: number) => {
      if (typeof answer !== 'object') return answer;
      if ('outcome' in answer && answer.outcome === 'unknown') return 'unknown';
      return 'reference' in answer && index > 0 ? { ...answer, reference: null } : answer;
    };
    assert.deepEqual(there.map(plain), here.map(plain), outcome);
  }
});
