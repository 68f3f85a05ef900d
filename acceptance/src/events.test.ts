import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Order } from '@servery/contract';
import { verify } from '@servery/webhooks';
import { newAccount, newGroup, newRestaurant } from './accounts.ts';
import { callMove, type PaymentKey, payFor, until } from './back-office.ts';
import { DemoCallers } from './client.ts';
import { itemGuids, openRestaurants } from './fixtures.ts';
import { openOrdering } from './ordering.ts';
import { platformUnderTest } from './platform.ts';
import { longTimeouts } from './status-requests-webhooks.ts';
import { nth } from './values.ts';
import { startReceiver } from './webhook-receiver.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const operator = await callers.as('operator');
const partner = await callers.as('partner');
const [merchant] = openRestaurants(platform.demo);
// Restaurants of their own: other files change those of the demo group meanwhile.
const group = await newGroup(callers, `Told ${randomUUID()}`);
const restaurantGuid = await newRestaurant(callers, group);
const elsewhere = await newRestaurant(callers, group);

interface Event {
  readonly eventCategory: string;
  readonly eventType: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const { received, url: receiverUrl } = await startReceiver();

const ask = async (id: string, options: object) =>
  (await operator.call(`backOffice.${id}`, 200, options)).json as Record<string, unknown>;

interface Endpoint {
  readonly guid: string;
  readonly path: string;
  readonly secret: string;
}

async function newEndpoint(clientId: string, eventTypes: string[] | null): Promise<Endpoint> {
  const path = `/${randomUUID()}`;
  const url = receiverUrl(path);
  const json = { clientId, url, eventTypes, isOrdered: true, ...longTimeouts };
  const { endpoint, secret } = await ask('webhooks.endpoints.create', { json });
  return { guid: (endpoint as { guid: string }).guid, path, secret: String(secret) };
}

await ask('configuration.apply', {
  params: { restaurantGuid },
  json: {
    document: {
      configuration: {
        menus: [{ name: 'Lunch', groups: ['Mains'] }],
        menuGroups: [{ name: 'Mains', items: ['Soup'] }],
        menuItems: [{ name: 'Soup', pricing: { strategy: 'BASE_PRICE', price: 8 } }],
        diningOptions: [{ name: 'Take out', behavior: 'TAKE_OUT' }],
      },
    },
  },
});
const scopes = ['config:read', 'menus:read', 'stock:read', 'stock:write'];
const { caller: seller } = await newPartner(scopes, restaurantGuid);
const [itemGuid = ''] = await itemGuids(seller, restaurantGuid);

async function newPartner(scopes: readonly string[], connectedTo: string | null) {
  const { guid } = await ask('partners.create', { json: { name: `Told ${randomUUID()}` } });
  const partnerGuid = String(guid);
  const account = await newAccount(callers, { type: 'PARTNER', partnerGuid, scopes });
  if (connectedTo !== null) {
    const connection = { params: { restaurantGuid: connectedTo }, json: { partnerGuid } };
    await ask('connections.connect', connection);
  }
  return { partnerGuid, ...account };
}

/** What is queued for an endpoint, the oldest first. An answer to a change comes after its events. */
async function queued({ guid }: Endpoint): Promise<string[]> {
  const { results } = await ask('webhooks.deliveries.list', { query: { endpointGuid: guid } });
  return (results as { eventType: string }[]).map(({ eventType }) => eventType).reverse();
}

/** What an endpoint received, verified. */
async function eventsAt({ path, secret }: Endpoint, count: number): Promise<Event[]> {
  const own = () => received.filter((got) => got.path === path);
  await until(
    `${count} events`,
    async () => own().length,
    (found) => found >= count,
  );
  return own().map(({ headers, body }) => {
    assert.ok(verify({ headers, body, secrets: secret }).isValid);
    const event = JSON.parse(body) as Event;
    const brand = platform.brand.toLowerCase();
    assert.equal(headers[`${brand}-event-type`], event.eventType);
    assert.equal(headers[`${brand}-event-category`], event.eventCategory);
    return event;
  });
}

async function typesIn({ caller }: Awaited<ReturnType<typeof newAccount>>): Promise<string[]> {
  const { json } = await caller.call('platform.events.list', 200);
  return (json as { results: { event: Event }[] }).results.map(({ event }) => event.eventType);
}

const set = async (status: string, quantity: number | null = null) =>
  await seller.call('stock.update', 200, {
    restaurant: restaurantGuid,
    json: [{ guid: itemGuid, status, quantity }],
  });

test('stock.update 200 HOOK-1 HOOK-4: an endpoint is told of stock, and of each change once', async () => {
  await set('IN_STOCK');
  const { clientId } = await newPartner(['stock:read'], restaurantGuid);
  const endpoint = await newEndpoint(clientId, null);
  await set('QUANTITY', 8);
  await set('QUANTITY', 8);
  await set('QUANTITY', 4.5);
  await set('OUT_OF_STOCK');
  const changes = [
    { guid: itemGuid, status: 'IN_STOCK' },
    { guid: itemGuid, status: 'QUANTITY', quantity: 2 },
  ];
  await seller.call('stock.update', 200, { restaurant: restaurantGuid, json: changes });
  const restored = { changes: [{ guid: itemGuid, status: 'IN_STOCK' }] };
  await ask('stock.set', { params: { restaurantGuid }, json: restored });
  const events = await eventsAt(endpoint, 5);
  assert.deepEqual(
    events.map(({ eventCategory, eventType, details: { status, quantity } }) => [
      eventCategory,
      eventType,
      status,
      quantity,
    ]),
    [
      ['stock', 'in_stock', 'QUANTITY', 8],
      ['stock', 'low_quantity', 'QUANTITY', 4.5],
      ['stock', 'out_of_stock', 'OUT_OF_STOCK', null],
      ['stock', 'low_quantity', 'QUANTITY', 2],
      ['stock', 'in_stock', 'IN_STOCK', null],
    ],
  );
  for (const { details } of events) {
    assert.equal(details.itemGuid, itemGuid);
    assert.equal(details.restaurantGuid, restaurantGuid);
    assert.equal(details.versionId, itemGuid);
    assert.equal(typeof details.multiLocationId, 'string');
  }
});

test('stock.update 200 HOOK-2: only who is connected, may read stock and wants the type is told', async () => {
  await set('IN_STOCK');
  const told = await newPartner(['stock:read'], restaurantGuid);
  const without = await newPartner(['config:read'], restaurantGuid);
  const away = await newPartner(['stock:read'], elsewhere);
  const all = await newEndpoint(told.clientId, null);
  const some = await newEndpoint(told.clientId, ['out_of_stock', 'partner_updated']);
  const others = await Promise.all([
    newEndpoint(told.clientId, ['menus_updated', 'partner_added']),
    newEndpoint(without.clientId, null),
    newEndpoint(away.clientId, null),
  ]);
  // A second account of the same partner, without the scope.
  const { partnerGuid } = told;
  const blind = await newAccount(callers, { type: 'PARTNER', partnerGuid, scopes: [] });
  others.push(await newEndpoint(blind.clientId, null));
  const off = await newEndpoint(told.clientId, null);
  const disabling = { params: { endpointGuid: off.guid }, json: { reason: 'Not yet.' } };
  await ask('webhooks.endpoints.disable', disabling);
  await set('OUT_OF_STOCK');
  await set('QUANTITY', 3);
  assert.deepEqual(await queued(all), ['out_of_stock', 'low_quantity']);
  assert.deepEqual(await queued(some), ['out_of_stock']);
  for (const endpoint of [...others, off]) assert.deepEqual(await queued(endpoint), []);
  assert.deepEqual(await typesIn(told), ['partner_added', 'out_of_stock', 'low_quantity']);
  assert.deepEqual(await typesIn(blind), ['partner_added']);
  await ask('webhooks.endpoints.resume', { params: { endpointGuid: off.guid } });
  const replay = { which: 'RANGE', fromPosition: 1, toPosition: 9, dryRun: true };
  const counted = async ({ guid }: Endpoint) =>
    (await ask('webhooks.replay', { params: { endpointGuid: guid }, json: replay })).count;
  assert.equal(await counted(off), 3, 'what happened while it was disabled is kept');
  assert.equal(await counted(nth(others, 3, 'endpoint')), 1, 'a replay needs the scope too');
  await ask('connections.disconnect', {
    params: { restaurantGuid, partnerGuid },
    json: { reason: 'Enough.' },
  });
  await set('IN_STOCK');
  assert.deepEqual(await queued(all), ['out_of_stock', 'low_quantity', 'partner_removed']);
});

test('platform.events.list 200 HOOK-2: without an endpoint, a partner finds what happens once it looks', async () => {
  await set('IN_STOCK');
  const looking = await newPartner(['stock:read'], restaurantGuid);
  const { partnerGuid } = looking;
  const blind = await newAccount(callers, { type: 'PARTNER', partnerGuid, scopes: [] });
  await set('OUT_OF_STOCK');
  assert.deepEqual(await typesIn(blind), ['partner_added']);
  await set('IN_STOCK');
  assert.deepEqual(await typesIn(looking), ['partner_added'], 'nobody with the scope looked');
  await set('QUANTITY', 2);
  await set('OUT_OF_STOCK');
  assert.deepEqual(await typesIn(looking), ['partner_added', 'low_quantity', 'out_of_stock']);
  assert.deepEqual(await typesIn(blind), ['partner_added']);
});

test('backOffice.webhooks.test 200 HOOK-1: there is a test event of every type', async () => {
  const { clientId } = await newPartner([], null);
  const endpoint = await newEndpoint(clientId, ['partner_added']);
  const types = {
    ...{ partner_added: 'partner', partner_updated: 'partner', partner_removed: 'partner' },
    ...{ menus_updated: 'menus', in_stock: 'stock', low_quantity: 'stock', out_of_stock: 'stock' },
    ...{ order_updated: 'order_updated', channel_order_updated: 'channel_order_updated' },
    guestOrderStatusUpdated: 'guest_order_status',
    payment_updated: 'payments',
  };
  for (const eventType of Object.keys(types)) {
    const params = { endpointGuid: endpoint.guid };
    await ask('webhooks.test', { params, json: { eventType } });
  }
  const events = await eventsAt(endpoint, Object.keys(types).length);
  const got = events.map(({ eventType, eventCategory }) => [eventType, eventCategory]);
  assert.deepEqual(Object.fromEntries(got), types);
});

test('backOffice.payments.void 200 HOOK-3 HOOK-5: who authorized a payment is told, and nobody else', async () => {
  const own = await newEndpoint(platform.demo.clients.partner.clientId, ['payment_updated']);
  const other = await newPartner(['credit_cards.authorization:write'], merchant);
  const others = await newEndpoint(other.clientId, null);
  const pay = () => payFor(callers, { merchant });
  const applied = await pay();
  await callMove(callers, applied, 'apply');
  const voided = await callMove(callers, applied, 'void');
  const withdrawn = await pay();
  await partner.call('platform.payments.void', 200, {
    params: { merchantUuid: merchant, paymentUuid: withdrawn.paymentUuid },
    restaurant: merchant,
  });
  const captured = await pay();
  for (const move of ['apply', 'fulfil', 'capture'] as const) {
    await callMove(callers, captured, move);
  }
  const ofPayment = async ({ paymentUuid }: PaymentKey) => {
    const isOwn = ({ details }: Event) => details.paymentUuid === paymentUuid;
    const events = await until(
      'both events of a payment',
      async () => (await eventsAt(own, 1)).filter(isOwn),
      ({ length }) => length >= 2,
    );
    return events.map(({ details }) => details);
  };
  const details = {
    restaurantGuid: merchant,
    paymentUuid: applied.paymentUuid,
    orderGuid: null,
    checkGuid: voided.checkGuid,
    type: 'CREDIT',
    amount: applied.amount,
    tipAmount: applied.tipAmount,
    reason: 'POINT_OF_SALE',
  };
  assert.deepEqual(await ofPayment(applied), [
    { ...details, paymentStatus: 'PROCESSING_VOID' },
    { ...details, paymentStatus: 'VOIDED' },
  ]);
  const shown = ({ paymentStatus, reason, checkGuid }: Event['details']) => [
    paymentStatus,
    reason,
    checkGuid === null,
  ];
  assert.deepEqual((await ofPayment(withdrawn)).map(shown), [
    ['PROCESSING_VOID', null, true],
    ['VOIDED', null, true],
  ]);
  assert.deepEqual((await ofPayment(captured)).map(shown), [
    ['CAPTURE_IN_PROGRESS', null, false],
    ['CAPTURED', null, false],
  ]);
  assert.deepEqual(await queued(others), []);
  const ofPayments = received.filter(({ path }) => path === own.path).map(({ body }) => body);
  for (const secret of ['guest', 'billing', 'postalCode', '02110', '411111', 'card']) {
    assert.ok(!ofPayments.join().includes(secret), `no event holds "${secret}"`);
  }
  await ask('webhooks.endpoints.archive', { params: { endpointGuid: own.guid } });
});

test('orders.place orders.void 200 ORD-53 HOOK-6 HOOK-7: the scopes of an account decide what it is told', async () => {
  await set('IN_STOCK');
  const ordering = ['menus:read', 'config:read', 'orders.orders:write', 'orders:void'];
  const own = await newPartner(['orders:read', ...ordering], restaurantGuid);
  const { partnerGuid } = own;
  const accountOf = async (...scopes: string[]) =>
    (await newAccount(callers, { type: 'PARTNER', partnerGuid, scopes })).clientId;
  const [all, channel, blind] = [
    await newEndpoint(own.clientId, null),
    await newEndpoint(await accountOf('orders:read', 'orders.channel:read'), null),
    await newEndpoint(await accountOf(...ordering), null),
  ];
  const other = await newPartner(['orders:read'], restaurantGuid);
  const foreign = await newPartner(['orders:read', 'orders.channel:read'], restaurantGuid);
  const [everyOrder, otherChannel] = [
    await newEndpoint(other.clientId, null),
    await newEndpoint(foreign.clientId, null),
  ];
  const restaurant = restaurantGuid;
  const { orderOf } = await openOrdering(own.caller, restaurant);
  const externalId = `marker:${randomUUID()}`;
  // For later: the clock would send it to the kitchen meanwhile, which is one more change.
  const promisedDate = new Date(Date.now() + 7_200_000).toISOString();
  const json = orderOf({ externalId, promisedDate }, { tabName: 'marker' });
  const placed = (await own.caller.call('orders.place', 200, { restaurant, json })).json as Order;
  const orderGuid = String(placed.guid);
  const voiding = { selections: { voidAll: true }, payments: { voidAll: true } };
  await own.caller.call('orders.void', 200, { restaurant, params: { orderGuid }, json: voiding });
  const updates = ['order_updated', 'order_updated'];
  const ownUpdates = ['channel_order_updated', 'channel_order_updated'];
  assert.deepEqual(await queued(all), [...updates, 'guestOrderStatusUpdated']);
  assert.deepEqual(await queued(channel), [...ownUpdates, 'guestOrderStatusUpdated']);
  assert.deepEqual(await queued(everyOrder), updates);
  for (const endpoint of [blind, otherChannel]) assert.deepEqual(await queued(endpoint), []);
  const shown = await other.caller.call('orders.get', 200, {
    restaurant,
    params: { guid: orderGuid },
  });
  const events = await eventsAt(everyOrder, 2);
  const [first, last] = events.map(({ details }) => details.order as Order);
  assert.deepEqual([first?.guid, first?.voided, last?.voided], [orderGuid, false, true]);
  assert.equal(last?.modifiedDate, (shown.json as Order).modifiedDate);
  const [, , status] = await eventsAt(channel, 3);
  assert.deepEqual(
    [status?.eventCategory, status?.details.orderGuid, status?.details.guestOrderStatus],
    ['guest_order_status', orderGuid, 'VOIDED'],
  );
  const paths = new Set([all, channel, everyOrder].map(({ path }) => path));
  const bodies = received.filter(({ path }) => paths.has(path)).map(({ body }) => body);
  for (const text of ['marker', 'Ada', 'Lovelace', '6175550123']) {
    assert.ok(!bodies.join().includes(text), `no event holds "${text}"`);
  }
});
