import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWebhookFixture } from '../packages/server/test/webhooks/fixture.ts';
import { status } from '../packages/server/test/webhooks/webhook-receiver.ts';
import { checkOrder } from './hooks-crash/check.ts';
import { updateOthersDue } from './hooks-crash/rows-store.ts';
import { playHooksCrash } from './hooks-crash/run.ts';

const SEED = 20_261_121;
const KILLS = 8;
const EVENTS = 600;

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

test('hooks-crash: what comes after something later is noticed, where order is wanted', () => {
  const endpoint = { path: '/one', isOrdered: true };
  assert.deepEqual(checkOrder(endpoint, [1, 2, 2, 3, 2]), []);
  assert.deepEqual(checkOrder(endpoint, [1, 3, 2]), ['/one got 2 after 3']);
  assert.deepEqual(checkOrder({ ...endpoint, isOrdered: false }, [3, 1]), []);
});

test('hooks-crash: nobody calls forward what is left alone', async () => {
  const office = await openWebhookFixture();
  const [alone, other] = [await office.partner(), await office.partner()];
  office.receiver.answer('/alone', status(500));
  office.receiver.answer('/other', status(500));
  const endpoints = [await alone.endpoint('/alone'), await other.endpoint('/other')];
  for (const partner of [alone, other]) await partner.events(1);
  await office.deliver();
  const now = new Date(office.clock.nowMs());
  await updateOthersDue(office.database.sql, [alone.partnerGuid], now);
  const due = [];
  for (const endpoint of endpoints) due.push((await endpoint.deliveries())[0]?.dueAt);
  assert.deepEqual(due, [new Date(now.getTime() + 300_000), now]);
  await office.close();
});
