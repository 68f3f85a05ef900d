import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { findLedgerHolder } from '@servery/card-simulator/ledger-lock.ts';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { makeTestFolder, removeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { claimLedgerId, findLedgerId } from '../../../src/database/environment.ts';
import { type Ledgers, ledgersOf } from '../../../src/payments/processors/ledgers.ts';
import {
  beginProcessor,
  type ComingProcessor,
  type ProcessorConfig,
} from '../../../src/payments/processors/open.ts';
import type { Processor } from '../../../src/payments/processors/processor.ts';
import { createTestDatabase, type TestDatabase } from '../../database.ts';
import { authorizationOf, noDeadline, until } from './orders.ts';

let folder: string;
let closing: (() => Promise<void>)[];
beforeEach(async () => {
  folder = await makeTestFolder();
  closing = [];
});
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  removeTestFolder(folder);
});

function begin(processor: ProcessorConfig): ComingProcessor {
  const stopping = new AbortController();
  const onProgress = () => {};
  const coming = beginProcessor({ processor, dataDir: folder }, { onProgress, stopping });
  coming.tellLedger(null);
  closing.push(() => coming.close());
  return coming;
}

async function database(): Promise<TestDatabase['database']> {
  const own = await createTestDatabase();
  closing.push(() => own.drop());
  return own.database;
}

const hold = (processor: Processor, key: string): Promise<ProcessorAnswer> =>
  processor.authorize(authorizationOf(key), noDeadline);

async function known(processor: Processor, ...keys: string[]): Promise<string[]> {
  const answers = await Promise.all(keys.map((key) => processor.inquire({ key }, noDeadline)));
  return answers.map(({ outcome }) => outcome);
}

async function make(ledgers: Ledgers): Promise<string> {
  const ledgerId = newRandomId();
  await ledgers.make(ledgerId);
  return ledgerId;
}

async function copy(ledgers: Ledgers, from: string | null): Promise<string> {
  const ledgerId = newRandomId();
  await ledgers.copy(from, ledgerId);
  return ledgerId;
}

for (const kind of ['simulator', 'in-process', 'none'] as const) {
  test(`creditCards.authorize PAY-I1: with ${kind}, each sandbox has a ledger of its own`, async () => {
    const coming = begin({ kind });
    const { processor: main } = await coming.opening;
    const ledgers = await ledgersOf(coming);
    await hold(main, 'auth:1:1');
    const [one, other] = [await copy(ledgers, null), await make(ledgers)];
    const [inOne, inOther] = [await database(), await database()];
    const [oneProcessor, otherProcessor] = [
      await ledgers.open(one, inOne),
      await ledgers.open(other, inOther),
    ];
    await hold(oneProcessor, 'auth:2:1');
    const second = await ledgers.open(await copy(ledgers, one), await database());
    await hold(oneProcessor, 'auth:3:1');
    const keys = ['auth:1:1', 'auth:2:1', 'auth:3:1'];
    const mains = kind === 'none' ? 'notFound' : 'approved';
    assert.deepEqual(await known(oneProcessor, ...keys), [mains, 'approved', 'approved']);
    assert.deepEqual(await known(second, ...keys), [mains, 'approved', 'notFound']);
    assert.deepEqual(await known(otherProcessor, ...keys), ['notFound', 'notFound', 'notFound']);
    if (kind !== 'none') assert.deepEqual(await known(main, 'auth:2:1'), ['notFound']);

    await assert.rejects(ledgers.open(other, inOne), /is another ledger/);
    assert.equal(await findLedgerId(inOne), one);
    await ledgers.open(one, inOne);
    await assert.rejects(ledgers.make(one), /already/);
    await assert.rejects(ledgers.copy(newRandomId(), newRandomId()), /no such ledger|is missing/);
    await ledgers.drop(one);
    await ledgers.drop(one);
    await assert.rejects(ledgers.open(one, inOne), /is missing/);
    const list = await ledgers.list();
    assert.ok(list.includes(other) && !list.includes(one));
    if (kind !== 'in-process') {
      assert.equal((await hold(oneProcessor, 'auth:4:1')).outcome, 'notProcessed');
    }
  });
}

test('creditCards.authorize PAY-I8: a simulator that was killed is back with all ledgers', async () => {
  const coming = begin({ kind: 'simulator' });
  const ledgers = await ledgersOf(coming);
  const [ledgerId, own] = [await make(ledgers), await database()];
  await claimLedgerId(own, ledgerId);
  const processor = await ledgers.open(ledgerId, own);
  const answer = await hold(processor, 'auth:1:1');
  const holder = await findLedgerHolder(simulatorLedgerFile(folder));
  process.kill(holder?.pid ?? 0, 'SIGKILL');
  // Nobody has noticed yet: the order meets a dying simulator, or none.
  const copied = await copy(ledgers, ledgerId);
  const inCopy = await ledgers.open(copied, await database());
  let last: ProcessorAnswer = answer;
  await until('the sandbox reaches it again', async () => {
    last = await hold(processor, 'auth:1:1');
    return last.outcome === 'approved';
  });
  assert.deepEqual(last, answer);
  assert.deepEqual(await known(inCopy, 'auth:1:1'), ['approved']);
});
