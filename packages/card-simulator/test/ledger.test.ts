import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { nextTurn } from '@servery/support/runner.ts';
import { machineTimer } from '@servery/support/timer.ts';
import { createSimulator } from '../src/core.ts';
import { openJournalFile } from '../src/journal-file.ts';
import { type Hold, Ledger } from '../src/ledger.ts';
import type { ProcessorAnswer } from '../src/messages.ts';
import { LedgerTaken, runSimulator } from '../src/run.ts';
import { type ProcessSimulator, runInProcess } from './child-process.ts';
import { authorizationOf, noDeadline, SECURITY_CODE } from './orders.ts';
import { call } from './wire-client.ts';

const CARD = '4242424242424242';
const KILLS = 2;
const CALLS = 60;

let folder: string;
let ledgerFile: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servery-test-'));
  ledgerFile = join(folder, 'ledger.jsonl');
});
after(() => rm(folder, { recursive: true, force: true }));

async function holdsOf(url: string): Promise<Hold[]> {
  const { holds } = (await (await fetch(`${url}/ledger`)).json()) as { holds: Hold[] };
  return holds;
}

/** Begins calls without end; every one that was answered is put into `answered`. */
async function burst(
  { url }: ProcessSimulator,
  round: number,
  answered: Map<string, ProcessorAnswer>,
  onAnswer: () => void,
): Promise<void> {
  const ask = async (key: string, calling: Promise<ProcessorAnswer>) => {
    const answer = await calling.catch(() => null);
    if (answer?.outcome !== 'approved' && answer?.outcome !== 'declined') return;
    answered.set(key, answer);
    onAnswer();
  };
  const life = async (id: string) => {
    const authorizationKey = `auth:${id}:1`;
    const order = authorizationOf(authorizationKey, CARD);
    await ask(authorizationKey, call(url, 'authorize', order));
    const isCaptured = id.endsWith('0');
    const { amountMinor, currencyCode } = order;
    const key = `${isCaptured ? 'capture' : 'void'}:${id}`;
    const late = isCaptured
      ? call(url, 'capture', { key, authorizationKey, amountMinor, currencyCode })
      : call(url, 'void', { key, authorizationKey });
    await ask(key, late);
  };
  await Promise.all(Array.from({ length: CALLS }, (_, n) => life(`${round}-${n}`)));
}

test('creditCards.authorize PAY-I8: what was answered is known after kill -9', async () => {
  const answered = new Map<string, ProcessorAnswer>();
  for (let round = 0; round < KILLS; round += 1) {
    const running = await runInProcess(ledgerFile);
    let untilKill = 5 + 25 * round;
    let killed: Promise<void> | null = null;
    await burst(running, round, answered, () => {
      untilKill -= 1;
      if (untilKill <= 0) killed ??= running.kill();
    });
    await (killed ?? running.kill());
  }
  assert.ok(answered.size > KILLS * 5);
  const { url, kill } = await runInProcess(ledgerFile);
  for (const [key, answer] of answered) {
    const known = answer.outcome === 'approved' ? answer : answer;
    assert.deepEqual(await call(url, 'inquire', { key }), known, key);
    if (!key.startsWith('auth')) continue;
    assert.deepEqual(await call(url, 'authorize', authorizationOf(key, CARD)), answer);
  }
  const holds = await holdsOf(url);
  assert.equal(new Set(holds.map(({ key }) => key)).size, holds.length, 'no hold twice');
  for (const { key, state, paymentId } of holds) {
    if (answered.has(`capture:${paymentId}`)) assert.equal(state, 'CAPTURED', key);
    if (answered.has(`void:${paymentId}`)) assert.equal(state, 'VOIDED', key);
  }
  await kill();
  const text = await readFile(ledgerFile, 'utf8');
  assert.doesNotMatch(text, new RegExp(`${CARD}|${SECURITY_CODE}|"39"|expYear`), 'PAY-I7');
});

