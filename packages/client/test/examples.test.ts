import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { exampleOf } from '@servery/contract';
import { makeSecret, makeTestHeaders } from '@servery/webhooks';
import {
  encryptExample,
  errorExample,
  hoursExample,
  menuExample,
  openExample,
  orderExample,
  payExample,
  priceExample,
  readExample,
  storeExample,
  webhookExample,
} from './examples.ts';
import { cardOf, plainOrder, type Sandbox, useSandbox } from './sandbox.ts';

let sandbox: Sandbox;
useSandbox((shared) => {
  sandbox = shared;
});

const account = () => {
  const { clientId, clientSecret } = sandbox.platform.demo.clients.partner;
  return { baseUrl: sandbox.baseUrl, clientId, clientSecret, restaurant: sandbox.restaurant };
};

test('docs/reference/client.md: its examples take an order from the menu to the kitchen', async () => {
  const servery = openExample(account());
  assert.ok((await readExample(servery, new Date(0))).length > 300);
  const copy = await menuExample(servery, null);
  assert.equal(await menuExample(servery, copy), copy);
  const cart = await plainOrder(servery);
  const amount = priceExample(copy, cart);
  const saved: unknown[] = [];
  const card = await encryptExample(servery, cardOf());
  const answer = await payExample(servery, { amount, card }, async (payment) => {
    saved.push(payment);
  });
  assert.ok(answer !== null && typeof answer === 'object' && answer.outcome === 'approved');
  assert.deepEqual(saved, [answer.payment]);
  const placed = await orderExample(servery, cart, answer);
  assert.equal(await errorExample(servery, placed?.guid ?? ''), placed?.displayNumber);
  const nothing = '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35';
  assert.equal(await errorExample(servery, nothing), 'there is no such order');
  assert.match(await hoursExample(servery), /^(true|false) \d+$/);
});

test('docs/reference/client.md: its store keeps a token, and its receiver refuses a forgery', async () => {
  const kept = new Map<string, string>();
  const cache = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, text: string) => {
      kept.set(key, text);
    },
  };
  await storeExample(account(), cache).menus.getMetadata();
  assert.equal(kept.size, 1);

  const secret = makeSecret();
  const server = webhookExample(sandbox.open({ webhookSecrets: secret }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const body = JSON.stringify(exampleOf({ schema: 'MenusEvent', array: false }, 'Platform'));
  const statusOf = async (secrets: string) => {
    const headers = makeTestHeaders({ body, secrets });
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
  };
  assert.deepEqual([await statusOf(secret), await statusOf(makeSecret())], [204, 400]);
  server.closeAllConnections();
  server.close();
});
