import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { everywhere } from '../../src/support/due-work.ts';
import { type DeliveryFilter, listDeliveries } from '../../src/webhooks/delivery/delivery-store.ts';
import { listQueues } from '../../src/webhooks/delivery/metrics-store.ts';
import { listEndpointHealth } from '../../src/webhooks/endpoints/endpoint-store.ts';
import { explainStatements } from '../explain-statements.ts';
import { NOW_MS } from '../request.ts';
import { insertDeliveries } from './event-rows-store.ts';
import { openWebhookFixture, type WebhookFixture } from './fixture.ts';

const WAITING = 3_000;
const OVER = 27_000;

let fixture: WebhookFixture;
let endpointGuid: string;
before(async () => {
  fixture = await openWebhookFixture();
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/many');
  endpointGuid = endpoint.guid;
  const key = { partnerGuid: partner.partnerGuid, endpointGuid };
  await insertDeliveries(fixture.database.sql, key, { waiting: WAITING, over: OVER });
});
after(() => fixture.close());

/** The plan of a list of the whole platform. */
async function planOf(part: Partial<DeliveryFilter>): Promise<string> {
  const plans: string[] = [];
  const all = { reach: everywhere, ...part };
  await listDeliveries(explainStatements(fixture.database.sql, plans), all, null, 50);
  return plans.join();
}

test('deliveries: what waits, and what is new, is found without looking at all', async () => {
  assert.match(await planOf({ state: 'QUEUED' }), /using webhook_delivery_queued_by_guid/);
  const since = new Date(NOW_MS + (WAITING + OVER - 20) * 1_000).toISOString();
  assert.match(await planOf({ since }), /Bitmap Index Scan on webhook_delivery_by_queue/);
  const ofType = await planOf({ eventType: 'order_updated' });
  assert.match(ofType, /using webhook_delivery_by_event_type/);
});

test('deliveries: what waits is counted by an index, without the rows', async () => {
  const plans: string[] = [];
  const sql = explainStatements(fixture.database.sql, plans);
  await listEndpointHealth(sql, [endpointGuid], new Date(NOW_MS));
  await listQueues(sql, 10);
  for (const plan of plans) assert.match(plan, /Index Only Scan using webhook_delivery_queued on/);
  assert.equal(plans.length, 2);
});
