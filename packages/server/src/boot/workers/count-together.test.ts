import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryRateCounter, takeRequest } from '../../http/pipeline/rate-limit.ts';
import { SharedCounter } from './count-together.ts';
import type { Counts } from './messages.ts';

const K = { key: 'k', by: 'CLIENT_AND_RESTAURANT' } as const;
const START_MS = 1_800_000_000_000;
const limits = { perSecond: 20, perQuarterHour: 50 };

/** Workers whose turns of the event loop and whose messages go on when the test says so. */
function openCounters(size: number) {
  const starter = new MemoryRateCounter();
  const elsewhere = new MemoryRateCounter();
  const turns: (() => void)[] = [];
  const sent: { readonly worker: number; readonly counts: Counts }[] = [];
  const counters = Array.from(
    { length: size },
    (_one, worker) =>
      new SharedCounter({
        send: (counts) => void sent.push({ worker, counts: JSON.parse(JSON.stringify(counts)) }),
        afterTurn: (job) => void turns.push(job),
        fallback: elsewhere,
      }),
  );
  const endTurns = () => {
    for (const job of turns.splice(0)) job();
  };
  const answer = () => {
    for (const { worker, counts } of sent.splice(0)) {
      const used = counts.counts.map((count) => starter.count(count));
      counters[worker]?.counted({ kind: 'counted', id: counts.id, used });
    }
  };
  return { counters, sent, endTurns, answer, elsewhere };
}

test('workers API-7: of requests at once in four workers just the budget passes', async () => {
  const { counters, sent, endTurns, answer } = openCounters(4);
  const verdicts = Array.from({ length: 96 }, (_one, at) =>
    takeRequest(counters[at % 4] as (typeof counters)[0], limits, K, START_MS + (at % 7)),
  );
  endTurns();
  assert.equal(sent.length, 4, 'what comes in one turn is one message of each worker');
  assert.deepEqual(
    sent.map(({ counts }) => counts.counts.length),
    [24, 24, 24, 24],
  );
  answer();
  const settled = await Promise.all(verdicts);
  const allowed = settled.filter((verdict) => verdict.allowed);
  assert.deepEqual(
    allowed.map(({ remaining }) => remaining).sort((one, other) => one - other),
    Array.from({ length: 20 }, (_one, at) => at),
    'each of them is told a number of its own',
  );
});

test('workers API-7: what comes while one waits for an answer is one message', async () => {
  const { counters, sent, endTurns, answer } = openCounters(1);
  const [counter] = counters as [(typeof counters)[0]];
  const verdicts = [];
  for (let turn = 0; turn < 10; turn += 1) {
    verdicts.push(takeRequest(counter, limits, K, START_MS));
    endTurns();
  }
  assert.equal(sent.length, 1);
  answer();
  assert.deepEqual(
    sent.map(({ counts }) => counts.counts.length),
    [9],
  );
  answer();
  const left = (await Promise.all(verdicts)).map(({ remaining }) => remaining);
  assert.deepEqual(left, [19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
});

test('workers API-7: a shared quarter hour is not charged for refused bursts', async () => {
  const { counters, endTurns, answer } = openCounters(2);
  const outcomes: boolean[] = [];
  for (const second of [0, 1, 2]) {
    const verdicts = Array.from({ length: 40 }, (_one, at) =>
      takeRequest(counters[at % 2] as (typeof counters)[0], limits, K, START_MS + second * 1_000),
    );
    endTurns();
    answer();
    for (const { allowed } of await Promise.all(verdicts)) outcomes.push(allowed);
  }
  assert.equal(outcomes.filter((allowed) => allowed).length, 50);
});

test('workers API-7: after a second of silence all count elsewhere, for a time', async () => {
  const { counters, sent, endTurns, answer, elsewhere } = openCounters(2);
  const [one, other] = counters as [(typeof counters)[0], (typeof counters)[0]];
  const take = (counter: typeof one) => takeRequest(counter, limits, K, START_MS);
  const waiting = [take(one), take(other)];
  endTurns();
  waiting.push(take(one));
  const looks = (count: number) => {
    for (let look = 0; look < count; look += 1) for (const counter of counters) counter.look();
  };
  looks(3);
  assert.equal((await elsewhere.count({ ...countOfNobody })).second, 1, 'nobody counted there yet');
  looks(1);
  const counted = (await Promise.all(waiting)).map(({ remaining }) => remaining);
  assert.deepEqual(counted.sort(), [17, 18, 19], 'both count in one place');
  assert.equal((await take(other)).remaining, 16, 'nothing waits while nobody answers');
  assert.equal(sent.length, 2);
  answer();
  const later = take(one);
  endTurns();
  assert.equal(sent.length, 1, 'who has answered is asked again');
  answer();
  assert.equal((await later).remaining, 17, 'what came late was counted all the same');
});

const countOfNobody = {
  key: 'nobody',
  second: 1,
  quarterHour: 1,
  perSecond: 1,
};

test('workers API-7: a request fails when the place that counts instead does', async () => {
  const turns: (() => void)[] = [];
  const counter = new SharedCounter({
    send: () => {},
    afterTurn: (job) => void turns.push(job),
    fallback: {
      count: () => {
        throw new Error('the database is away');
      },
    },
  });
  const waiting = assert.rejects(async () => takeRequest(counter, limits, K, START_MS), /is away/);
  for (const job of turns) job();
  for (let look = 0; look < 4; look += 1) counter.look();
  await waiting;
});
