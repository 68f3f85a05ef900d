import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { verify, verifyBranded } from '@servery/webhooks';
import { until } from './back-office.ts';
import { DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { platformUnderTest } from './platform.ts';
import { longTimeouts } from './status-requests-webhooks.ts';
import { startReceiver } from './webhook-receiver.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const operator = await callers.as('operator');
const partner = await callers.as('partner');

const { received, url: receiverUrl } = await startReceiver();

const call = async (id: string, options: object) =>
  (await operator.call(`backOffice.${id}`, 200, options)).json as Record<string, unknown>;

/** A partner with an endpoint here, and a connection of its own that tells it of an event. */
async function toldPartner(path: string) {
  const made = await call('partners.create', { json: { name: `Receiver ${randomUUID()}` } });
  const partnerGuid = String(made.guid);
  const account = { name: 'Receiver', type: 'PARTNER', partnerGuid, scopes: [] };
  const { client } = await call('clients.create', { json: account });
  const { clientId } = client as { clientId: string };
  const json = { clientId, url: receiverUrl(path), ...longTimeouts };
  const issued = await call('webhooks.endpoints.create', { json });
  const endpointGuid = (issued.endpoint as { guid: string }).guid;
  const [restaurantGuid] = openRestaurants(platform.demo);
  await call('connections.connect', { params: { restaurantGuid }, json: { partnerGuid } });
  return { partnerGuid, endpointGuid, secret: String(issued.secret) };
}

const firstDelivery = async (endpointGuid: string) => {
  const { results } = await call('webhooks.deliveries.list', { query: { endpointGuid } });
  return (results as { guid: string; state: string }[])[0];
};

test('backOffice.webhooks.deliveries.drop 409: an event is posted, signed, taken', async () => {
  const { endpointGuid, secret } = await toldPartner('/taken');
  const delivery = await until(
    'the delivery',
    () => firstDelivery(endpointGuid),
    (found) => found?.state === 'DELIVERED',
  );
  const [got, ...more] = received.filter(({ path }) => path === '/taken');
  assert.ok(got && more.length === 0);
  const webhook = { headers: got.headers, body: got.body };
  assert.ok(verify({ ...webhook, secrets: secret }).isValid);
  const { brand } = platform;
  assert.ok(verifyBranded({ ...webhook, secrets: secret }, { brand }).isValid);
  assert.equal(got.headers[`${brand.toLowerCase()}-event-type`], 'partner_added');
  const params = { deliveryGuid: String(delivery?.guid) };
  await operator.call('backOffice.webhooks.deliveries.drop', 409, {
    params,
    json: { reason: 'Too late.' },
  });
});

test('backOffice.webhooks.endpoints.get 200: one that is gone is paused, and why', async () => {
  const { endpointGuid } = await toldPartner('/gone');
  const params = { endpointGuid };
  const endpoint = await until(
    'the pause',
    () => call('webhooks.endpoints.get', { params }),
    ({ state }) => state === 'PAUSED',
  );
  assert.equal(endpoint.pauseReason, 'GONE');
  assert.ok(endpoint.stateReason);
});

test('platform.events.list 200 PTN-7: a partner reads its events on, by the cursor', async () => {
  const first = await partner.call('platform.events.list', 200, { query: { pageSize: 1 } });
  const { nextCursor } = first.json as { nextCursor: string };
  const rest = await partner.call('platform.events.list', 200, { query: { after: nextCursor } });
  const { results } = rest.json as { results: { position: number }[] };
  assert.ok(results.every(({ position }) => position > Number.parseInt(nextCursor, 10)));
});
