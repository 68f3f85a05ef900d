import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { type Configuration, type DraftFixture, openDraftFixture } from './fixture.ts';

let fixture: DraftFixture;
before(async () => {
  fixture = await openDraftFixture();
});
after(() => fixture.drop());

const PUB: Configuration = {
  menus: [{ name: 'Evening', groups: ['Beer'] }],
  menuGroups: [{ name: 'Beer', items: ['Ale', 'Stout'] }],
  menuItems: [
    { name: 'Ale', pricing: { strategy: 'BASE_PRICE', price: 8 }, itemTags: ['Local'] },
    { name: 'Stout', optionGroups: ['Extras'] },
    { name: 'Lime', pricing: { strategy: 'BASE_PRICE', price: 0.5 } },
  ],
  menuOptionGroups: [
    { name: 'Extras', options: ['Lime'], optionSettings: [{ item: 'Lime', isDefault: true }] },
  ],
  priceGroups: [{ name: 'Happy hour', pricing: { strategy: 'BASE_PRICE', price: 5 } }],
  itemTags: [{ name: 'Local' }],
  taxRates: [{ name: 'VAT', rate: 0.1, roundingType: 'HALF_UP', isDefault: true }],
};

async function openPub(): Promise<RestaurantContext> {
  const [restaurant] = await fixture.open(PUB);
  assert.ok(restaurant);
  return restaurant;
}

const items = { collection: 'menuItems' } as const;

async function placeOf(restaurant: RestaurantContext, name: string) {
  return { ...items, guid: await fixture.guidOf(restaurant, 'menuItems', name) };
}

const publish = async (restaurant: RestaurantContext) =>
  await fixture.done(restaurant, 'publications.publish', { body: {} });

test('backOffice.configuration.publications.publish 200 MENU-10: a price dates its item, and partners see the same', async () => {
  const restaurant = await openPub();
  const served = await fixture.served(restaurant);
  const { nextCursor } = (await fixture.changes(restaurant)).body;
  const since = new Date(fixture.clock.nowMs() + 1).toISOString();
  fixture.clock.advance(60_000);
  const ale = await placeOf(restaurant, 'Ale');
  await fixture.done(restaurant, 'objects.update', { ...ale, body: { pricing: { price: 8.5 } } });
  const { number } = await publish(restaurant);
  assert.deepEqual(await fixture.served(restaurant), served);
  const modified = await fixture.servedObjects(restaurant, since);
  const dated = [...modified.keys()].filter((key) => !key.startsWith('tipWithholding/'));
  assert.deepEqual(dated, [`menuItems/${ale.guid}`]);
  const { results } = (await fixture.changes(restaurant, { after: nextCursor })).body;
  assert.deepEqual(
    results.map(({ collection, guid, kind }: Record<string, string>) => [collection, guid, kind]),
    [['menuItems', ale.guid, 'CHANGED']],
  );
  const { changes } = await fixture.done(restaurant, 'publications.get', { number });
  assert.deepEqual(
    changes[0].fields.map(({ field }: { field: string }) => field),
    ['pricing'],
  );
});

test('backOffice.configuration.publications.publish 200: partners are told nothing of item tags', async () => {
  const restaurant = await openPub();
  const { results, nextCursor } = (await fixture.changes(restaurant)).body;
  assert.ok(!JSON.stringify(results).includes('itemTags'));
  const body = { name: 'Vegan' };
  await fixture.done(restaurant, 'objects.create', { collection: 'itemTags', body });
  await publish(restaurant);
  const later = await fixture.changes(restaurant, { after: nextCursor });
  assert.deepEqual(later.body.results, []);
});

test('backOffice.configuration.objects.update 200 422: references inside fields are GUIDs or names', async () => {
  const restaurant = await openPub();
  const stout = await placeOf(restaurant, 'Stout');
  const level = await fixture.guidOf(restaurant, 'priceGroups', 'Happy hour');
  const pricing = { strategy: 'PRICE_LEVEL', priceGroup: 'Happy hour' };
  const updated = await fixture.done(restaurant, 'objects.update', { ...stout, body: { pricing } });
  assert.equal(updated.object.pricing.priceGroup, level);
  const wrong = { strategy: 'PRICE_LEVEL', priceGroup: 'Gold' };
  const answer = await fixture.call(restaurant, 'objects.update', {
    ...stout,
    body: { pricing: wrong },
  });
  assert.equal(answer.status, 422);
  assert.match(JSON.stringify(answer.body), /pricing\.priceGroup/);
});

