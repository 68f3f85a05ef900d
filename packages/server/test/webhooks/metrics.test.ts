import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMetrics } from '../../src/support/metrics.ts';
import { webhookMetrics } from '../../src/webhooks/delivery/webhook-metrics.ts';
import { archiveEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import { sendTestEvent } from '../../src/webhooks/endpoints/test-event.ts';
import { authority, openWebhookFixture, type WebhookFixture } from './fixture.ts';
import { status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

test('metrics: dead letters and the reasons of pauses are counted', async () => {
  const metrics = createMetrics();
  webhookMetrics(metrics, fixture.deps);
  const partner = await fixture.partner();
  const refuses = await partner.endpoint('/refuses');
  const gone = await partner.endpoint('/gone');
  fixture.receiver.answer('/refuses', status(400));
  fixture.receiver.answer('/gone', status(410));
  await partner.events(2);
  await fixture.deliver();
  const text = await metrics.text();
  assert.match(text, new RegExp(`servery_webhook_dead_letters{endpoint="${refuses.guid}"} 2`));
  assert.match(text, /servery_webhook_endpoints_paused{reason="GONE"} 1/);
  assert.match(text, /servery_webhook_endpoints_paused{reason="FAILURES"} 0/);
  assert.match(text, new RegExp(`servery_webhook_queued{endpoint="${gone.guid}"} 2`));
});

test('metrics: dead letters that nobody can send again are not counted', async () => {
  const metrics = createMetrics();
  webhookMetrics(metrics, fixture.deps);
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/dead-test');
  fixture.receiver.answer('/dead-test', status(400));
  const event = { eventType: 'partner_updated' } as const;
  await sendTestEvent(fixture.manage, endpoint.guid, event, authority(fixture));
  await fixture.deliver();
  assert.equal((await endpoint.deliveries())[0]?.state, 'DEAD');
  const dead = new RegExp(`webhook_dead_letters{endpoint="${endpoint.guid}"}`);
  assert.doesNotMatch(await metrics.text(), dead);
  await partner.events(1);
  await fixture.deliver();
  assert.match(await metrics.text(), dead);
  await archiveEndpoint(fixture.manage, endpoint.guid, authority(fixture));
  assert.doesNotMatch(await metrics.text(), dead);
});

test('metrics: one look at the queues serves both gauges', async () => {
  const metrics = createMetrics();
  let looks = 0;
  const { sql } = fixture.database;
  const counted = new Proxy(sql, {
    apply(target, self, [texts, ...values]) {
      if (String(texts).includes('min(queued_at) as oldest')) looks += 1;
      return Reflect.apply(target, self, [texts, ...values]);
    },
  });
  webhookMetrics(metrics, { ...fixture.deps, database: { sql: counted } });
  await metrics.text();
  assert.equal(looks, 1);
});

test('metrics: those that were counted last are told apart, and no more', async () => {
  const metrics = createMetrics();
  const options = { name: 'things_total', help: 'Things.', atMost: 2 };
  const count = metrics.countsOf({ ...options, labels: ['thing', 'result'] });
  for (const thing of ['a', 'b', 'a', 'c', 'c']) count(thing, 'taken');
  const lines = (await metrics.text()).split('\n').filter((line) => line.includes('{thing='));
  assert.deepEqual(lines.sort(), [
    'servery_things_total{thing="a",result="taken"} 2',
    'servery_things_total{thing="c",result="taken"} 2',
  ]);
});