test('creditCards.authorize: a line that was torn is cut off, and its call unknown', async () => {
  const file = join(folder, 'torn.jsonl');
  const excused = (subject: string) => ({ type: 'excused' as const, subject });
  const first = await openJournalFile(file);
  first.append(excused('1'));
  await first.close();
  await appendFile(file, '{"type":"excused","sub');
  const second = await openJournalFile(file);
  assert.deepEqual(second.entries, [excused('1')]);
  second.append(excused('2'));
  await second.close();
  const third = await openJournalFile(file);
  assert.deepEqual(third.entries, [excused('1'), excused('2')]);
  await third.close();
});

test('creditCards.authorize: a ledger that is damaged in its middle is refused', async () => {
  const file = join(folder, 'damaged.jsonl');
  await writeFile(file, '{"type":"excused","subject":"1"}\nrubbish\n{"type":"excused"}\n');
  await assert.rejects(openJournalFile(file), /damaged at line 2/);
  const options = { host: '127.0.0.1', port: 0, ledgerFile: file };
  await assert.rejects(runSimulator(options), /damaged at line 2/);
});

test('creditCards.authorize PAY-I1: a ledger has one name for ever', async () => {
  const options = { host: '127.0.0.1', port: 0, ledgerFile: join(folder, 'named.jsonl') };
  const names: unknown[] = [];
  for (let run = 0; run < 3; run += 1) {
    const running = await runSimulator(options);
    const health = (await (await fetch(`${running.url}/health`)).json()) as { ledger: string };
    names.push(health.ledger);
    await running.stop();
  }
  assert.match(String(names[0]), /^[0-9a-f-]{36}$/);
  assert.deepEqual(names, [names[0], names[0], names[0]]);
  const text = await readFile(options.ledgerFile, 'utf8');
  assert.equal(text.match(/"begun"/g)?.length, 1);
});

test('creditCards.authorize: a ledger that cannot be written answers nothing more', async () => {
  const journal = await openJournalFile(join(folder, 'full.jsonl'));
  await journal.close();
  journal.append({ type: 'excused', subject: '1' });
  await assert.rejects(journal.settled());
  journal.append({ type: 'excused', subject: '2' });
  await assert.rejects(journal.settled());
});

test('creditCards.authorize: entries at once go to the disk together, in order', async () => {
  const file = join(folder, 'order.jsonl');
  const journal = await openJournalFile(file);
  const subjects = Array.from({ length: 500 }, (_, n) => String(n));
  await Promise.all(
    subjects.map(async (subject) => {
      journal.append({ type: 'excused', subject });
      await journal.settled();
    }),
  );
  await journal.close();
  const reopened = await openJournalFile(file);
  await reopened.close();
  assert.deepEqual(
    reopened.entries,
    subjects.map((subject) => ({ type: 'excused', subject })),
  );
});

test('creditCards.authorize PAY-I1: of many that start at once one has the ledger', async () => {
  const file = join(folder, 'many', 'ledger.jsonl');
  const options = { host: '127.0.0.1', port: 0, ledgerFile: file };
  for (let round = 0; round < 3; round += 1) {
    const starts = await Promise.allSettled(
      Array.from({ length: 12 }, () => runSimulator(options)),
    );
    const running = starts.filter((start) => start.status === 'fulfilled');
    assert.equal(running.length, 1);
    for (const start of starts) {
      if (start.status === 'rejected') assert.ok(start.reason instanceof LedgerTaken, start.reason);
    }
    await running[0]?.value.stop();
  }
});

test('creditCards.authorize PAY-I2: the simulator answers what is durable, repeats too', async () => {
  const durable = Promise.withResolvers<void>();
  let answers = 0;
  const journal = { append: () => {}, settled: () => durable.promise };
  const simulator = createSimulator({ ledger: new Ledger(), journal, timer: machineTimer });
  const key = 'auth:1:1';
  const order = authorizationOf(key);
  const calls = [
    simulator.call({ operation: 'authorize', order }, noDeadline),
    simulator.call({ operation: 'authorize', order }, noDeadline),
    simulator.call({ operation: 'inquire', order: { key } }, noDeadline),
    simulator.holds(),
  ];
  for (const calling of calls) {
    void calling.then(() => {
      answers += 1;
    });
  }
  await nextTurn();
  assert.equal(answers, 0);
  durable.resolve();
  await Promise.all(calls);
});
