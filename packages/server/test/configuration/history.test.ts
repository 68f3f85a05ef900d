import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConfigurationChange, Publication } from '@servery/contract';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { BISTRO, type DraftFixture, openDraftFixture } from './fixture.ts';

let fixture: DraftFixture;
before(async () => {
  fixture = await openDraftFixture();
});
after(() => fixture.drop());

async function bistro(): Promise<RestaurantContext> {
  const [restaurant] = await fixture.open(BISTRO);
  assert.ok(restaurant);
  return restaurant;
}

const items = { collection: 'menuItems' } as const;
const ROLL_BACK = 'publications.rollBack';

async function apply(restaurant: RestaurantContext, configuration: object, complete = false) {
  const body = { document: { complete, configuration } };
  return await fixture.done(restaurant, 'apply', { body });
}

test('backOffice.configuration.publications.list 200 404: who did what', async () => {
  const restaurant = await bistro();
  await apply(restaurant, { menuItems: [{ name: 'Risotto', calories: 590 }] });
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Gazpacho');
  await fixture.done(restaurant, 'objects.archive', { ...items, guid });
  await fixture.done(restaurant, 'publications.publish', { body: { note: 'No more' } });
  const { results } = await fixture.done(restaurant, 'publications.list');
  assert.deepEqual(
    results.map(({ number, cause, publishedBy, note }: Publication) => [
      number,
      cause,
      publishedBy,
      note,
    ]),
    [
      [3, 'PUBLISHED', 'operator', 'No more'],
      [2, 'APPLIED', 'operator', null],
      [1, 'IMPORTED', 'system:import', null],
    ],
  );
  const page = await fixture.done(restaurant, 'publications.list', { query: { pageSize: '2' } });
  const query = { pageToken: page.nextPageToken };
  const rest = await fixture.done(restaurant, 'publications.list', { query });
  assert.deepEqual(
    [...page.results, ...rest.results].map(({ number }: Publication) => number),
    [3, 2, 1],
  );
  const other = await bistro();
  assert.equal((await fixture.call(other, 'publications.list', { query })).status, 400);
  const third = await fixture.done(restaurant, 'publications.get', { number: 3 });
  assert.deepEqual(third.changes, [
    { ...items, guid, name: 'Gazpacho', kind: 'REMOVED', fields: [] },
  ]);
  const second = await fixture.done(restaurant, 'publications.get', { number: 2 });
  const [change] = second.changes as ConfigurationChange[];
  assert.ok(change?.fields.some(({ field, before }) => field === 'calories' && before === 640));
  for (const number of [4, 0, 'two', '1e3']) {
    assert.equal((await fixture.call(restaurant, 'publications.get', { number })).status, 404);
  }
});

test('backOffice.configuration.publications.rollBack 200: byte for byte', async () => {
  const restaurant = await bistro();
  const first = await fixture.served(restaurant);
  const gazpacho = { ...items, guid: await fixture.guidOf(restaurant, 'menuItems', 'Gazpacho') };
  await fixture.done(restaurant, 'objects.archive', gazpacho);
  await fixture.done(restaurant, 'objects.create', { ...items, body: { name: 'Polenta' } });
  const vat = await fixture.guidOf(restaurant, 'taxRates', 'VAT');
  const tax = { collection: 'taxRates', guid: vat };
  await fixture.done(restaurant, 'objects.update', { ...tax, body: { rate: 0.22, name: 'IVA' } });
  await fixture.done(restaurant, 'publications.publish', { body: {} });
  const second = await fixture.served(restaurant);
  assert.notDeepEqual(second, first);
  const kept = await fixture.done(restaurant, 'objects.create', {
    ...items,
    body: { name: 'Still a draft' },
  });
  fixture.clock.advance(1_000);
  const body = { note: 'The old one', expectedNumber: 2 };
  const back = await fixture.done(restaurant, ROLL_BACK, { number: 1, body });
  assert.deepEqual(
    [back.number, back.cause, back.rolledBackTo, back.note, back.counts],
    [3, 'ROLLED_BACK', 1, 'The old one', { added: 1, changed: 1, removed: 1 }],
  );
  assert.deepEqual(await fixture.served(restaurant), first);
  const { results } = await fixture.done(restaurant, 'draft.get');
  assert.deepEqual(
    results.map(({ guid }: { guid: string }) => guid),
    [kept.guid],
  );
  // Nothing is lost: from there on to what came in between.
  await fixture.done(restaurant, ROLL_BACK, { number: 2, body: {} });
  assert.deepEqual(await fixture.served(restaurant), second);
  assert.equal(await fixture.publishNumber(restaurant), 4);
});

test('backOffice.configuration.publications.rollBack 404 409: no way back', async () => {
  const restaurant = await bistro();
  await apply(restaurant, { menuItems: [{ name: 'Risotto', calories: 590 }] });
  const roll = (number: number, body: object = {}) =>
    fixture.call(restaurant, ROLL_BACK, { number, body });
  assert.equal((await roll(3)).status, 404);
  const current = await roll(2);
  assert.equal(current.status, 409);
  assert.match(current.body.message, /same as publication 2/);
  const moved = await roll(1, { expectedNumber: 1 });
  assert.equal(moved.status, 409);
  assert.match(moved.body.message, /newest publication is 2, not 1/);
  assert.equal((await roll(1, { expectedNumber: 'two' })).status, 422);
  await apply(restaurant, {
    menuItems: [{ name: 'Risotto', calories: 640, optionGroups: ['Toppings'] }],
  });
  const same = await roll(1);
  assert.equal(same.status, 409);
  assert.equal(await fixture.publishNumber(restaurant), 3);
});

test('backOffice.configuration.publications.rollBack 200: identifiers too', async () => {
  const [restaurant] = await fixture.open({
    menuItems: [
      { name: 'Soup', multiLocationId: 'soup' },
      { name: 'Bread', multiLocationId: 'bread' },
    ],
  });
  assert.ok(restaurant);
  const first = await fixture.served(restaurant);
  await apply(restaurant, {
    menuItems: [
      { name: 'Soup', multiLocationId: 'bread' },
      { name: 'Bread', multiLocationId: 'soup' },
    ],
  });
  await apply(restaurant, {
    menuItems: [
      { name: 'Soup', multiLocationId: 'broth' },
      { name: 'Salad', multiLocationId: 'bread' },
    ],
  });
  await fixture.done(restaurant, ROLL_BACK, { number: 1, body: {} });
  assert.deepEqual(await fixture.served(restaurant), first);
  const rows = await fixture.database.sql`
    select fields ->> 'name' as name, multi_location_id as id, archived
    from configuration_object where restaurant_guid = ${restaurant.guid} and not archived
    order by name`;
  assert.deepEqual(
    [...rows],
    [
      { name: 'Bread', id: 'bread', archived: false },
      { name: 'Soup', id: 'soup', archived: false },
    ],
  );
});

test('backOffice.configuration.publications.rollBack 200 409: one wins', async () => {
  const restaurant = await bistro();
  await apply(restaurant, { menuItems: [{ name: 'Risotto', calories: 590 }] });
  const roll = () =>
    fixture.call(restaurant, ROLL_BACK, { number: 1, body: { expectedNumber: 2 } });
  const answers = await Promise.all([roll(), roll(), roll()]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
  assert.equal(await fixture.publishNumber(restaurant), 3);
});
