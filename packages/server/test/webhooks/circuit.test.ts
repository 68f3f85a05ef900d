import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import {
  addWebhookSecret,
  archiveEndpoint,
  setEndpointState,
} from '../../src/webhooks/endpoints/endpoints.ts';
import type { Outcome } from '../../src/webhooks/sockets/outcome.ts';
import { listHidden } from './event-rows-store.ts';
import {
  authority,
  openWebhookFixture,
  type TestEndpoint,
  type WebhookFixture,
} from './fixture.ts';
import { status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const gotAt = (path: string) => fixture.receiver.received.filter((got) => got.path === path);
const statesOf = async (endpoint: TestEndpoint) => {
  const states = (await endpoint.deliveries()).map(({ state }) => state);
  return Object.fromEntries(
    Map.groupBy(states, (state) => state)
      .entries()
      .map(([state, all]) => [state, all.length]),
  );
};
/** The events in the order in which a receiver got them first, by their number. */
const orderAt = (path: string) => {
  const numbers = gotAt(path).map(({ body }) => Number(JSON.parse(body).details.externalGroupRef));
  return [...new Set(numbers)];
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('circuit: ten failures in a row pause an endpoint, and nothing is given up', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/fails');
  fixture.receiver.answer('/fails', status(503));
  await partner.events(12);
  const paused = await endpoint.failUntilPaused();
  assert.deepEqual([paused.state, paused.stateReason], ['PAUSED', 'FAILURES']);
  assert.equal(paused.stateDetail, 'It responded with 503.');
  assert.ok(
    fixture.logged.includes('warn a webhook endpoint was paused; what waits for it is kept'),
  );
  assert.deepEqual(await statesOf(endpoint), { QUEUED: 12 });
  const tried = gotAt('/fails').length;
  await fixture.deliver();
  assert.equal(gotAt('/fails').length, tried, 'nothing goes out meanwhile');
  // For a day it is probed ever more seldom, at most once an hour, and gives nothing up.
  const gaps: number[] = [];
  for (let spentMs = 0; spentMs < 24 * HOUR_MS; ) {
    const { probeAt } = await endpoint.view();
    const waitMs = Number(probeAt) - fixture.clock.nowMs();
    gaps.push(waitMs / SECOND_MS);
    fixture.clock.advance(waitMs);
    spentMs += waitMs;
    await fixture.deliver();
  }
  assert.deepEqual(gaps.slice(0, 9), [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
  assert.equal(gotAt('/fails').length, tried + gaps.length, 'one delivery for each probe');
  assert.deepEqual(await statesOf(endpoint), { QUEUED: 12 });
  assert.ok((await endpoint.attempts()).at(-1)?.isProbe);
});

test('circuit: a probe that is taken resumes it, and the backlog drains in order', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/drains', { isOrdered: false });
  fixture.receiver.answer('/drains', status(500));
  await partner.events(12);
  await endpoint.failUntilPaused();
  await partner.events(20);
  const before = gotAt('/drains').length;
  fixture.receiver.answer('/drains', status(200));
  fixture.clock.advance(30 * SECOND_MS);
  await fixture.deliver();
  const view = await endpoint.view();
  assert.deepEqual([view.state, view.failures, view.probeAt], ['ACTIVE', 0, null]);
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 32 });
  const bodies = gotAt('/drains')
    .slice(before)
    .map(({ body }) => JSON.parse(body));
  assert.equal(bodies.length, 32, 'each once more');
  assert.equal(bodies[0].details.externalGroupRef, '1', 'the oldest is the probe');
});

test('circuit: after three failures one delivery is tried at a time', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/slowed', { retryDelaysSeconds: [1, 1, 1, 1, 1, 1, 1] });
  fixture.receiver.answer('/slowed', status(500));
  await partner.events(1);
  for (let tries = 0; tries < 3; tries += 1) {
    await fixture.deliver();
    fixture.clock.advance(SECOND_MS);
  }
  assert.equal((await endpoint.view()).failures, 3);
  await partner.events(5);
  let together = 0;
  let most = 0;
  const { targets } = fixture.deps;
  const post: typeof targets.post = async (request) => {
    together += 1;
    most = Math.max(most, together);
    return await targets.post(request).finally(() => {
      together -= 1;
    });
  };
  await fixture.deliver({ targets: { post } });
  assert.equal(most, 1);
});

test('circuit: 410 pauses at once with the reason GONE, and the event is kept', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/gone');
  fixture.receiver.answer('/gone', status(410));
  await partner.events(1);
  await fixture.deliver();
  const view = await endpoint.view();
  assert.deepEqual(
    [view.state, view.stateReason, view.stateBy],
    ['PAUSED', 'GONE', 'system:webhooks'],
  );
  assert.equal(Number(view.probeAt) - fixture.clock.nowMs(), HOUR_MS);
  assert.deepEqual(await statesOf(endpoint), { QUEUED: 1 });
  await partner.events(1);
  await fixture.deliver();
  assert.equal(gotAt('/gone').length, 1);
  fixture.receiver.answer('/gone', status(200));
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 2 });
});

