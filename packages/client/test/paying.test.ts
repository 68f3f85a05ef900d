import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptCard, InvalidInput, OrderUnknown, type ServeryOptions } from '../src/index.ts';
import { guestMenu, priceOf, syncMenus } from '../src/menu.ts';
import {
  cardOf,
  customer,
  guest,
  orderFault,
  plainOrder,
  type Sandbox,
  useSandbox,
} from './sandbox.ts';

let sandbox: Sandbox;
useSandbox((shared) => {
  sandbox = shared;
});

const AUTHORIZE = 'creditCards.authorize';
const open = (more: Partial<ServeryOptions> = {}) =>
  sandbox.open({ retries: { pauseMs: 1 }, ...more });
const request = (more: object = {}) => ({ amount: 12.5, card: cardOf(), guest, ...more });

/** How often the processor was asked to hold the money of a payment. */
async function attemptsOf(paymentUuid: string): Promise<number> {
  const payment = await open().platform.payments.get({ paymentUuid });
  return payment.changes.filter(({ state }) => state === 'AUTHORIZED').length;
}

test('client: a declined card is no error, and says what to tell the guest', async () => {
  const card = cardOf('4000000000009995');
  const answer = await open().payments.authorize(request({ card }));
  assert.ok(answer.outcome === 'declined');
  assert.match(answer.reason ?? '', /insufficient/i);
});

test('client: a lost answer is followed by the same bytes, and the card is charged once', async () => {
  const sent: unknown[] = [];
  const spy: typeof fetch = (url, init) => {
    if (init?.method === 'PUT') sent.push(init.body);
    return fetch(url, init);
  };
  const servery = open({ fetch: spy });
  await orderFault(sandbox, AUTHORIZE, 'lostAnswer');
  await orderFault(sandbox, AUTHORIZE, 'status', { status: 503 });
  const answer = await servery.payments.authorize(request());
  assert.equal(answer.outcome, 'approved');
  assert.ok(sent.length === 3 && new Set(sent).size === 1);
  assert.equal(await attemptsOf(answer.payment.paymentUuid), 1);
});

test('client: when every answer is lost, the payment itself tells the outcome', async () => {
  await orderFault(sandbox, AUTHORIZE, 'lostAnswer', {}, 4);
  const answer = await open().payments.authorize(request());
  assert.equal(answer.outcome, 'approved');
  assert.equal(await attemptsOf(answer.payment.paymentUuid), 1);
});

test('client: an unknown outcome is found out later, also by another process', async () => {
  const servery = open();
  const prepared = await servery.payments.prepare(request());
  await orderFault(sandbox, AUTHORIZE, 'lostAnswer', {}, 4);
  await orderFault(sandbox, 'platform.payments.get', 'droppedConnection', {}, 4);
  const answer = await servery.payments.authorize(prepared, { waitMs: 0 });
  assert.ok(answer.outcome === 'unknown');
  assert.match(answer.whatToDo, /payments\.resolve/);

  const stored = JSON.parse(JSON.stringify(prepared));
  const found = await open().payments.resolve(stored);
  assert.equal(found.outcome, 'approved');
  assert.equal(await attemptsOf(prepared.paymentUuid), 1);
});

test('client: a payment that never arrived is sent when it is resolved', async () => {
  const servery = open();
  const prepared = await servery.payments.prepare(request());
  assert.equal((await servery.payments.resolve(prepared)).outcome, 'approved');
  assert.equal(await attemptsOf(prepared.paymentUuid), 1);
});

test('client: an outcome that the platform learns later is waited for', async () => {
  const answer = await open().payments.authorize(request({ card: cardOf('4000000000000341') }), {
    waitMs: 60_000,
  });
  assert.equal(answer.outcome, 'approved');
});

test('client: a refusal before anything was charged is thrown', async () => {
  const wrong = { guest: { ...guest, identifier: 'no blanks allowed' } };
  await assert.rejects(open().payments.authorize(request(wrong)), { status: 422 });
});

