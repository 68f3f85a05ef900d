import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { everywhere } from '../../src/support/due-work.ts';
import { DeliveryWork } from '../../src/webhooks/delivery/delivery-work.ts';
import { setEndpointState } from '../../src/webhooks/endpoints/endpoints.ts';
import { authority, openWebhookFixture, type WebhookFixture } from './fixture.ts';
import { status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Moves the clock as a sandbox does, and gives what was done on its way. */
async function moveBy(durationMs: number) {
  const work = new DeliveryWork(fixture.deps);
  const untilMs = fixture.clock.nowMs() + durationMs;
  const done = [];
  for (;;) {
    const dueMs = await work.nextDueMs();
    if (dueMs === null || dueMs > untilMs) break;
    fixture.clock.advance(Math.max(0, dueMs - fixture.clock.nowMs()));
    done.push(...(await work.runDue(dueMs, { isSequential: true, piecesAtMost: 1 })));
  }
  fixture.clock.advance(untilMs - fixture.clock.nowMs());
  return done;
}

test('probes: a move of half a year past a dead endpoint makes a few calls', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/dead');
  fixture.receiver.answer('/dead', status(410));
  await partner.events(3);
  const done = await moveBy(182 * DAY_MS);
  assert.ok(done.length <= 60, `${done.length} pieces`);
  assert.ok(done.filter(({ kind }) => kind === 'webhookProbe').length >= 5);
  // Once the clock stands it is probed soon again, and every hour as long as it runs.
  const work = new DeliveryWork(fixture.deps);
  const { probeAt } = await endpoint.view();
  if (Number(probeAt) > fixture.clock.nowMs() + DAY_MS) {
    await work.bringBack?.(fixture.clock.nowMs());
    assert.equal(await work.nextDueMs(), fixture.clock.nowMs());
  }
  fixture.clock.advance(Math.max(0, Number(probeAt) - fixture.clock.nowMs()));
  await fixture.deliver();
  const { probeAt: nextAt } = await endpoint.view();
  assert.equal(Number(nextAt), fixture.clock.nowMs() + HOUR_MS);
  fixture.receiver.answer('/dead', status(204));
  fixture.clock.advance(HOUR_MS);
  await fixture.deliver();
  await fixture.deliver();
  const states = (await endpoint.deliveries()).map(({ state }) => state);
  assert.deepEqual(states, ['DELIVERED', 'DELIVERED', 'DELIVERED'], 'nothing was given up');
});

test('probes: who asks for the next deadline is told of none, and a move makes them', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/gone');
  fixture.receiver.answer('/gone', status(410));
  await partner.events(1);
  await fixture.deliver();
  const work = new DeliveryWork(fixture.deps);
  const { probeAt } = await endpoint.view();
  assert.equal(await work.nextDueMs(), Number(probeAt));
  assert.equal(await work.nextDueMs(everywhere), null);
  fixture.receiver.answer('/gone', status(204));
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  assert.equal(await work.nextDueMs(everywhere), fixture.clock.nowMs());
  await fixture.deliver();
});

test('probes: a pause and its end make due what a clock that was ahead has put off', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/ahead');
  fixture.receiver.answer('/ahead', status(500), status(204));
  fixture.clock.advance(DAY_MS / 4);
  await partner.events(1);
  await fixture.deliver();
  await partner.events(1);
  // As in production: nobody is told that the clock of the database was set right.
  fixture.clock.advance(-DAY_MS / 4);
  await fixture.deliver();
  const states = async () => (await endpoint.deliveries()).map(({ state }) => state);
  assert.deepEqual(await states(), ['QUEUED', 'QUEUED']);
  await setEndpointState(
    fixture.manage,
    endpoint.guid,
    { state: 'PAUSED', reason: 'Late.' },
    authority(fixture),
  );
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  await fixture.deliver();
  assert.deepEqual(await states(), ['DELIVERED', 'DELIVERED']);
});

test('probes: what was queued before the clock went back goes out when a pause ends', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/back');
  await partner.events(2);
  fixture.clock.advance(-DAY_MS / 2);
  const work = new DeliveryWork(fixture.deps);
  await work.clockWentBack?.(fixture.clock.nowMs());
  fixture.receiver.answer('/back', status(410));
  await fixture.deliver();
  assert.equal((await endpoint.view()).stateReason, 'GONE');
  fixture.receiver.answer('/back', status(204));
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  await fixture.deliver();
  const states = (await endpoint.deliveries()).map(({ state }) => state);
  assert.deepEqual(states, ['DELIVERED', 'DELIVERED']);
  fixture.clock.advance(DAY_MS / 2);
});
