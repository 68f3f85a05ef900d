import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DoneWork } from '../../src/support/due-work.ts';
import { DeliveryWork } from '../../src/webhooks/delivery/delivery-work.ts';
import { openWebhookFixture, type WebhookFixture } from './fixture.ts';
import { status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:1024/';

/** Moves the clock as a sandbox does, and gives what was done on its way. */
async function moveBy(durationMs: number): Promise<DoneWork[]> {
  const work = new DeliveryWork(fixture.deps);
  const untilMs = fixture.clock.nowMs() + durationMs;
  const done: DoneWork[] = [];
  for (;;) {
    const dueMs = await work.nextDueMs();
    if (dueMs === null || dueMs > untilMs) break;
    fixture.clock.advance(Math.max(0, dueMs - fixture.clock.nowMs()));
    done.push(...(await work.runDue(dueMs, { isSequential: true, piecesAtMost: 1 })));
  }
  fixture.clock.advance(untilMs - fixture.clock.nowMs());
  return done;
}

test('moved: an attempt is told with endpoint, event, status, and when it is next', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/told');
  fixture.receiver.answer('/told', status(500), status(204));
  await partner.events(1);
  const startMs = fixture.clock.nowMs();
  const done = await moveBy(HOUR_MS);
  const [delivery] = await endpoint.deliveries();
  const same = {
    ...{ partnerGuid: partner.partnerGuid, endpointGuid: endpoint.guid },
    ...{ deliveryGuid: delivery?.guid, eventGuid: delivery?.eventGuid },
    eventType: 'partner_added',
  };
  const none = { merchantGuid: null, paymentUuid: null, fromState: null, cause: null };
  const retryMs = startMs + 5 * MINUTE_MS;
  const failed = { outcome: 'STATUS', status: 500, state: 'QUEUED', nextMs: retryMs };
  const taken = { outcome: 'DELIVERED', status: 204, state: 'DELIVERED', nextMs: null };
  assert.deepEqual(done, [
    { dueMs: startMs, kind: 'webhook', ...none, toState: null, webhook: { ...same, ...failed } },
    { dueMs: retryMs, kind: 'webhook', ...none, toState: null, webhook: { ...same, ...taken } },
  ]);
});

test('moved: what waited for a pause is told when it went out, behind its probe', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/repaired');
  fixture.receiver.answer('/repaired', status(410));
  await partner.events(3);
  const startMs = fixture.clock.nowMs();
  const [gone, ...probes] = await moveBy(1.5 * HOUR_MS);
  // Its delivery waits for the probe, and not as long as the schedule of retries says.
  assert.deepEqual(
    [gone?.kind, gone?.webhook?.state, gone?.webhook?.nextMs],
    ['webhook', 'QUEUED', startMs + HOUR_MS],
  );
  assert.deepEqual(
    probes.map(({ kind, webhook }) => [kind, webhook?.status, Number(webhook?.nextMs) > startMs]),
    [['webhookProbe', 410, true]],
  );
  fixture.receiver.answer('/repaired', status(204));
  const probeMs = Number((await endpoint.view()).probeAt);
  const done = await moveBy(24 * HOUR_MS);
  assert.deepEqual(
    done.map(({ dueMs, kind, webhook }) => [dueMs, kind, webhook?.state]),
    [
      [probeMs, 'webhookProbe', 'DELIVERED'],
      [probeMs, 'webhook', 'DELIVERED'],
      [probeMs, 'webhook', 'DELIVERED'],
    ],
  );
});

test('moved: an attempt without an answer is told without a status', async () => {
  const partner = await fixture.partner();
  await partner.endpoint('/silent', { url: NOBODY });
  await partner.events(1);
  const [done] = await moveBy(0);
  assert.deepEqual([done?.webhook?.outcome, done?.webhook?.status], ['REFUSED', null]);
});