test('client: the server accepts a card encrypted with each kind of key', async () => {
  const servery = open();
  const keys = await servery.platform.cardEncryptionKeys.list();
  const algorithms = new Set(keys.map(({ algorithm }) => algorithm));
  assert.ok(algorithms.has('ECDH-ES') && algorithms.has('RSA-OAEP-256'));
  for (const algorithm of algorithms) {
    const own = keys.filter((key) => key.algorithm === algorithm);
    const card = await encryptCard(cardOf(), own);
    assert.ok(card.keyId.startsWith(`${algorithm}::`));
    const answer = await servery.payments.authorize(request({ card }));
    assert.equal(answer.outcome, 'approved', algorithm);
  }
});

test('client: rubbish is refused before it is sent, by the name of its field', async () => {
  let asked = 0;
  const servery = open({
    fetch: (...given) => {
      asked += 1;
      return fetch(...given);
    },
  });
  await servery.payments.prepare(request());
  const before = asked;
  const wrong: readonly (readonly [string, object])[] = [
    ['amount', { amount: Number.NaN }],
    ['amount', { amount: '12.50' }],
    ['amount', { amount: 0.001 }],
    ['amount', { amount: 0 }],
    ['tipAmount', { tipAmount: -1 }],
    ['paymentUuid', { paymentUuid: 'one' }],
    ['guest.ipAddress', { guest: { identifier: 'x' } }],
    ['card.number', { card: { ...cardOf(), number: '4111111111111112' } }],
    ['card.expYear', { card: { ...cardOf(), expMonth: 1, expYear: 24 } }],
    ['card.expMonth', { card: { ...cardOf(), expMonth: 13 } }],
    ['card.cvv', { card: { ...cardOf(), cvv: '12' } }],
    ['card.country', { card: { ...cardOf(), country: 'US' } }],
  ];
  for (const [field, more] of wrong) {
    await assert.rejects(
      servery.payments.authorize(request(more)),
      (error) => error instanceof InvalidInput && error.field === field,
      field,
    );
  }
  assert.equal(asked, before);
});

test('client: an order is placed once, although its answer is lost', async () => {
  const servery = open();
  const order = await plainOrder(servery);
  await orderFault(sandbox, 'orders.place', 'lostAnswer');
  const placed = await servery.orders.place(order);
  assert.match(placed.externalId ?? '', /^order:/);

  await orderFault(sandbox, 'orders.place', 'lostAnswer', {}, 4);
  const lost = await servery.orders.place(order).catch((error) => error);
  assert.ok(lost instanceof OrderUnknown);
  const found = await servery.orders.place(lost.order, { again: true });
  assert.equal(found.externalId, lost.order.externalId);

  const businessDate = String(placed.businessDate);
  const all = await servery.orders.listBulk({ businessDate, pageSize: 2 }).all();
  const placedOnce = (id: string | null | undefined) =>
    all.filter(({ externalId }) => externalId === id).length === 1;
  assert.ok(all.length > 2 && placedOnce(placed.externalId) && placedOnce(found.externalId));
});

test('client: an order is placed once, although the runtime sent it twice by itself', async () => {
  const repeating: typeof fetch = async (url, init) => {
    if (init?.method === 'POST' && String(url).endsWith('/orders')) await fetch(url, init);
    return await fetch(url, init);
  };
  const servery = open({ fetch: repeating });
  const placed = await servery.orders.place(await plainOrder(servery));
  assert.match(placed.externalId ?? '', /^order:/);
});

test('client: an identifier that another order has is a conflict, not that order', async () => {
  const servery = open();
  const order = await plainOrder(servery, { externalId: 'test:taken' });
  await servery.orders.place(order);
  await assert.rejects(servery.orders.place(order), { name: 'Conflict', status: 409 });
});

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
