import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Budget, MemoryRateCounter, takeRequest } from './rate-limit.ts';

const limits = { perSecond: 3, perQuarterHour: 10 };
// 900,000 ms divides this instant, so that both windows begin here.
const K = { key: 'k', by: 'CLIENT_AND_RESTAURANT' } as const;
const START_MS = 1_800_000_000_000;

test('rate limit API-7: a clock-aligned second allows its number and then asks to wait', async () => {
  const counter = new MemoryRateCounter();
  const take = (atMs: number) => takeRequest(counter, limits, K, START_MS + atMs);
  assert.deepEqual(await take(0), {
    allowed: true,
    remaining: 2,
    resetSeconds: START_MS / 1000 + 1,
    retryAfterSeconds: 1,
  });
  assert.equal((await take(400)).remaining, 1);
  assert.equal((await take(999)).remaining, 0);
  assert.equal((await take(999)).allowed, false);
  assert.equal((await take(1_000)).allowed, true);
});

test('rate limit API-7: a quarter-hour has its own budget, untouched by refused bursts', async () => {
  const counter = new MemoryRateCounter();
  const take = (atMs: number) => takeRequest(counter, limits, K, START_MS + atMs);
  for (let i = 0; i < 50; i += 1) await take(0);
  for (const second of [1, 2]) for (let i = 0; i < 3; i += 1) await take(second * 1000);
  const tenth = await take(3_000);
  assert.equal(tenth.allowed, true, 'refused requests were not charged');
  assert.equal(tenth.remaining, 0);
  const refused = await take(4_000);
  assert.equal(refused.allowed, false);
  assert.equal(refused.resetSeconds, (START_MS + 900_000) / 1000);
  assert.equal(refused.retryAfterSeconds, 896);
  assert.equal((await take(900_000)).allowed, true);
});

test('rate limit API-7: keys share no budget, and the oldest are forgotten first', async () => {
  const counter = new MemoryRateCounter(2);
  const take = (key: string) => takeRequest(counter, limits, { ...K, key }, START_MS);
  assert.equal((await take('a')).remaining, 2);
  assert.equal((await take('b')).remaining, 2);
  assert.equal((await take('a')).remaining, 1);
  await take('c');
  assert.equal((await take('b')).remaining, 1);
  assert.equal((await take('a')).remaining, 2);
});

test('rate limit API-7: requests at once each see their own count', async () => {
  const counter = new MemoryRateCounter();
  const wide = { perSecond: 8, perQuarterHour: 100 };
  const verdicts = await Promise.all(
    Array.from({ length: 10 }, () => takeRequest(counter, wide, K, START_MS)),
  );
  assert.deepEqual(
    verdicts.map(({ remaining }) => remaining),
    [7, 6, 5, 4, 3, 2, 1, 0, 0, 0],
  );
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 8);
});

test('rate limit API-7: requests that overtake each other count in their own windows', async () => {
  const counter = new MemoryRateCounter();
  const take = (atMs: number) => takeRequest(counter, limits, K, START_MS + atMs);
  const allowed: number[] = [];
  for (const atMs of [999, 1_000, 998, 1_001, 999, 1_002, 997, 1_003]) {
    if ((await take(atMs)).allowed) allowed.push(atMs);
  }
  assert.deepEqual(allowed, [999, 1_000, 998, 1_001, 999, 1_002]);
  assert.equal((await take(2_500)).remaining, 2);
  const late = await take(0);
  assert.equal(late.remaining, 1, 'what is later than a window counts as new');
  assert.equal(late.resetSeconds, START_MS / 1000 + 3, 'and is told where it counted');
});

test('rate limit API-7: a late request begins no quarter hour anew', async () => {
  const counter = new MemoryRateCounter();
  const take = (atMs: number) => takeRequest(counter, limits, K, START_MS + atMs);
  for (let second = 1; second <= 5; second += 1) {
    for (let i = 0; i < 2; i += 1) await take(900_000 - second * 1_000);
  }
  assert.equal((await take(900_000)).remaining, 2);
  assert.equal((await take(899_999)).allowed, false, 'the old one is used up');
  assert.equal((await take(900_001)).remaining, 1);
});

test('menus.get MENU-27: an operation with a limit of its own counts for both', async () => {
  const counter = new MemoryRateCounter();
  const both = { ...limits, ofOperations: { 'menus.get': 1 } };
  const take = async (operation: string, atMs: number, by: Budget['by'] = K.by) => {
    const verdict = await takeRequest(counter, both, { key: by, by }, START_MS + atMs, operation);
    return [verdict.allowed, verdict.remaining, verdict.isOfOperation ?? false];
  };
  assert.deepEqual(await take('menus.get', 0), [true, 0, true]);
  assert.deepEqual(await take('menus.get', 0), [false, 0, true]);
  assert.deepEqual(await take('stock.list', 0), [true, 0, false], 'the third of three');
  assert.deepEqual(await take('menus.get', 0), [false, 0, false], 'both are used up');
  assert.deepEqual(await take('menus.get', 1_000), [true, 0, true]);
  assert.deepEqual(await take('menus.get', 0, 'IP_ADDRESS'), [true, 2, false]);
});
