import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { everywhere } from '../../src/support/due-work.ts';
import { createDeliveryWork } from '../../src/webhooks/delivery/delivery-work.ts';
import { pauseEndpoint, resumeEndpoint } from '../../src/webhooks/endpoints/endpoint-state.ts';
import { authority, openPostOffice, type PostOffice } from './post-office.ts';
import { status } from './receiver.ts';

let office: PostOffice;
before(async () => {
  office = await openPostOffice();
});
after(() => office.close());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Moves the clock as a sandbox does, and gives what was done on its way. */
async function moveBy(durationMs: number) {
  const work = createDeliveryWork(office.deps);
  const untilMs = office.clock.nowMs() + durationMs;
  const done = [];
  for (;;) {
    const dueMs = await work.nextDueMs();
    if (dueMs === null || dueMs > untilMs) break;
    office.clock.advance(Math.max(0, dueMs - office.clock.nowMs()));
    done.push(...(await work.runDue(dueMs, { isSequential: true, piecesAtMost: 1 })));
  }
  office.clock.advance(untilMs - office.clock.nowMs());
  return done;
}

test('probes: a move of half a year past a dead endpoint makes a few calls', async () => {
  const partner = await office.partner();
  const endpoint = await partner.endpoint('/dead');
  office.receiver.answer('/dead', status(410));
  await partner.events(3);
  const done = await moveBy(182 * DAY_MS);
  assert.ok(done.length <= 60, `${done.length} pieces`);
  assert.ok(done.filter(({ kind }) => kind === 'webhookProbe').length >= 5);
  // Once the clock stands it is probed soon again, and every hour as long as it runs.
  const work = createDeliveryWork(office.deps);
  const { probeAt } = await endpoint.view();
  if (Number(probeAt) > office.clock.nowMs() + DAY_MS) {
    await work.bringBack?.(office.clock.nowMs());
    assert.equal(await work.nextDueMs(), office.clock.nowMs());
  }
  office.clock.advance(Math.max(0, Number(probeAt) - office.clock.nowMs()));
  await office.deliver();
  const { probeAt: nextAt } = await endpoint.view();
  assert.equal(Number(nextAt), office.clock.nowMs() + HOUR_MS);
  office.receiver.answer('/dead', status(204));
  office.clock.advance(HOUR_MS);
  await office.deliver();
  await office.deliver();
  const states = (await endpoint.deliveries()).map(({ state }) => state);
  assert.deepEqual(states, ['DELIVERED', 'DELIVERED', 'DELIVERED'], 'nothing was given up');
});

test('probes: who asks for the next deadline is told of none, and a move makes them', async () => {
  const partner = await office.partner();
  const endpoint = await partner.endpoint('/gone');
  office.receiver.answer('/gone', status(410));
  await partner.events(1);
  await office.deliver();
  const work = createDeliveryWork(office.deps);
  const { probeAt } = await endpoint.view();
  assert.equal(await work.nextDueMs(), Number(probeAt));
  assert.equal(await work.nextDueMs(everywhere), null);
  office.receiver.answer('/gone', status(204));
  await resumeEndpoint(office.manage, endpoint.guid, authority(office));
  assert.equal(await work.nextDueMs(everywhere), office.clock.nowMs());
  await office.deliver();
});

test('probes: a pause and its end make due what a clock that was ahead has put off', async () => {
  const partner = await office.partner();
  const endpoint = await partner.endpoint('/ahead');
  office.receiver.answer('/ahead', status(500), status(204));
  office.clock.advance(DAY_MS / 4);
  await partner.events(1);
  await office.deliver();
  await partner.events(1);
  // As in production: nobody is told that the clock of the database was set right.
  office.clock.advance(-DAY_MS / 4);
  await office.deliver();
  const states = async () => (await endpoint.deliveries()).map(({ state }) => state);
  assert.deepEqual(await states(), ['QUEUED', 'QUEUED']);
  await pauseEndpoint(office.manage, endpoint.guid, 'Late.', authority(office));
  await resumeEndpoint(office.manage, endpoint.guid, authority(office));
  await office.deliver();
  assert.deepEqual(await states(), ['DELIVERED', 'DELIVERED']);
});

test('probes: what was queued before the clock went back goes out when a pause ends', async () => {
  const partner = await office.partner();
  const endpoint = await partner.endpoint('/back');
  await partner.events(2);
  office.clock.advance(-DAY_MS / 2);
  const work = createDeliveryWork(office.deps);
  await work.clockWentBack?.(office.clock.nowMs());
  office.receiver.answer('/back', status(410));
  await office.deliver();
  assert.equal((await endpoint.view()).stateReason, 'GONE');
  office.receiver.answer('/back', status(204));
  await resumeEndpoint(office.manage, endpoint.guid, authority(office));
  await office.deliver();
  const states = (await endpoint.deliveries()).map(({ state }) => state);
  assert.deepEqual(states, ['DELIVERED', 'DELIVERED']);
  office.clock.advance(DAY_MS / 2);
});