test('circuit: a target that the guard refuses pauses with the reason BLOCKED', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/blocked');
  await partner.events(1);
  const explanation = 'The name leads to 10.0.0.1, which is not public.';
  const post = async () =>
    ({ kind: 'BLOCKED_TARGET', explanation, address: null, durationMs: 1 }) as const;
  await fixture.deliver({ targets: { post } });
  const view = await endpoint.view();
  assert.deepEqual([view.stateReason, view.stateDetail], ['BLOCKED', explanation]);
  assert.equal((await endpoint.attempts())[0]?.outcome, 'BLOCKED_TARGET');
  assert.deepEqual(await statesOf(endpoint), { QUEUED: 1 });
});

test('circuit: a probe that fails gives nothing up, even where there is no retry', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/no-retry', { retryDelaysSeconds: [] });
  fixture.receiver.answer('/no-retry', status(500));
  await partner.events(10);
  for (let round = 0; round < 10; round += 1) await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DEAD: 10 });
  fixture.clock.advance(10 * SECOND_MS);
  await partner.events(1);
  await endpoint.failUntilPaused();
  assert.deepEqual(await statesOf(endpoint), { DEAD: 10, QUEUED: 1 }, 'the pause keeps it');
  fixture.clock.advance(30 * SECOND_MS);
  await fixture.deliver();
  const attempts = await endpoint.attempts((await endpoint.deliveries()).at(-1));
  assert.deepEqual(
    attempts.map(({ isProbe }) => isProbe),
    [false, true],
  );
  assert.deepEqual(await statesOf(endpoint), { DEAD: 10, QUEUED: 1 });
});

test('circuit: an endpoint that is resumed while a probe is under way loses nothing', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/resumed-meanwhile', { retryDelaysSeconds: [] });
  fixture.receiver.answer('/resumed-meanwhile', status(410));
  await partner.events(1);
  await fixture.deliver();
  fixture.clock.advance(HOUR_MS);
  const isThere = Promise.withResolvers<ServerResponse>();
  fixture.receiver.answer('/resumed-meanwhile', (response) => isThere.resolve(response));
  const probing = fixture.deliver();
  const response = await isThere.promise;
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  fixture.receiver.answer('/resumed-meanwhile', status(200));
  response.writeHead(500).end();
  await probing;
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 1 });
});

test('circuit: an event that a probe finds refused is a dead letter; the next probes', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/poison');
  fixture.receiver.answer('/poison', status(500));
  await partner.events(10);
  await endpoint.failUntilPaused();
  fixture.receiver.answer('/poison', status(422), status(200));
  fixture.clock.advance(30 * SECOND_MS);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DEAD: 1, QUEUED: 9 });
  fixture.clock.advance(MINUTE_MS);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DEAD: 1, DELIVERED: 9 });
});

test('circuit: what a person paused stays so, queues, and goes out when resumed', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/held');
  await setEndpointState(
    fixture.manage,
    endpoint.guid,
    { state: 'PAUSED', reason: 'Moving house.' },
    authority(fixture),
  );
  await partner.events(3);
  fixture.clock.advance(24 * HOUR_MS);
  await fixture.deliver();
  const view = await endpoint.view();
  assert.deepEqual([view.stateReason, view.stateDetail], ['PERSON', 'Moving house.']);
  assert.equal(gotAt('/held').length, 0);
  assert.deepEqual(await statesOf(endpoint), { QUEUED: 3 });
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 3 });
});

test('circuit: nothing is queued for a disabled one; what waited goes out later', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/disabled');
  await partner.events(1);
  await setEndpointState(
    fixture.manage,
    endpoint.guid,
    { state: 'DISABLED', reason: 'Not needed.' },
    authority(fixture),
  );
  await partner.events(2);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { QUEUED: 1 });
  await setEndpointState(fixture.manage, endpoint.guid, { state: 'ACTIVE' }, authority(fixture));
  await fixture.deliver();
  assert.deepEqual(orderAt('/disabled'), [1]);
});

test('circuit: archiving drops what waits, in the name of its caller', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/archived');
  await partner.events(2);
  await archiveEndpoint(fixture.manage, endpoint.guid, authority(fixture));
  await partner.events(1);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DROPPED: 2 });
  const dropped = await listHidden(fixture.database.sql, endpoint.guid);
  assert.deepEqual(
    dropped.map(({ droppedBy }) => droppedBy),
    ['system:test', 'system:test'],
  );
  assert.equal(gotAt('/archived').length, 0);
});

