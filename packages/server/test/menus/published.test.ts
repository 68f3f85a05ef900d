import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { CollectionName, MenusDocument, MenusEvent, MenusMetadata } from '@servery/contract';
import { makeSql } from '@servery/postgres/sql.ts';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import { refuseTouching, withTouching } from '../../src/database/sql.ts';
import { ApiError } from '../../src/http/errors.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { bytesOf } from '../../src/http/pipeline/send.ts';
import { menuHandlers } from '../../src/menus/partner/handlers.ts';
import { connect } from '../../src/partners/connections.ts';
import { officeOrganizationHandlers } from '../../src/restaurants/office/handlers.ts';
import {
  type Configuration,
  type DraftFixture,
  openDraftFixture,
} from '../configuration/fixture.ts';
import { idleCaches } from '../freshness/caches.ts';
import { at, origin } from '../partners/test-origin.ts';
import { answerOf, callOperation, principal } from '../request.ts';
import { insertPartner } from '../rows.ts';

let fixture: DraftFixture;
before(async () => {
  fixture = await openDraftFixture();
});
after(() => fixture.drop());

const PUBLISH = 'publications.publish';
const handlersOf = (brand: string) => menuHandlers({ ...idleCaches(fixture.database), brand });

/** One item of each kind that the table of changes speaks of. */
const BAR: Configuration = {
  menus: [{ name: 'Drinks', groups: ['Beers'] }],
  menuGroups: [{ name: 'Beers', items: ['IPA', 'Stout'], taxRates: ['T1'] }],
  menuItems: [
    { name: 'IPA', pricing: { strategy: 'BASE_PRICE', price: 8 }, optionGroups: ['Toppings'] },
    { name: 'Stout', pricing: { strategy: 'BASE_PRICE', price: 9 } },
    { name: 'Lime' },
    { name: 'Ginger' },
  ],
  menuOptionGroups: [{ name: 'Toppings', options: ['Lime', 'Ginger'] }],
  taxRates: [{ name: 'T1', rate: 0.0625, roundingType: 'HALF_UP' }],
  printers: [{ name: 'Bar' }],
  tables: [{ name: '1' }],
  discounts: [{ name: 'Happy', type: 'PERCENT', percentage: 20, selectionType: 'CHECK' }],
};

async function open(configuration: Configuration): Promise<RestaurantContext> {
  const [restaurant] = await fixture.open(configuration);
  assert.ok(restaurant);
  return restaurant;
}

async function read(restaurant: RestaurantContext) {
  const handlers = handlersOf('Platform');
  const [menus, metadata] = await Promise.all(
    (['menus.get', 'menus.getMetadata'] as const).map((id) =>
      callOperation(handlers, id, { restaurant }),
    ),
  );
  assert.equal(menus?.status, metadata?.status, 'both operations answer alike');
  return { status: menus?.status, menus: menus?.body as MenusDocument, metadata: metadata?.body };
}

async function lastUpdated(restaurant: RestaurantContext): Promise<string> {
  const { status, menus, metadata } = await read(restaurant);
  assert.equal(status, 200);
  const { lastUpdated: time } = metadata as MenusMetadata;
  assert.equal(menus.lastUpdated, time);
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/);
  return time;
}

async function edit(
  restaurant: RestaurantContext,
  collection: CollectionName,
  name: string,
  body: object,
): Promise<void> {
  const guid = await fixture.guidOf(restaurant, collection, name);
  await fixture.done(restaurant, 'objects.update', { collection, guid, body });
}

const publish = (restaurant: RestaurantContext) => fixture.done(restaurant, PUBLISH, { body: {} });

const price = (amount: number) => ({ pricing: { strategy: 'BASE_PRICE', price: amount } });

async function archive(restaurant: RestaurantContext, collection: CollectionName, name: string) {
  const guid = await fixture.guidOf(restaurant, collection, name);
  await fixture.done(restaurant, 'objects.archive', { collection, guid });
}

async function editInfo(restaurant: RestaurantContext, general: object): Promise<void> {
  const { database, clock } = fixture;
  const vault = createVault(randomBytes(32));
  const handlers = officeOrganizationHandlers({ database, clock, realClock: clock, vault });
  const { status, body } = await callOperation(handlers, 'backOffice.restaurants.update', {
    restaurant,
    caller: principal({ type: 'BACK_OFFICE' }),
    params: { restaurantGuid: restaurant.guid },
    body: { general },
  });
  assert.equal(status, 200, JSON.stringify(body));
}

test('menus.get 404 MENU-6: nobody has published a menu', async () => {
  const empty = await open({ menuItems: [{ name: 'Lonely' }] });
  const { status } = await read(empty);
  assert.equal(status, 404);
  await edit(empty, 'menuItems', 'Lonely', { name: 'Alone' });
  await publish(empty);
  assert.equal((await read(empty)).status, 404);
});

