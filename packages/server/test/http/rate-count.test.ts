import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Database } from '../../src/database/database.ts';
import { joinProcesses } from '../../src/database/processes.ts';
import { type RateCounter, takeRequest } from '../../src/http/pipeline/rate-limit.ts';
import {
  databaseRateCounter,
  deletePassedRateCounts,
} from '../../src/http/pipeline/rate-limit-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const START_MS = 1_800_000_000_000;
let own: TestDatabase;
let database: Database;
let counter: RateCounter;
before(async () => {
  own = await createTestDatabase();
  ({ database } = own);
  counter = databaseRateCounter(database.sql);
});
after(() => own.drop());

const limits = { perSecond: 20, perQuarterHour: 50 };
const take = (key: string, atMs: number) =>
  takeRequest(counter, limits, { key, by: 'CLIENT_AND_RESTAURANT' }, START_MS + atMs);

test('rate limit API-7: of 64 requests at once over one database just the budget passes', async () => {
  const verdicts = await Promise.all(Array.from({ length: 64 }, () => take('burst', 0)));
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 20);
  assert.equal((await take('burst', 1_000)).remaining, 19);
});

test('rate limit API-7: the shared quarter of an hour is not charged for refused bursts', async () => {
  for (const second of [0, 1]) {
    for (let i = 0; i < 30; i += 1) await take('long', second * 1_000);
  }
  const verdicts = [];
  for (let i = 0; i < 12; i += 1) verdicts.push(await take('long', 2_000));
  assert.deepEqual(verdicts.map(({ allowed }) => allowed).indexOf(false), 10);
  assert.equal((await take('long', 900_000)).allowed, true);
});

test('rate limit API-7: counts of windows that have passed are removed', async () => {
  await take('old', 0);
  await deletePassedRateCounts(database.sql, Math.floor(START_MS / 900_000) + 2);
  const rows = await database.sql`select from rate_count where key = 'old'`;
  assert.equal(rows.length, 0);
});

test('rate limit API-7: one that comes late begins no window of several processes anew', async () => {
  for (let i = 0; i < 20; i += 1) await take('late', 1_000);
  assert.equal((await take('late', 999)).allowed, false, 'it counts in the newer window');
  assert.equal((await take('late', 1_001)).allowed, false);
});

const fail = (error: unknown) => assert.fail(String(error));

test('processes: each learns of the other, and a silent one counts as gone', async () => {
  const clock = new FixedClock(START_MS);
  const joining = { database, realClock: clock, groupId: null, onError: fail };
  const first = await joinProcesses(joining);
  assert.equal(first.hasOthers(), false);
  const second = await joinProcesses(joining);
  assert.equal(second.hasOthers(), true);
  await second.stop();
  await first.stop();
  await database.sql`
    insert into server_process (process_id, group_id, started_at, seen_at)
    values (${newGuid()}, ${newGuid()}, ${new Date(START_MS)}, ${new Date(START_MS)})`;
  const beside = await joinProcesses(joining);
  assert.equal(beside.hasOthers(), true);
  await beside.stop();
  clock.advance(6_000);
  const later = await joinProcesses(joining);
  assert.equal(later.hasOthers(), false);
  await later.stop();
});

test('processes: workers of one process are no others to each other, as those of two', async () => {
  const realClock = new FixedClock(START_MS);
  const [groupId, otherId] = [newGuid(), newGuid()];
  const joining = { database, realClock, onError: fail };
  const first = await joinProcesses({ ...joining, groupId });
  const second = await joinProcesses({ ...joining, groupId });
  assert.equal(second.hasOthers(), false);
  const stranger = await joinProcesses({ ...joining, groupId: otherId });
  assert.equal(stranger.hasOthers(), true);
  const third = await joinProcesses({ ...joining, groupId });
  assert.equal(third.hasOthers(), true);
  for (const one of [first, second, stranger, third]) await one.stop();
});
