import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { joinProcesses } from '../../src/db/processes.ts';
import { takeRequest } from '../../src/http/rate-limit.ts';
import { databaseRateCounter, deletePassedRateCounts } from '../../src/http/rate-limit-store.ts';
import { FixedClock } from '../../src/support/clock.ts';
import { newGuid } from '../../src/support/ids.ts';
import { createTestDatabase } from '../database.ts';

const START_MS = 1_800_000_000_000;
const { database, drop } = await createTestDatabase();
after(drop);

const limits = { perSecond: 20, perQuarterHour: 50 };
const counter = databaseRateCounter(database.sql);
const take = (key: string, atMs: number) => takeRequest(counter, limits, key, START_MS + atMs);

test('rate limit C7: of 64 requests at once over one database just the budget passes', async () => {
  const verdicts = await Promise.all(Array.from({ length: 64 }, () => take('burst', 0)));
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 20);
  assert.equal((await take('burst', 1_000)).remaining, 19);
});

test('rate limit C7: the shared quarter of an hour is not charged for refused bursts', async () => {
  for (const second of [0, 1]) {
    for (let i = 0; i < 30; i += 1) await take('long', second * 1_000);
  }
  const verdicts = [];
  for (let i = 0; i < 12; i += 1) verdicts.push(await take('long', 2_000));
  assert.deepEqual(verdicts.map(({ allowed }) => allowed).indexOf(false), 10);
  assert.equal((await take('long', 900_000)).allowed, true);
});

test('rate limit C7: counts of windows that have passed are removed', async () => {
  await take('old', 0);
  await deletePassedRateCounts(database.sql, Math.floor(START_MS / 900_000) + 2);
  const rows = await database.sql`select from rate_count where key = 'old'`;
  assert.equal(rows.length, 0);
});

test('processes: each learns of the other, and a silent one counts as gone', async () => {
  const clock = new FixedClock(START_MS);
  const fail = (error: unknown) => assert.fail(String(error));
  const first = await joinProcesses(database, clock, fail);
  assert.equal(first.hasOthers(), false);
  const second = await joinProcesses(database, clock, fail);
  assert.equal(second.hasOthers(), true);
  await second.stop();
  await first.stop();
  await database.sql`
    insert into server_process (process_id, started_at, seen_at)
    values (${newGuid()}, ${new Date(START_MS)}, ${new Date(START_MS)})`;
  clock.advance(6_000);
  const later = await joinProcesses(database, clock, fail);
  assert.equal(later.hasOthers(), false);
  await later.stop();
});
