import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Order, WebhookEvent } from '@servery/contract';
import { updateStockHandler } from '../../src/stock/partner/update.ts';
import { insertListener } from '../payments/event-fixture-store.ts';
import { callOperation, type TestAnswer } from '../request.ts';
import { guest, orderOf, refusalOf, totalsOf } from './fixture.ts';
import { listBodies, updateScopes } from './fixture-store.ts';
import { type KitchenFixture, openKitchenFixture } from './kitchen-fixture.ts';
import { guidOf, item, select } from './menu.ts';

let fixture: KitchenFixture;
before(async () => {
  fixture = await openKitchenFixture({
    menu: { items: [item('Soup', 8, { taxInfo: ['tax'] })] },
    configuration: {
      taxRates: { tax: { type: 'PERCENT', rate: 0.1, roundingType: 'HALF_UP' } },
    },
  });
  const { partner, restaurant, payments } = fixture;
  const { sql } = payments.database;
  await insertListener(sql, partner.clientId, restaurant.guid, new Date(payments.clock.nowMs()));
  await updateScopes(sql, partner.clientId, [
    ...(['stock:read', 'orders:read', 'orders.channel:read'] as const),
    'credit_cards.authorization:write',
  ]);
});
after(() => fixture.close());

/** 04:00 in New York on the day after the one that the fixture begins with. */
const CLOSE_OUT_MS = Date.UTC(2026, 2, 2, 9);

/** Soups to take out, for that order of the shop, perhaps paid by a card. */
function soups(quantity: number, externalId: string, card?: object) {
  const payments = card ? [{ type: 'CREDIT', ...card }] : [];
  const more = { diningOption: { guid: guidOf('take-out') }, externalId };
  return orderOf([select('Soup', { quantity })], { customer: guest, payments }, more);
}

async function authorized(amount: number, tipAmount: number) {
  return { guid: await fixture.authorize(amount, tipAmount), amount, tipAmount };
}

async function setSoups(quantity: number): Promise<TestAnswer> {
  const { deps, restaurant, partner: principal, payments } = fixture;
  const handlers = { 'stock.update': updateStockHandler({ ...deps, zeroQuantity: 'reject' }) };
  const body = [{ guid: guidOf('Soup'), status: 'QUANTITY', quantity }];
  const nowMs = payments.clock.nowMs();
  return await callOperation(handlers, 'stock.update', { restaurant, principal, nowMs, body });
}

let toldBefore = 0;

/** What the partner was told since this was last asked. */
async function news(): Promise<string[]> {
  const { partner, payments } = fixture;
  const bodies = await listBodies(payments.database.sql, partner.clientId);
  const fresh = bodies.slice(toldBefore);
  toldBefore = bodies.length;
  return fresh.map((body) => inShort(JSON.parse(body)));
}

function inShort(event: WebhookEvent): string {
  switch (event.eventType) {
    case 'low_quantity':
      return `${event.eventType} ${event.details.quantity}`;
    case 'guestOrderStatusUpdated':
      return `${event.eventType} ${event.details.guestOrderStatus}`;
    case 'payment_updated':
      return `${event.eventType} ${event.details.paymentStatus} ${event.details.tipAmount}`;
    default:
      return event.eventType;
  }
}

/** What a step leaves: its status, the stock, and what the partner is told. */
async function left({ status }: TestAnswer): Promise<unknown[]> {
  return [status, await fixture.stock('Soup'), ...(await news())];
}

const paymentsOf = ({ checks }: Order) =>
  checks.flatMap(({ payments }) => payments.map(({ paymentStatus }) => paymentStatus));