test('menus.get 200 MENU-1 MENU-3: a draft shows after its publication and not before', async () => {
  const restaurant = await open(BAR);
  const before = await read(restaurant);
  await edit(restaurant, 'menuItems', 'IPA', price(8.5));
  assert.deepEqual(await read(restaurant), before);
  await publish(restaurant);
  const { menus } = await read(restaurant);
  assert.equal(menus.menus[0]?.menuGroups[0]?.menuItems[0]?.price, 8.5);
  assert.deepEqual(Object.keys(menus).slice(0, 3), [
    'restaurantGuid',
    'lastUpdated',
    'restaurantTimeZone',
  ]);
});

type Change = (restaurant: RestaurantContext) => Promise<void>;

const changing: readonly (readonly [string, Change])[] = [
  ['a price', (one) => edit(one, 'menuItems', 'IPA', price(8.5))],
  ['an option archived', (one) => archive(one, 'menuItems', 'Lime')],
  [
    'two items swapped',
    async (one) => {
      const guids = ['Stout', 'IPA'].map((name) => fixture.guidOf(one, 'menuItems', name));
      await edit(one, 'menuGroups', 'Beers', { items: await Promise.all(guids) });
    },
  ],
  ['a tax rate taken off a group', (one) => edit(one, 'menuGroups', 'Beers', { taxRates: [] })],
];

for (const [what, change] of changing) {
  test(`menus.getMetadata 200 MENU-4: ${what} changes lastUpdated`, async () => {
    const restaurant = await open(BAR);
    const before = await lastUpdated(restaurant);
    await change(restaurant);
    await publish(restaurant);
    assert.ok((await lastUpdated(restaurant)) > before);
  });
}

const same: readonly (readonly [string, Change])[] = [
  ['the rate of a tax', (one) => edit(one, 'taxRates', 'T1', { rate: 0.065 })],
  ['a printer', (one) => edit(one, 'printers', 'Bar', { name: 'Counter' })],
  ['a discount', (one) => edit(one, 'discounts', 'Happy', { percentage: 25 })],
  ['a table', (one) => edit(one, 'tables', '1', { name: '2' })],
];

for (const [what, change] of same) {
  test(`menus.getMetadata 200 MENU-4: ${what} leaves lastUpdated alone`, async () => {
    const restaurant = await open(BAR);
    const before = await read(restaurant);
    fixture.clock.advance(60_000);
    await change(restaurant);
    await publish(restaurant);
    assert.deepEqual(await read(restaurant), before);
  });
}

test('menus.getMetadata 200 MENU-5: every change has a later time, also with a slow clock', async () => {
  const restaurant = await open(BAR);
  const times = [await lastUpdated(restaurant)];
  for (const [index, minutes] of [5, -60, 0, 120].entries()) {
    fixture.clock.advance(minutes * 60_000);
    await edit(restaurant, 'menuItems', 'IPA', price(10 + index));
    await publish(restaurant);
    times.push(await lastUpdated(restaurant));
  }
  assert.deepEqual(times, [...new Set(times)].sort());
});

test('menus.get 200 MENU-5: a roll back and a document are publications', async () => {
  const restaurant = await open(BAR);
  const first = await read(restaurant);
  await edit(restaurant, 'menuItems', 'IPA', price(8.5));
  await publish(restaurant);
  const second = await lastUpdated(restaurant);
  await fixture.done(restaurant, 'publications.rollBack', { number: 1, body: {} });
  const third = await read(restaurant);
  assert.ok(third.menus.lastUpdated > second);
  assert.deepEqual(third.menus, { ...first.menus, lastUpdated: third.menus.lastUpdated });
  const configuration = { menuItems: [{ name: 'Stout', ...price(9.5) }] };
  await fixture.done(restaurant, 'apply', { body: { document: { configuration } } });
  const fourth = await read(restaurant);
  assert.ok(fourth.menus.lastUpdated > third.menus.lastUpdated);
  assert.equal(fourth.menus.menus[0]?.menuGroups[0]?.menuItems[1]?.price, 9.5);
});

test('menus.get 404 200 MENU-6: the last menu goes and comes back, later than ever', async () => {
  const restaurant = await open(BAR);
  const before = await lastUpdated(restaurant);
  await archive(restaurant, 'menus', 'Drinks');
  await publish(restaurant);
  assert.equal((await read(restaurant)).status, 404);
  fixture.clock.advance(-3_600_000);
  const guid = await fixture.guidOf(restaurant, 'menus', 'Drinks');
  await fixture.done(restaurant, 'objects.unarchive', { collection: 'menus', guid });
  await publish(restaurant);
  fixture.clock.advance(3_600_000);
  assert.ok((await lastUpdated(restaurant)) > before);
});

