/**
 * A whole sale with the client, which `npm run client-runtimes` has every JavaScript runtime run: the
 * menu, the price of a cart, a card encrypted for each kind of key, a paid order, and a webhook.
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { encryptCard, Servery } from '@servery/client';
import { syncMenus } from '@servery/client/menu';
import { buy, cartOf, listItems, totalOf } from '../../../examples/online-ordering/shop.js';

const { account, webhook } = JSON.parse(process.env.GIVEN);
const servery = new Servery({ ...account, webhookSecrets: webhook.secret });
const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
const card = {
  ...{ number: '4111111111111111', expMonth: 12, expYear: 2039, cvv: '123' },
  ...{ postalCode: '60607', country: 'USA' },
};

const copy = await syncMenus(servery);
assert.equal(await syncMenus(servery, copy), copy);
const items = listItems(copy, await servery.stock.list());
const named = await servery.configuration.menuItems.list().all();
const item = items.find(({ price, guid }) => price && named.some((each) => each.guid === guid));
assert.ok(item);
const cart = cartOf(item, copy, customer);
const total = totalOf(cart, copy);
assert.equal((await servery.orders.price(cart)).checks[0].totalAmount, total);

const keys = await servery.platform.cardEncryptionKeys.list();
assert.ok(keys.length > 1);
for (const key of keys) {
  const { guid, checks } = await buy(servery, cart, total, await encryptCard(card, [key]));
  assert.equal(checks[0].paymentStatus, 'PAID');
  assert.equal((await servery.orders.get({ guid })).guid, guid);
}

const { headers, body } = webhook;
const signed = new TextEncoder().encode(body);
assert.equal((await servery.webhooks.verify(headers, signed)).isValid, true);
assert.equal((await servery.webhooks.verify(headers, signed.with(0, 0))).isValid, false);

const kinds = keys.map(({ keyId }) => keyId.split('::')[0]).join(', ');
console.log(`${item.name} for ${total.toFixed(2)}, with cards encrypted by ${kinds}`);
