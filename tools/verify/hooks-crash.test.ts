import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playHooksCrash } from './hooks-crash/run.ts';

/** By its lots a sender is killed, then the database. */
const SEED = 20_261_127;
const KILLS = 2;
const EVENTS = 150;

test(`hooks-crash: ${KILLS} kills lose none of ${EVENTS} events, seed ${SEED}`, async (t) => {
  const report = await playHooksCrash({ kills: KILLS, events: EVENTS, seed: SEED }, (line) =>
    t.diagnostic(line),
  );
  const { requests, duplicates, busyKills } = report;
  t.diagnostic(`${requests} requests, ${duplicates} duplicates, ${busyKills} busy kills`);
  assert.deepEqual(report.violations, []);
  assert.ok(report.events >= EVENTS);
  assert.ok(busyKills > 0, 'a kill proves something while deliveries are under way');
});