test('menus.get 200 MENU-4: another time zone is a change without a publication', async () => {
  const restaurant = await open(BAR);
  const before = await read(restaurant);
  await editInfo(restaurant, { name: 'Another name' });
  assert.deepEqual(await read(restaurant), before);
  await editInfo(restaurant, { timeZone: 'Asia/Tokyo' });
  const { menus } = await read(restaurant);
  assert.ok(menus.lastUpdated > before.menus.lastUpdated);
  const { lastUpdated: time } = menus;
  assert.deepEqual(menus, {
    ...before.menus,
    restaurantTimeZone: 'Asia/Tokyo',
    lastUpdated: time,
  });
  await edit(restaurant, 'printers', 'Bar', { name: 'Counter' });
  await edit(restaurant, 'menuItems', 'Lime', { plu: '1' });
  await edit(restaurant, 'menuItems', 'Lime', { plu: null });
  await publish(restaurant);
  assert.equal(await lastUpdated(restaurant), time, 'as the publication resolves it anew');
});

test('menus.get 200 MENU-2 MENU-18 B0: the brand is in the visibility, and in no text', async () => {
  const name = 'The "visibility":["PLATFORM_ONLINE_ORDERING"] bar';
  const restaurant = await open({ menus: [{ name }] });
  for (const brand of ['Platform', 'Acme']) {
    const answer = await answerOf(handlersOf(brand), 'menus.get', { restaurant });
    const [menu] = (JSON.parse(bytesOf(answer).toString()) as MenusDocument).menus;
    assert.equal(menu?.name, name);
    const online = `${brand.toUpperCase()}_ONLINE_ORDERING`;
    assert.deepEqual(menu?.visibility, ['POS', 'KIOSK', online, 'ORDERING_PARTNERS']);
  }
});

/** A partner with an endpoint for all types of events, connected to the restaurant. */
async function connectPartner(restaurantGuid: string, scopes: readonly string[]) {
  const { database, clock } = fixture;
  const { sql } = database;
  const partnerGuid = await insertPartner(sql);
  const now = new Date(clock.nowMs());
  await sql`
    insert into api_client (client_id, name, type, partner_guid, scopes, holds_legacy_card_key,
      created_at)
    values (${partnerGuid}, 'Partner', 'PARTNER', ${partnerGuid}, ${[...scopes]}, false, ${now})`;
  await sql`
    insert into webhook_endpoint (partner_guid, guid, client_id, url, connect_timeout_ms,
      answer_timeout_ms, retry_delays_s, is_ordered, state, state_since, state_by, failures, probes,
      created_at, created_by, modified_at)
    values (${partnerGuid}, ${newGuid()}, ${partnerGuid}, 'https://hooks.example.com/', 1000, 1000,
      '{}', false, 'ACTIVE', ${now}, 'test', 0, 0, ${now}, 'test', ${now})`;
  const employee = { firstName: null, lastName: null, email: null, phone: null };
  const references = { externalGroupRef: null, externalRestaurantRef: null };
  const connection = { restaurantGuid, partnerGuid, employee, origin, ...references };
  await connect(at(database, clock.nowMs()), connection);
  return async () => {
    const rows = await sql<{ body: string }[]>`
      select body from partner_event
      where partner_guid = ${partnerGuid} and type = 'menus_updated' order by position`;
    return rows.map(({ body }) => JSON.parse(body) as MenusEvent);
  };
}

test('menus.get 200 404 MENU-7 MENU-6: partners are told when the menus change or go', async () => {
  const restaurant = await open(BAR);
  const { guid: restaurantGuid } = restaurant;
  const eventsOf = await connectPartner(restaurantGuid, ['menus:read']);
  const eventsWithoutScope = await connectPartner(restaurantGuid, ['stock:read']);
  await edit(restaurant, 'printers', 'Bar', { name: 'Counter' });
  await publish(restaurant);
  assert.deepEqual(await eventsOf(), []);
  await edit(restaurant, 'menuItems', 'IPA', price(8.5));
  await publish(restaurant);
  const publishedDate = (await lastUpdated(restaurant)).replace('+0000', 'Z');
  const [event, ...others] = await eventsOf();
  assert.deepEqual([event?.eventCategory, event?.eventType], ['menus', 'menus_updated']);
  assert.deepEqual(event?.details, { restaurantGuid, publishedDate });
  assert.deepEqual(others, []);
  await archive(restaurant, 'menus', 'Drinks');
  await publish(restaurant);
  assert.equal((await eventsOf()).length, 2);
  await archive(restaurant, 'menuItems', 'Stout');
  await publish(restaurant);
  assert.equal((await eventsOf()).length, 2);
  assert.deepEqual(await eventsWithoutScope(), []);
});