test('orders.place E21 ORD-44 ORD-45 ORD-47 ORD-49 ORD-51 ORD-52 ORD-53 ORD-59 PAY-17: a paid order, end to end', async () => {
  const { call, decide, get, moveTo, office, place, price, restaurant, work } = fixture;
  const { clock } = fixture.payments;
  assert.deepEqual(await left(await setSoups(3)), [200, 'QUANTITY 3', 'low_quantity 3']);
  const priced = await price(soups(2, 'shop:1'));
  assert.deepEqual(totalsOf(priced.body), [16, 1.6, 17.6]);
  assert.deepEqual(await left(priced), [200, 'QUANTITY 3']);

  const u = await authorized(17.6, 3);
  const first = await place(soups(2, 'shop:1', u));
  assert.deepEqual(await left(first), [200, 'QUANTITY 1', 'channel_order_updated']);
  const [check] = first.body.checks;
  assert.deepEqual(
    [check.paymentStatus, check.payments[0].paymentStatus, check.payments[0].last4Digits],
    ['CLOSED', 'AUTHORIZED', '1111'],
  );

  const again = await place(soups(2, 'shop:1', u));
  assert.match(again.body.message, new RegExp(first.body.guid));
  assert.deepEqual(await left(again), [409, 'QUANTITY 1']);
  const tooMany = await place(soups(2, 'shop:2', u));
  const [noSoup, noPayment] = refusalOf(tooMany);
  assert.match(String(noSoup), /^400 .*the stock is 1/);
  assert.match(String(noPayment), /^409 .*already on another check/);
  assert.deepEqual(await left(tooMany), [400, 'QUANTITY 1']);
  const taken = await place(soups(1, 'shop:3', u));
  assert.match(taken.body.message, /already on another check/);
  assert.deepEqual(await left(taken), [409, 'QUANTITY 1']);

  const v = await authorized(8.8, 1);
  const wrongTip = await place(soups(1, 'shop:3', { ...v, tipAmount: 0 }));
  assert.match(wrongTip.body.message, /payments\[0\]\.tipAmount must be 1, the authorized tip/);
  assert.deepEqual(await left(wrongTip), [400, 'QUANTITY 1']);
  clock.advance(6 * 60_000);
  const expired = await place(soups(1, 'shop:3', v));
  assert.match(expired.body.message, /expired five minutes after/);
  assert.deepEqual(await left(expired), [409, 'QUANTITY 1']);
  await work();
  assert.deepEqual(await news(), [
    ...['channel_order_updated', 'guestOrderStatusUpdated IN_PREPARATION'],
    ...['payment_updated PROCESSING_VOID 1', 'payment_updated VOIDED 1'],
  ]);

  const w = await authorized(8.8, 1);
  const last = await place(soups(1, 'shop:3', w));
  const lastTold = ['out_of_stock', 'channel_order_updated'];
  assert.deepEqual(await left(last), [200, 'OUT_OF_STOCK', ...lastTold]);
  const params = { orderGuid: last.body.guid, checkGuid: last.body.checks[0].guid };
  const tip = (tipAmount: number) =>
    call('orders.payments.update', {
      params: { ...params, paymentGuid: w.guid },
      body: { tipAmount },
    });
  const lowered = ['payment_updated AUTHORIZED 0.5', 'channel_order_updated'];
  assert.deepEqual(await left(await tip(0.5)), [200, 'OUT_OF_STOCK', ...lowered]);
  const raised = await tip(2);
  assert.match(raised.body.message, /at most 1:/);
  assert.deepEqual(await left(raised), [400, 'OUT_OF_STOCK']);

  const orderGuid = first.body.guid;
  const all = { selections: { voidAll: true }, payments: { voidAll: true } };
  const byChannel = await call('orders.void', { params: { orderGuid }, body: all });
  assert.match(byChannel.body.message, new RegExp(`CREDIT payment, ${u.guid}`));
  assert.deepEqual(await left(byChannel), [400, 'OUT_OF_STOCK']);
  const voided = await decide('void', orderGuid, { reason: 'The soup is cold.' });
  assert.deepEqual(paymentsOf(voided.body.order), ['PROCESSING_VOID']);
  assert.deepEqual(await left(voided), [
    ...[200, 'OUT_OF_STOCK', 'payment_updated PROCESSING_VOID 3'],
    ...['channel_order_updated', 'guestOrderStatusUpdated VOIDED'],
  ]);
  await work();
  assert.deepEqual(await news(), [
    ...['channel_order_updated', 'guestOrderStatusUpdated IN_PREPARATION'],
    ...['payment_updated VOIDED 3', 'channel_order_updated'],
  ]);
  assert.deepEqual(paymentsOf((await get(orderGuid)).body), ['VOIDED']);

  await moveTo(CLOSE_OUT_MS - 1);
  assert.deepEqual(await news(), []);
  await moveTo(CLOSE_OUT_MS);
  assert.deepEqual(await news(), [
    ...['channel_order_updated', 'guestOrderStatusUpdated CLOSED'],
    ...['payment_updated CAPTURE_IN_PROGRESS 0.5', 'channel_order_updated'],
    ...['payment_updated CAPTURED 0.5', 'channel_order_updated'],
  ]);
  const named = { params: { merchantUuid: restaurant.guid, paymentUuid: w.guid } };
  const { body: captured } = await office('backOffice.payments.get', named);
  assert.deepEqual([captured.paymentState, captured.capturedAmount], ['CAPTURED', 9.3]);
  const query = { businessDate: String(first.body.businessDate) };
  const { body: orders } = await call('orders.listBulk', { query });
  assert.deepEqual(
    orders.map((order: Order) => [order.guid, order.guestOrderStatus, ...paymentsOf(order)]),
    [
      [orderGuid, 'VOIDED', 'VOIDED'],
      [last.body.guid, 'CLOSED', 'CAPTURED'],
    ],
    'what was refused left no order',
  );
});
