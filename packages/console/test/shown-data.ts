import assert from 'node:assert/strict';
import type { IssuedWebhookSecret } from '@servery/contract';
import { makeAlarm, payFor } from '../../../acceptance/src/back-office.ts';
import { DemoCallers } from '../../../acceptance/src/client.ts';
import type { StartedPlatform } from '../../../acceptance/src/platform.ts';
import { fillHealth } from './fill-health.ts';

/** What the screens show beside the demo group: payments, an alarm, an endpoint, a refused request. */
export async function makeShownData(platform: StartedPlatform) {
  const callers = new DemoCallers(platform);
  const wren = platform.demo.restaurants.find(({ name }) => name === 'The Early Wren');
  assert.ok(wren);
  const restaurant = wren.guid;
  const payments = [];
  for (const amount of [12.5, 48.2, 7.25, 23]) {
    payments.push(await payFor(callers, { amount, merchant: restaurant }));
  }
  const [payment] = payments;
  assert.ok(payment);
  const refused = await fetch(`${platform.baseUrl}/stock/v1/inventory`);
  const requestId = refused.headers.get(`${platform.brand}-request-id`.toLowerCase());
  const operator = await callers.as('operator');
  const json = {
    clientId: platform.demo.clients.partner.clientId,
    url: `${platform.baseUrl.replace('http', 'https')}/hooks`,
  };
  const made = await operator.call('backOffice.webhooks.endpoints.create', 200, { json });
  const { endpoint } = made.json as IssuedWebhookSecret;
  await fillHealth(platform);
  await makeAlarm(callers);
  return { callers, restaurant, payment, requestId, endpoint };
}