test('backOffice.configuration.publications.publish backOffice.configuration.plan 422 MENU-28: names the largest groups', async () => {
  const description = 'Words. '.repeat(280);
  const sizes = { Few: 20, Most: 60, Many: 50, Some: 40 };
  const names = Object.entries(sizes).map(([name, size]) => numbered(name, size));
  const dishes = numbered('Dish', 120);
  const optionGroups = Object.keys(sizes);
  const restaurant = await open({
    menus: [{ name: 'Menu' }],
    menuGroups: [{ name: 'Dishes', items: dishes }],
    menuItems: [
      ...names.flat().map((name) => ({ name, description })),
      // Each with taxes of its own, so that none shares its modifiers.
      ...dishes.map((name) => ({ name, optionGroups, taxRates: [`Tax of ${name}`] })),
    ],
    menuOptionGroups: optionGroups.map((name, index) => ({ name, options: names[index] ?? [] })),
    taxRates: dishes.map((name) => ({
      ...{ name: `Tax of ${name}`, rate: 0.05, roundingType: 'HALF_UP' },
    })),
  });
  const before = await read(restaurant);
  const dishesGuid = await fixture.guidOf(restaurant, 'menuGroups', 'Dishes');
  await edit(restaurant, 'menus', 'Menu', { groups: [dishesGuid] });
  const { status, body } = await fixture.call(restaurant, PUBLISH, { body: {} });
  assert.equal(status, 422);
  assert.match(body.message, /exceed 32 MiB.*"Most": .*"Many": .*"Some": [^"]*$/);
  assert.deepEqual(await read(restaurant), before);
  const preview = await fixture.done(restaurant, 'draft.preview');
  assert.equal(preview.isPublishable, false);
  const named = preview.faults.map(({ name }: { name: string | null }) => name);
  assert.deepEqual(named, [null, 'Most', 'Many', 'Some']);
  const menuGroups = [{ name: 'Dishes', items: dishes }];
  const document = { configuration: { menus: [{ name: 'Menu', groups: ['Dishes'] }], menuGroups } };
  for (const operation of ['plan', 'apply'] as const) {
    const refused = await fixture.call(restaurant, operation, { body: { document } });
    assert.deepEqual([refused.status, refused.body.message], [422, body.message], operation);
  }
});

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name} ${index}`);
}

test('menus.get MENU-24: shared objects keep the multiLocationId that they have', async () => {
  const restaurant = await open({
    menus: [{ name: 'Drinks', multiLocationId: '700000000000000001', groups: ['Beers'] }],
    menuGroups: [{ name: 'Beers', multiLocationId: '700000000000000002', items: ['IPA'] }],
    menuItems: [
      { name: 'IPA', multiLocationId: '700000000000000003', optionGroups: ['Toppings'] },
      { name: 'Lime', multiLocationId: '700000000000000004' },
    ],
    menuOptionGroups: [
      { name: 'Toppings', multiLocationId: '700000000000000005', options: ['Lime'] },
    ],
    preModifierGroups: [
      { name: 'Standard', multiLocationId: '700000000000000006', isDefault: true },
    ],
    preModifiers: [
      {
        ...{ name: 'NO', multiLocationId: '700000000000000007', parent: 'Standard' },
        ...{ scalePrice: true, scaleFactor: 0, displayMode: 'PREFIX' },
      },
    ],
  });
  const idsOf = ({ menus }: Awaited<ReturnType<typeof read>>) =>
    [...JSON.stringify(menus).matchAll(/"multiLocationId":"(\d+)"/g)].map(([, id]) => id);
  const expected = [1, 2, 3, 4, 5, 6, 7].map((number) => `70000000000000000${number}`);
  assert.deepEqual([...new Set(idsOf(await read(restaurant)))].sort(), expected);
  await edit(restaurant, 'menus', 'Drinks', { name: 'All drinks' });
  await edit(restaurant, 'menuOptionGroups', 'Toppings', { name: 'Extras' });
  await publish(restaurant);
  const after = await read(restaurant);
  assert.equal(after.menus.menus[0]?.name, 'All drinks');
  assert.deepEqual([...new Set(idsOf(after))].sort(), expected);
  const exported = JSON.stringify(await fixture.done(restaurant, 'export'));
  for (const id of expected) assert.ok(exported.includes(`"multiLocationId":"${id}"`), id);
});

test('menus.get 503: what cannot be read now is worth another try in 5 seconds', async () => {
  const restaurant = await open(BAR);
  const plain = makeSql(() => Promise.reject(new ApiError('unavailable', 'Try again.')));
  const away = withTouching(plain, refuseTouching);
  const database = { ...fixture.database, sql: away };
  const handlers = menuHandlers({ ...idleCaches(database), brand: 'Platform' });
  for (const id of ['menus.get', 'menus.getMetadata'] as const) {
    const { status, headers } = await callOperation(handlers, id, { restaurant });
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
  }
});
