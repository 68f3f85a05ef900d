import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { syncMenus } from '@servery/client/menu';
import { useSandbox } from '@servery/testing/node';
import { createReceiver } from './receiver.js';
import { buy, cartOf, listItems, totalOf } from './shop.js';

const { servery, demo, faults, operator } = await useSandbox();
const copy = await syncMenus(servery);
const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
const cart = cartOf(
  listItems(copy, []).find(({ price }) => price),
  copy,
  customer,
);
const total = totalOf(cart, copy);

function cardOf(number) {
  return { number, expMonth: 12, expYear: 2039, cvv: '123', postalCode: '60607', country: 'USA' };
}

test('what is sold out is not on the menu', async () => {
  const [{ guid }] = listItems(copy, []);
  await servery.stock.update([{ guid, status: 'OUT_OF_STOCK' }]);
  const items = listItems(copy, await servery.stock.list());
  assert.ok(items.length > 0 && items.every((item) => item.guid !== guid));
  await servery.stock.update([{ guid, status: 'IN_STOCK' }]);
});

test('the guest pays the price that we show, and the platform tells us of the order', async () => {
  const secrets = [];
  const arrived = Promise.withResolvers();
  const receiver = createReceiver(secrets, arrived.resolve).listen(0, '127.0.0.1');
  after(() => receiver.close());
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${receiver.address().port}/`;
  const { clientId } = demo.clients.partner;
  const endpoint = { clientId, url, eventTypes: ['channel_order_updated'] };
  const made = await operator.call('backOffice.webhooks.endpoints.create', { body: endpoint });
  secrets.push(made.secret);

  const { guid, checks } = await buy(servery, cart, total, cardOf('4111111111111111'));
  assert.equal(checks[0].totalAmount, total);
  assert.equal(checks[0].paymentStatus, 'PAID');
  const { details } = await arrived.promise;
  assert.equal(details.order.guid, guid);

  const forged = await fetch(url, { method: 'POST', body: JSON.stringify({ details }) });
  assert.equal(forged.status, 400);
});

test('the sale succeeds even if answers get lost', async () => {
  await faults.once('payments.authorize', 'lostAnswer');
  await faults.once('orders.place', 'lostAnswer');
  const { checks } = await buy(servery, cart, total, cardOf('4111111111111111'));
  assert.equal(checks[0].paymentStatus, 'PAID');
});

test('nothing is ordered with a declined card', async () => {
  await assert.rejects(buy(servery, cart, total, cardOf('4000000000009995')), /funds/i);
});
