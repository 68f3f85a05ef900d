import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ask, MemoryBudgets } from '../../http/pipeline/budgets.ts';
import { LeasedCounter } from '../../http/pipeline/leased-counter.ts';
import { takeRequest } from '../../http/pipeline/rate-limit.ts';
import { ParentBudgets } from './ask-parent.ts';
import type { Asked } from './messages.ts';

const K = { key: 'k', by: 'CLIENT_AND_RESTAURANT' } as const;
const START_MS = 1_800_000_000_000;
const limits = { perSecond: 20, perQuarterHour: 50 };
const askOf = (key: string): Ask => ({
  ...{ key, second: START_MS / 1000, perSecond: 20, perQuarterHour: 50 },
  ...{ share: 0, block: 1, returned: 0 },
});

/** Workers whose turns of the event loop and whose messages go on when the test says so. */
function openWorkers(size: number) {
  const starter = new MemoryBudgets();
  const elsewhere = new MemoryBudgets();
  const turns: (() => void)[] = [];
  const sent: { readonly worker: number; readonly asked: Asked }[] = [];
  const workers = Array.from(
    { length: size },
    (_one, worker) =>
      new ParentBudgets({
        send: (asked) => void sent.push({ worker, asked: JSON.parse(JSON.stringify(asked)) }),
        afterTurn: (job) => void turns.push(job),
        fallback: { ask: async (ask) => elsewhere.ask(ask) },
      }),
  );
  const endTurns = () => {
    for (const job of turns.splice(0)) job();
  };
  const answer = () => {
    for (const { worker, asked } of sent.splice(0)) {
      const grants = asked.asks.map((ask) => starter.ask(ask));
      workers[worker]?.granted({ kind: 'granted', id: asked.id, grants });
    }
  };
  return { workers, sent, endTurns, answer };
}

test('workers API-7: what is asked in one turn, or while one waits, is one message', async () => {
  const { workers, sent, endTurns, answer } = openWorkers(1);
  const [worker] = workers as [(typeof workers)[0]];
  const grants = ['a', 'b', 'c'].map((key) => worker.ask(askOf(key)));
  endTurns();
  for (const key of ['a', 'b']) {
    grants.push(worker.ask(askOf(key)));
    endTurns();
  }
  const lengths = () => sent.map(({ asked }) => asked.asks.length);
  assert.deepEqual(lengths(), [3]);
  answer();
  assert.deepEqual(lengths(), [2]);
  answer();
  assert.deepEqual(
    (await Promise.all(grants)).map(({ left }) => left),
    [19, 19, 19, 18, 18],
  );
});

test('workers API-7: after a second of silence all ask elsewhere, for a time', async () => {
  const { workers, sent, endTurns, answer } = openWorkers(2);
  const [one, other] = workers as [(typeof workers)[0], (typeof workers)[0]];
  const waiting = [one.ask(askOf('k')), other.ask(askOf('k'))];
  endTurns();
  waiting.push(one.ask(askOf('k')));
  for (let look = 0; look < 4; look += 1) for (const worker of workers) worker.look();
  const left = (await Promise.all(waiting)).map((grant) => grant.left);
  assert.deepEqual(left.sort(), [17, 18, 19], 'both ask in one place');
  assert.equal((await other.ask(askOf('k'))).left, 16, 'nothing waits while nobody answers');
  assert.equal(sent.length, 2);
  answer();
  const later = one.ask(askOf('k'));
  endTurns();
  assert.equal(sent.length, 1, 'who has answered is asked again');
  answer();
  assert.equal((await later).left, 17, 'what came late was granted all the same');
});

test('workers API-7: a request fails when the place that is asked instead does', async () => {
  const turns: (() => void)[] = [];
  const budgets = new ParentBudgets({
    send: () => {},
    afterTurn: (job) => void turns.push(job),
    fallback: {
      ask: () => {
        throw new Error('the database is away');
      },
    },
  });
  const counter = new LeasedCounter(budgets);
  const waiting = assert.rejects(async () => takeRequest(counter, limits, K, START_MS), /is away/);
  for (const job of turns) job();
  for (let look = 0; look < 4; look += 1) budgets.look();
  await waiting;
});
