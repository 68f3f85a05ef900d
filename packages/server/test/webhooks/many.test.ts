import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { DeliveryWork } from '../../src/webhooks/delivery/delivery-work.ts';
import {
  type ClaimOptions,
  claimDueDeliveries,
  updateDeliveriesGivenBack,
} from '../../src/webhooks/delivery/due-delivery-store.ts';
import { Targets } from '../../src/webhooks/sockets/targets.ts';
import { openWebhookFixture, type WebhookFixture } from './fixture.ts';
import { stall, status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

// Whoever is delayed here waits for ever, until the runner ends the test.
const gotAt = (path: string) => fixture.receiver.received.filter((got) => got.path === path).length;

/** Resolves when a path got so many requests. */
async function untilGot(path: string, count: number): Promise<void> {
  const { receiver } = fixture;
  while (gotAt(path) < count) await receiver.untilReceived(receiver.received.length + 1);
}

/** A process, which a test stops: what hangs is broken off then. */
function openProcess() {
  const stop = new AbortController();
  const targets = new Targets({ rules: { allowsLoopback: true }, timer: fixture.timer });
  const work = new DeliveryWork({ ...fixture.deps, targets, stopping: stop.signal });
  return {
    look: () => work.runDue(fixture.clock.nowMs(), { isSequential: false }).catch(() => {}),
    wake: () => work.wake(),
    stop: () => stop.abort(),
    async end() {
      stop.abort();
      await targets.close();
      await work.settled();
    },
  };
}

test('many: forty endpoints that hang delay no other', async () => {
  const [hanging, sound] = [await fixture.partner(), await fixture.partner()];
  const paths = Array.from({ length: 40 }, (_, index) => `/hang/${index + 1}`);
  for (const path of paths) {
    await hanging.endpoint(path);
    fixture.receiver.answer(path, stall);
  }
  await sound.endpoint('/sound');
  await hanging.events(8);
  await sound.events(20);
  const process = openProcess();
  void process.look();
  await untilGot('/sound', 20);
  await process.end();
  for (const path of paths) fixture.receiver.answer(path, status(200));
});

test('many: eight that were quick and hang delay no other, and a stop gives back what waits', async () => {
  const [hanging, sound] = [await fixture.partner(), await fixture.partner()];
  const paths = Array.from({ length: 8 }, (_, index) => `/stop/${index + 1}`);
  const endpoints = await Promise.all(paths.map((path) => hanging.endpoint(path)));
  await hanging.endpoint('/own-sound');
  await sound.endpoint('/goes-on');
  const process = openProcess();
  // Eight times as many are more than one partner may have at once.
  await hanging.events(130);
  await process.look();
  for (const path of paths) fixture.receiver.answer(path, stall);
  await hanging.events(130);
  process.wake();
  await untilGot('/own-sound', 2 * 130);
  for (const path of paths) await untilGot(path, 130 + 4);
  await sound.events(20);
  process.wake();
  await untilGot('/goes-on', 20);
  process.stop();
  const { sql } = fixture.database;
  const leased = async () => {
    const [row] = await sql<[{ count: number }]>`
      select count(lease_holder)::integer as count from webhook_delivery
      where endpoint_guid = any(${endpoints.map(({ guid }) => guid)}::uuid[])`;
    return row.count;
  };
  // What is under way goes on for a while; nothing waits behind it.
  while ((await leased()) > 32 * paths.length);
  await process.end();
  assert.equal(await leased(), 0);
  for (const path of paths) {
    assert.ok(gotAt(path) <= 130 + 32, 'nothing more was begun');
    fixture.receiver.answer(path, status(200));
  }
});

test('many: no partner has all places, and one that has none gets one', async () => {
  await fixture.deliver();
  const [greedy, other] = [await fixture.partner(), await fixture.partner()];
  for (const path of ['/greedy/1', '/greedy/2']) await greedy.endpoint(path);
  const modest = await other.endpoint('/modest');
  await greedy.events(12);
  await other.events(3);
  const now = new Date(fixture.clock.nowMs());
  const claim = async (limits: Partial<ClaimOptions>) => {
    const claimed = await claimDueDeliveries(fixture.database.sql, {
      ...{ now, realNow: now, leaseHolder: newGuid(), graceMs: 1_000, limit: 100, open: 100 },
      ...{ ofEndpoint: 100, ofPartner: 100, slowAfter: 3, known: [], firstWindow: 10 },
      ...{ behind: null, only: null, ...limits },
    });
    await updateDeliveriesGivenBack(fixture.database.sql, claimed);
    return claimed.map(({ endpointGuid }) => endpointGuid);
  };
  const counts = (guids: readonly string[]) =>
    [...Map.groupBy(guids, (guid) => guid).values()]
      .map(({ length }) => length)
      .sort((one, other) => other - one);
  assert.deepEqual(counts(await claim({})), [10, 10, 3]);
  assert.deepEqual(counts(await claim({ ofPartner: 6 })), [3, 3, 3]);
  assert.deepEqual(counts(await claim({ ofPartner: 1 })), [1, 1, 1], 'each gets one');
  assert.deepEqual(counts(await claim({ limit: 6 })), [2, 2, 2], 'in turns');
  const known = [{ endpointGuid: modest.guid, claimed: 0, window: 1 }];
  assert.deepEqual(counts(await claim({ open: 0, known })), [1, 1, 1]);
  const busy = [{ endpointGuid: modest.guid, claimed: 1, window: 10 }];
  assert.deepEqual(counts(await claim({ open: 0, known: busy })), [1, 1]);
  await fixture.deliver();
});
