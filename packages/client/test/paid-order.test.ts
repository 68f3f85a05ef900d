import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { guestMenu, priceOf, syncMenus } from '../src/menu.ts';
import { cardOf, customer, guest, openSandbox, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await openSandbox();
});
after(() => sandbox.stop());

test('client: an order goes from the menu to a captured payment', async () => {
  const servery = sandbox.open();
  const copy = await syncMenus(servery);
  assert.ok(copy.document);
  const at = new Date((await sandbox.operator.call('backOffice.clock.get')).now);
  const menu = guestMenu(copy.document, { at, stock: await servery.stock.list() });
  const item = menu.menus
    .flatMap(({ groups }) => groups)
    .flatMap(({ items }) => items)
    .find(
      ({ price, canOrder, modifierGroups }) => price && canOrder && modifierGroups.length === 0,
    );
  assert.ok(item);
  const takeOut = copy.configuration.diningOptions.find(({ behavior }) => behavior === 'TAKE_OUT');
  const selection = { item: { guid: item.guid }, itemGroup: { guid: item.itemGroup }, quantity: 2 };
  const order = {
    diningOption: { guid: takeOut?.guid ?? '' },
    checks: [{ selections: [selection], customer }],
  };

  const price = priceOf(order, copy, { at });
  assert.ok(price.isPriced);
  const amount = price.checks[0]?.totalAmount ?? 0;
  assert.ok(amount > 0);
  assert.equal((await servery.orders.price(order)).checks[0]?.totalAmount, amount);

  const payment = await servery.payments.authorize({ amount, tipAmount: 3, card: cardOf(), guest });
  assert.equal(payment.outcome, 'approved');
  assert.ok(payment.outcome === 'approved');
  assert.equal(payment.receipt?.last4, '1111');
  const placed = await servery.orders.place(order, { payment });
  assert.equal(placed.checks[0]?.paymentStatus, 'CLOSED');
  const { paymentUuid } = payment.payment;

  await sandbox.platform.run(['clock', 'advance', '1d']);
  const captured = await servery.orders.payments.get({ guid: paymentUuid });
  assert.equal(captured.paymentStatus, 'CAPTURED');
});