test('ordered: the next goes out only after the one before is over', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/ordered', { isOrdered: true });
  fixture.receiver.answer('/ordered', status(200), status(500), status(422), status(200));
  await partner.events(5);
  await fixture.deliver();
  assert.deepEqual(orderAt('/ordered'), [1, 2]);
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 1, QUEUED: 4 });
  fixture.clock.advance(5 * MINUTE_MS);
  await fixture.deliver();
  assert.deepEqual(orderAt('/ordered'), [1, 2, 3, 4, 5]);
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 4, DEAD: 1 });
  const attempts = gotAt('/ordered').map(({ body }) => JSON.parse(body).details.externalGroupRef);
  assert.deepEqual(attempts, ['1', '2', '2', '3', '4', '5']);
});

test('ordered: two processes keep the order of 20 events', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/ordered-twice', { isOrdered: true });
  await partner.events(20);
  await Promise.all([fixture.deliver(), fixture.deliver()]);
  await fixture.deliver();
  assert.deepEqual(orderAt('/ordered-twice'), upTo(20));
  assert.equal(gotAt('/ordered-twice').length, 20, 'each once');
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 20 });
});

test('circuit: a burst of failures pauses nothing before ten seconds', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/restarted');
  fixture.receiver.answer('/restarted', status(503));
  await partner.events(20);
  for (let round = 0; round < 15; round += 1) await fixture.deliver();
  const failing = await endpoint.view();
  assert.ok(failing.failures >= 10);
  assert.equal(failing.state, 'ACTIVE');
  fixture.receiver.answer('/restarted', status(200));
  await fixture.deliver();
  fixture.clock.advance(5 * MINUTE_MS);
  await fixture.deliver();
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 20 });
});

test('circuit: a receiver that fails under load gets all of it in the end', async () => {
  const partner = await fixture.partner();
  // So many retries that none is given up because it met others each time.
  const retryDelaysSeconds = [60, 120, 240, 240, 240, 240, 240];
  const endpoint = await partner.endpoint('/crowded', { retryDelaysSeconds });
  await partner.events(40);
  const { targets } = fixture.deps;
  const tooMany: Outcome = {
    ...{ kind: 'ANSWERED', status: 503, text: 'too many', end: 'whole' },
    ...{ retryAfter: null, location: null, address: '127.0.0.1', durationMs: 1 },
  };
  let together = 0;
  const post: typeof targets.post = async (request) => {
    together += 1;
    const isCrowded = together > 4;
    const outcome = await targets.post(request).finally(() => {
      together -= 1;
    });
    return isCrowded ? tooMany : outcome;
  };
  for (let round = 0; round < 60; round += 1) {
    await fixture.deliver({ targets: { post } });
    fixture.clock.advance(30 * SECOND_MS);
  }
  assert.deepEqual(await statesOf(endpoint), { DELIVERED: 40 });
});

test('circuit: a pause gives all retries back; the next one is probed later', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/flaps', { retryDelaysSeconds: [1, 1] });
  fixture.receiver.answer('/flaps', status(500));
  await partner.events(12);
  const first = await endpoint.failUntilPaused();
  assert.equal(Number(first.probeAt) - fixture.clock.nowMs(), 30 * SECOND_MS);
  const hidden = await listHidden(fixture.database.sql, endpoint.guid);
  assert.deepEqual(new Set(hidden.map(({ tries }) => tries)), new Set([0]));
  fixture.receiver.answer('/flaps', status(200), status(500));
  fixture.clock.advance(30 * SECOND_MS);
  const again = await endpoint.failUntilPaused();
  assert.equal(Number(again.probeAt) - fixture.clock.nowMs(), MINUTE_MS);
  fixture.receiver.answer('/flaps', status(200), status(500));
  fixture.clock.advance(MINUTE_MS);
  const third = await endpoint.failUntilPaused();
  assert.equal(Number(third.probeAt) - fixture.clock.nowMs(), 2 * MINUTE_MS);
  assert.equal((await statesOf(endpoint)).DEAD ?? 0, 0);
});

test('circuit: an endpoint with a broken secret is paused, and others are told', async () => {
  const partner = await fixture.partner();
  const broken = await partner.endpoint('/broken-secret');
  const sound = await partner.endpoint('/sound-secret');
  await fixture.database.sql`
    update webhook_secret set sealed = ${Buffer.alloc(80, 1)} where endpoint_guid = ${broken.guid}`;
  await partner.events(3);
  await fixture.deliver();
  const view = await broken.view();
  assert.deepEqual([view.state, view.stateReason], ['PAUSED', 'SECRET']);
  assert.deepEqual(await statesOf(broken), { QUEUED: 3 });
  assert.deepEqual(await statesOf(sound), { DELIVERED: 3 });
  const draft = { label: null, expiresAt: null, othersExpireAt: new Date(fixture.clock.nowMs()) };
  await addWebhookSecret(fixture.manage, broken.guid, draft, authority(fixture));
  fixture.clock.advance(30 * SECOND_MS);
  await fixture.deliver();
  assert.deepEqual(await statesOf(broken), { DELIVERED: 3 });
});