test('backOffice.configuration.export 200: references inside fields are written by name, and follow a new name', async () => {
  const restaurant = await openPub();
  const stout = await placeOf(restaurant, 'Stout');
  const pricing = { strategy: 'PRICE_LEVEL', priceGroup: 'Happy hour' };
  await fixture.done(restaurant, 'objects.update', { ...stout, body: { pricing } });
  const guid = await fixture.guidOf(restaurant, 'priceGroups', 'Happy hour');
  const place = { collection: 'priceGroups', guid };
  await fixture.done(restaurant, 'objects.update', { ...place, body: { name: 'Early' } });
  await publish(restaurant);
  const document = await fixture.done(restaurant, 'export', { query: { references: 'name' } });
  const { menuItems, menuOptionGroups } = document.configuration;
  const of = (list: Record<string, unknown>[], name: string) =>
    list.find((object) => object.name === name);
  assert.deepEqual(of(menuItems, 'Stout')?.pricing, {
    strategy: 'PRICE_LEVEL',
    price: null,
    menuPrices: [],
    timePrices: [],
    sizeGroup: null,
    priceGroup: 'Early',
  });
  assert.deepEqual(of(menuItems, 'Ale')?.itemTags, ['Local']);
  assert.deepEqual(of(menuOptionGroups, 'Extras')?.optionSettings, [
    { item: 'Lime', price: null, isDefault: true, allowsDuplicates: false },
  ]);
  const plan = await fixture.done(restaurant, 'plan', { body: { document } });
  assert.deepEqual(plan.actions, []);
});

test('backOffice.configuration.publications.publish 422: what could not be priced waits with its place', async () => {
  const restaurant = await openPub();
  const [ale, stout] = [await placeOf(restaurant, 'Ale'), await placeOf(restaurant, 'Stout')];
  const update = (place: object, body: object) =>
    fixture.done(restaurant, 'objects.update', { ...place, body });
  await update(ale, { pricing: { price: 8.505 } });
  await update(stout, { pricing: { strategy: 'GROUP_PRICE' } });
  const { faults, isPublishable } = await fixture.done(restaurant, 'draft.preview');
  assert.equal(isPublishable, false);
  const told = faults.map(({ name, field, message }: Record<string, string>) =>
    [name, field, message].join(': '),
  );
  assert.deepEqual(told.toSorted(), [
    'Ale: pricing.price: must have at most 2 decimals, as EUR has',
    'Stout: pricing.strategy: is GROUP_PRICE, but the menu group "Beer" has no pricing',
  ]);
  const refused = await fixture.call(restaurant, 'publications.publish', { body: {} });
  assert.equal(refused.status, 422);
  await update(ale, { pricing: { price: 8.5 } });
  await update(stout, { pricing: null });
  await publish(restaurant);
});

test('backOffice.configuration.objects.update 200 422: channels and the fields that they replace', async () => {
  const restaurant = await openPub();
  const ale = await placeOf(restaurant, 'Ale');
  const shown = async (body: object) => {
    const { object } = await fixture.done(restaurant, 'objects.update', { ...ale, body });
    const { channels, visibility, orderableOnline } = object;
    return [channels, visibility, orderableOnline];
  };
  assert.deepEqual(await shown({ channels: ['POS'] }), [['POS'], 'POS_ONLY', 'NO']);
  assert.deepEqual(await shown({ channels: [] }), [[], 'NONE', 'NO']);
  assert.deepEqual(await shown({ channels: ['KIOSK'] }), [['KIOSK'], 'ALL', 'NO']);
  const partners = ['POS', 'ORDERING_PARTNERS'];
  assert.deepEqual(await shown({ channels: partners }), [partners, 'ALL', 'YES']);
  // Whoever only knows the deprecated fields decides by them.
  assert.deepEqual(await shown({ visibility: 'NONE' }), [null, 'NONE', 'YES']);
  assert.deepEqual(await shown({ channels: ['POS'], visibility: 'POS_ONLY' }), [
    ['POS'],
    'POS_ONLY',
    'NO',
  ]);
  const body = { channels: ['POS'], orderableOnline: 'YES' };
  const refused = await fixture.call(restaurant, 'objects.update', { ...ale, body });
  assert.equal(refused.status, 422);
  assert.match(JSON.stringify(refused.body), /orderableOnline.* must be .*NO.* for these channels/);
});

test('backOffice.configuration.apply 200: what locations share keeps its multiLocationId', async () => {
  const restaurant = await openPub();
  const shared = { menus: [{ name: 'Evening', multiLocationId: '77', groups: ['Beer'] }] };
  const apply = (configuration: object) =>
    fixture.done(restaurant, 'apply', { body: { document: { configuration } } });
  await apply(shared);
  await apply({ menus: [{ name: 'Evening', groups: ['Beer'], posName: 'Eve' }] });
  const { configuration } = await fixture.done(restaurant, 'export');
  assert.equal(configuration.menus[0].multiLocationId, '77');
  const kinds = ['menuGroups', 'menuItems', 'menuOptionGroups'];
  const ids = kinds.flatMap((kind) =>
    configuration[kind].map(({ multiLocationId }: Record<string, string>) => multiLocationId),
  );
  assert.ok(ids.every((id) => /^10\d{16}$/.test(id)));
  // Not a clash: another kind of object.
  await apply({ menuItems: [{ name: 'Tea', multiLocationId: '77' }] });
});
