import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConfigurationChange, ConfigurationFault, Publication } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { updateDrafts } from '../../src/configuration/draft-store.ts';
import { baseDigestOf } from '../../src/configuration/effective.ts';
import { listObjects } from '../../src/configuration/write-store.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { countWaiting } from '../database.ts';
import { until } from '../payments/processors/orders.ts';
import { principal, type TestAnswer } from '../request.ts';
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
const PUBLISH = 'publications.publish';

/** Drafts a change of the item of that name; gives its place. */
async function editItem(restaurant: RestaurantContext, name: string, body: object) {
  const place = { ...items, guid: await fixture.guidOf(restaurant, 'menuItems', name) };
  await fixture.done(restaurant, 'objects.update', { ...place, body });
  return place;
}

const kindsOf = (changes: readonly ConfigurationChange[]) =>
  changes.map(({ collection, name, kind }) => `${collection} ${name} ${kind}`);

test('backOffice.configuration.draft.preview 200: what partners will see differently', async () => {
  const restaurant = await bistro();
  await editItem(restaurant, 'Risotto', { calories: 590 });
  await fixture.done(restaurant, 'objects.create', { ...items, body: { name: 'Polenta' } });
  const vat = await fixture.guidOf(restaurant, 'taxRates', 'VAT');
  const tax = { collection: 'taxRates', guid: vat };
  await fixture.done(restaurant, 'objects.update', { ...tax, body: { rate: 0.22 } });
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Truffle');
  await fixture.done(restaurant, 'objects.archive', { ...items, guid });
  const preview = await fixture.done(restaurant, 'draft.preview');
  assert.deepEqual(kindsOf(preview.changes).toSorted(), [
    // The modifier group loses an option, and the charge shows the tax whole.
    'menuItems Polenta ADDED',
    'menuItems Risotto CHANGED',
    'menuItems Truffle REMOVED',
    'menuOptionGroups Toppings CHANGED',
    'serviceCharges Cover CHANGED',
    'taxRates VAT CHANGED',
  ]);
  const fieldsOf = (name: string) =>
    preview.changes.find((change: ConfigurationChange) => change.name === name).fields;
  assert.deepEqual(fieldsOf('Risotto'), [{ field: 'calories', before: 640, after: 590 }]);
  assert.deepEqual(fieldsOf('VAT'), [{ field: 'rate', before: 0.1, after: 0.22 }]);
  const entityType = 'MenuItem';
  assert.deepEqual(fieldsOf('Toppings'), [
    { field: 'options', before: [{ guid, entityType, externalId: null }], after: [] },
  ]);
  assert.deepEqual(preview.counts, { added: 1, changed: 4, removed: 1 });
  assert.equal(preview.collections.length, 4);
  assert.deepEqual([preview.isPublishable, preview.faultCount], [true, 0]);
  const only = { query: { objects: `taxRates/${vat}` } };
  const some = await fixture.done(restaurant, 'draft.preview', only);
  assert.deepEqual(some.counts, { added: 0, changed: 2, removed: 0 });
  assert.notEqual(some.state, preview.state);
});

test('backOffice.configuration.draft.preview 200 MENU-9: what becomes of the menus', async () => {
  const restaurant = await bistro();
  const preview = async () => (await fixture.done(restaurant, 'draft.preview')).menus;
  assert.equal((await preview()).isChanged, false);
  const { guid } = await editItem(restaurant, 'Risotto', {
    pricing: { strategy: 'BASE_PRICE', price: 18 },
  });
  const change = {
    ...{ menu: 'Dinner', group: 'Mains', item: 'Risotto', itemGuid: guid, size: null },
    ...{ oldPrice: null, newPrice: 18 },
  };
  const first = await preview();
  assert.deepEqual([first.isChanged, first.priceChanges], [true, [change]]);
  await fixture.done(restaurant, PUBLISH, { body: {} });
  await editItem(restaurant, 'Risotto', { pricing: { price: 19.5 } });
  const { priceChanges, priceChangeCount } = await preview();
  assert.deepEqual(priceChanges, [{ ...change, oldPrice: 18, newPrice: 19.5 }]);
  assert.equal(priceChangeCount, 1);
  await editItem(restaurant, 'Risotto', { pricing: null });
  const { warnings } = await preview();
  const warned = warnings.find((each: ConfigurationFault) => each.guid === guid);
  assert.match(warned.message, /^has no price in the group "Mains" of the menu "Dinner"/);
});

test('backOffice.configuration.publications.publish 200 CFG-8: as previewed', async () => {
  const restaurant = await bistro();
  await editItem(restaurant, 'Risotto', { calories: 590 });
  const body = { name: 'Polenta', optionGroups: ['Toppings'] };
  const created = await fixture.done(restaurant, 'objects.create', { ...items, body });
  const { state } = await fixture.done(restaurant, 'draft.preview');
  fixture.clock.advance(60_000);
  const note = 'Lighter, card 4111 1111 1111 1111.';
  const publication = await fixture.done(restaurant, PUBLISH, {
    body: { note, expectedState: state },
  });
  assert.deepEqual(
    [publication.number, publication.cause, publication.publishedBy, publication.counts],
    [2, 'PUBLISHED', 'operator', { added: 1, changed: 1, removed: 0 }],
  );
  assert.doesNotMatch(publication.note, /4111/);
  assert.equal(await fixture.publishNumber(restaurant), 2);
  const served = JSON.parse(
    (await fixture.served(restaurant))['configuration.menuItems.list'] ?? '',
  ) as { name: string; calories: number; guid: string }[];
  assert.equal(served.find(({ name }) => name === 'Risotto')?.calories, 590);
  assert.ok(served.some(({ guid }) => guid === created.guid));
  assert.deepEqual((await fixture.done(restaurant, 'draft.get')).results, []);
});

test('backOffice.configuration.publications.publish 200 API-8: what changed', async () => {
  const restaurant = await bistro();
  const place = await editItem(restaurant, 'Risotto', { calories: 590 });
  fixture.clock.advance(60_000);
  await fixture.done(restaurant, PUBLISH, { body: {} });
  const changed = await fixture.database.sql<{ guid: string }[]>`
    select guid from configuration_object
    where restaurant_guid = ${restaurant.guid} and modified_at = ${new Date(fixture.clock.nowMs())}`;
  assert.deepEqual(
    changed.map(({ guid }) => guid),
    [place.guid],
  );
});

test('backOffice.configuration.publications.publish 200 409: some drafts', async () => {
  const restaurant = await bistro();
  const one = await editItem(restaurant, 'Risotto', { calories: 590 });
  const other = await editItem(restaurant, 'Gazpacho', { calories: 190 });
  await fixture.done(restaurant, PUBLISH, { body: { objects: [one] } });
  const { results } = await fixture.done(restaurant, 'draft.get');
  assert.deepEqual(
    results.map(({ guid }: { guid: string }) => guid),
    [other.guid],
  );
  const again = await fixture.call(restaurant, PUBLISH, { body: { objects: [one] } });
  assert.equal(again.status, 409);
  assert.match(again.body.message, /have no draft/);
  assert.match(again.body.errors[0].message, new RegExp(`menuItems/${one.guid}: has no draft`));
  const unknown = { query: { objects: `menuItems/${one.guid}` } };
  assert.equal((await fixture.call(restaurant, 'draft.preview', unknown)).status, 422);
  const wrong = { query: { objects: 'menuItems' } };
  assert.equal((await fixture.call(restaurant, 'draft.preview', wrong)).status, 400);
});

test('backOffice.configuration.publications.publish 422: all faults told', async () => {
  const restaurant = await bistro();
  const served = await fixture.served(restaurant);
  const happy = await fixture.guidOf(restaurant, 'discounts', 'Happy hour');
  const discount = { collection: 'discounts', guid: happy };
  await fixture.done(restaurant, 'objects.update', { ...discount, body: { amount: 3 } });
  const created = await fixture.done(restaurant, 'objects.create', {
    ...items,
    body: { name: 'Ham' },
  });
  const sides = await fixture.done(restaurant, 'objects.create', {
    collection: 'menuGroups',
    body: { name: 'Sides', items: ['Ham'] },
  });
  await fixture.done(restaurant, 'objects.discard', { ...items, guid: created.guid });
  const preview = await fixture.done(restaurant, 'draft.preview');
  assert.deepEqual([preview.isPublishable, preview.faultCount], [false, 2]);
  assert.deepEqual(
    preview.faults.map(({ guid, field }: ConfigurationFault) => [guid, field]),
    [
      [happy, 'amount'],
      [sides.guid, 'items[0]'],
    ],
  );
  const refused = await fixture.call(restaurant, PUBLISH, { body: {} });
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /discounts\/.* "Happy hour" amount: must be null or absent/);
  assert.match(refused.body.message, /"Sides" items\[0\]: there is none among the menuItems/);
  assert.equal(refused.body.errors.length, 2);
  assert.deepEqual(await fixture.served(restaurant), served);
  assert.equal(await fixture.publishNumber(restaurant), 1);
});

test('backOffice.configuration.publications.publish 422: no circles', async () => {
  const restaurant = await bistro();
  const soups = await fixture.guidOf(restaurant, 'menuGroups', 'Soups');
  const groups = { collection: 'menuGroups' } as const;
  const body = { parent: 'Cold soups' };
  await fixture.done(restaurant, 'objects.update', { ...groups, guid: soups, body });
  const refused = await fixture.call(restaurant, PUBLISH, { body: {} });
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /inside itself; break the cycle/);
});

test('backOffice.configuration.publications.publish 409: another state', async () => {
  const restaurant = await bistro();
  const publish = (body: object) => fixture.call(restaurant, PUBLISH, { body });
  const nothing = await publish({});
  assert.equal(nothing.status, 409);
  assert.match(nothing.body.message, /nothing to publish: no object has a draft/);
  const place = await editItem(restaurant, 'Risotto', { calories: 590 });
  const { state } = await fixture.done(restaurant, 'draft.preview');
  await fixture.done(restaurant, 'objects.update', { ...place, body: { calories: 591 } });
  const moved = await publish({ expectedState: state });
  assert.equal(moved.status, 409);
  assert.match(moved.body.message, /changed since the preview.*look at a new preview/);
  const now = await fixture.done(restaurant, 'draft.preview');
  assert.equal((await publish({ expectedState: now.state })).status, 200);
});

test('backOffice.configuration.publications.publish 409: outdated drafts', async () => {
  const restaurant = await bistro();
  const place = await editItem(restaurant, 'Risotto', { calories: 590 });
  const document = { configuration: { menuItems: [{ name: 'Risotto', calories: 500 }] } };
  await fixture.done(restaurant, 'apply', { body: { document } });
  const { draft } = await fixture.done(restaurant, 'objects.get', place);
  assert.equal(draft.isOutdated, true);
  const preview = await fixture.done(restaurant, 'draft.preview');
  assert.deepEqual(preview.outdated, [place]);
  const blind = await fixture.call(restaurant, PUBLISH, { body: {} });
  assert.equal(blind.status, 409);
  assert.match(blind.body.message, /would undo that: look at a preview/);
  const body = { expectedState: preview.state };
  assert.equal((await fixture.call(restaurant, PUBLISH, { body })).status, 200);
});

test('backOffice.configuration.publications.publish 200 409: one wins', async () => {
  const restaurant = await bistro();
  await editItem(restaurant, 'Risotto', { calories: 590 });
  const { state } = await fixture.done(restaurant, 'draft.preview');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      fixture.call(restaurant, PUBLISH, { body: index % 2 === 0 ? {} : { expectedState: state } }),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  for (const { status, body } of answers) {
    if (status === 200) continue;
    assert.equal(status, 409);
    assert.match(body.message, /nothing to publish|changed since the preview/);
  }
  assert.equal(await fixture.publishNumber(restaurant), 2);
});

test('backOffice.configuration.publications.publish 200: edits meanwhile', async () => {
  const restaurant = await bistro();
  const place = await editItem(restaurant, 'Risotto', { calories: 1 });
  const edits = [2, 3, 4, 5].map((calories) =>
    fixture.done(restaurant, 'objects.update', { ...place, body: { calories } }),
  );
  const publishing = fixture.done(restaurant, PUBLISH, { body: {} });
  await Promise.all([...edits, publishing]);
  const { object, published, draft } = await fixture.done(restaurant, 'objects.get', place);
  // The last edit is either published, or drafted on top of what is.
  assert.equal(draft === null, object.calories === published.calories);
  if (draft) assert.equal(draft.isOutdated, false);
});

test('configuration 409 CFG-8 CFG-9: partners who page see no mixture', async () => {
  const many = Array.from({ length: 310 }, (_, index) => ({ name: `Item ${index}`, plu: '1' }));
  const [restaurant] = await fixture.open({ menuItems: many });
  assert.ok(restaurant);
  const first = await fixture.page(restaurant, 'menuItems', '');
  const guids = first.body.map(({ guid }: { guid: string }) => guid);
  const whole: string[] = [];
  let isOver = false;
  const walk = async () => {
    while (!isOver) {
      const versions = await walkOnce(restaurant);
      if (versions) whole.push([...new Set(versions)].join(','));
    }
  };
  const publishAll = async () => {
    for (const version of ['2', '3']) {
      for (const guid of [guids[0], guids.at(-1)]) {
        await fixture.done(restaurant, 'objects.update', {
          ...items,
          guid,
          body: { plu: version },
        });
      }
      const document = {
        configuration: { menuItems: many.map(({ name }) => ({ name, plu: version })) },
      };
      await fixture.done(restaurant, 'apply', { body: { document } });
    }
  };
  const publishing = publishAll().finally(() => {
    isOver = true;
  });
  await Promise.all([walk(), walk(), publishing]);
  for (const versions of whole) assert.match(versions, /^\d$/, 'pages of two publications');
  assert.deepEqual([...new Set(await walkOnce(restaurant))], ['3'], 'the last publication, whole');
  const token = fixture.tokenOf(first);
  const stale = await fixture.page(restaurant, 'menuItems', token);
  assert.equal(stale.status, 409);
  assert.match(stale.body.message, /start again at the first page/);
});

/** The versions of all items of one walk through the pages; null when it met a 409. */
async function walkOnce(restaurant: RestaurantContext): Promise<string[] | null> {
  const first = await fixture.page(restaurant, 'menuItems', '');
  const second: TestAnswer = await fixture.page(restaurant, 'menuItems', fixture.tokenOf(first));
  if (second.status === 409) return null;
  assert.equal(second.status, 200);
  return [...first.body, ...second.body].map(({ plu }: { plu: string }) => plu);
}

test('backOffice.configuration.publish 200: one that waited is not dated too early', async () => {
  const restaurant = await bistro();
  await editItem(restaurant, 'Risotto', { calories: 591 });
  const isWaiting = async () => (await countWaiting(fixture.database.sql)) > 0;
  // A transaction that holds the restaurant may publish before the one that asked first.
  const asked = await fixture.database.transaction(async (held) => {
    await held`select from restaurant where guid = ${restaurant.guid} for no key update`;
    const waiting = fixture.done(restaurant, PUBLISH, { body: {} });
    await until('the publication waits', isWaiting);
    fixture.clock.advance(3_000);
    return { waiting };
  });
  const { publishedAt } = await asked.waiting;
  assert.equal(publishedAt, new Date(fixture.clock.nowMs()).toISOString());
});

test('backOffice.configuration.publishGroup 200: several restaurants, at once', async () => {
  const [one, other] = await fixture.open(BISTRO, BISTRO);
  assert.ok(one && other);
  for (const restaurant of [one, other]) await editItem(restaurant, 'Risotto', { calories: 590 });
  const restaurants = [{ restaurantGuid: other.guid }, { restaurantGuid: one.guid }];
  const body = { note: 'Both', restaurants };
  const together = await fixture.done(one, 'publishGroup', {
    group: one.managementGroupGuid,
    body,
  });
  assert.deepEqual(
    together.publications.map((each: Publication) => [
      each.restaurantGuid,
      each.groupPublicationGuid,
    ]),
    [
      [other.guid, together.guid],
      [one.guid, together.guid],
    ],
  );
  for (const each of [one, other]) assert.equal(await fixture.publishNumber(each), 2);
});

test('backOffice.configuration.publishGroup 409 422: all of them or none', async () => {
  const [one, other] = await fixture.open(BISTRO, BISTRO);
  assert.ok(one && other);
  await editItem(one, 'Risotto', { calories: 590 });
  const group = one.managementGroupGuid;
  const publish = (body: object) => fixture.call(one, 'publishGroup', { group, body });
  const both = {
    restaurants: [{ restaurantGuid: one.guid }, { restaurantGuid: other.guid }],
  };
  const nothing = await publish(both);
  assert.equal(nothing.status, 409);
  assert.match(nothing.body.message, /^Group \d+ restaurant 1: There is nothing to publish/);
  const happy = await fixture.guidOf(other, 'discounts', 'Happy hour');
  const discount = { collection: 'discounts', guid: happy };
  await fixture.done(other, 'objects.update', { ...discount, body: { amount: 3 } });
  const refused = await publish(both);
  assert.equal(refused.status, 422);
  assert.match(refused.body.message, /restaurant 1: discounts/);
  for (const each of [one, other]) assert.equal(await fixture.publishNumber(each), 1);
  assert.equal((await publish({})).status, 400);
  assert.equal((await publish({ restaurants: [] })).status, 422);
  const [stranger] = await fixture.open(BISTRO);
  const foreign = await publish({ restaurants: [{ restaurantGuid: stranger?.guid }] });
  assert.equal(foreign.status, 422);
  assert.match(foreign.body.message, /no restaurant of this group that you have access to/);
  const twice = [{ restaurantGuid: one.guid }, { restaurantGuid: one.guid }];
  assert.equal((await publish({ restaurants: twice })).status, 422);
});

test('backOffice.configuration.publishGroup 404: out of reach is as unknown', async () => {
  const [mine] = await fixture.open(BISTRO);
  const [theirs] = await fixture.open(BISTRO);
  assert.ok(mine && theirs);
  await editItem(theirs, 'Risotto', { calories: 590 });
  const by = principal({
    type: 'BACK_OFFICE',
    managementGroupGuid: mine.managementGroupGuid,
  });
  const body = { restaurants: [{ restaurantGuid: theirs.guid }] };
  const publish = (group: string) => fixture.call(mine, 'publishGroup', { group, body, by });
  const answers = [await publish(theirs.managementGroupGuid), await publish(newGuid())];
  for (const { status } of answers) assert.equal(status, 404);
  assert.equal(new Set(answers.map((answer) => answer.body.message)).size, 1);
  assert.equal((await publish('all')).status, 404);
  assert.equal((await publish(mine.managementGroupGuid)).status, 422);
  assert.equal(await fixture.publishNumber(theirs), 1);
});

test('backOffice.configuration.publications.publish: it is recorded', async () => {
  const restaurant = await bistro();
  await editItem(restaurant, 'Risotto', { calories: 590 });
  await fixture.done(restaurant, PUBLISH, { body: { note: 'Lighter' } });
  const rows = await fixture.database.sql`
    select actor, subject_id as id, after ->> 'note' as note, before ->> 'number' as before
    from audit_entry
    where restaurant_guid = ${restaurant.guid} and subject_kind = 'publication'`;
  const entry = { actor: 'operator', id: `${restaurant.guid}/2`, note: 'Lighter', before: '1' };
  assert.deepEqual([...rows], [entry]);
});

test('backOffice.configuration.publications.publish: few statements', async () => {
  const many = Array.from({ length: 600 }, (_, index) => ({ name: `Item ${index}` }));
  const [restaurant] = await fixture.open({ menuItems: many });
  assert.ok(restaurant);
  const document = {
    configuration: { menuItems: many.map((item) => ({ ...item, calories: 1 })) },
  };
  const count = fixture.countStatements();
  const { publication } = await fixture.done(restaurant, 'apply', { body: { document } });
  assert.equal(publication.counts.changed, 600);
  assert.ok(count() <= 14, `${count()} statements`);
  const { sql } = fixture.database;
  const edits = (await listObjects(sql, restaurant.guid)).map((object) => ({
    ...object,
    fields: { ...object.fields, calories: 2 },
    revision: newGuid(),
    baseDigest: baseDigestOf(object),
  }));
  await updateDrafts(sql, restaurant.guid, edits, 'operator', new Date(fixture.clock.nowMs()));
  const publishing = fixture.countStatements();
  const published = await fixture.done(restaurant, PUBLISH, { body: {} });
  assert.equal(published.counts.changed, 600);
  assert.ok(publishing() <= 14, `${publishing()} statements`);
});

test('configuration.menuOptionGroups.list 200 CFG-12: an object is modified by what it shows', async () => {
  const restaurant = await bistro();
  const modified = async () => {
    const objects = await listObjects(fixture.database.sql, restaurant.guid);
    return new Map(
      objects.map(({ fields, modifiedAt }) => [String(fields.name), modifiedAt?.getTime()]),
    );
  };
  const before = await modified();
  const truffle = { ...items, guid: await fixture.guidOf(restaurant, 'menuItems', 'Truffle') };
  const vat = await fixture.guidOf(restaurant, 'taxRates', 'VAT');
  await fixture.done(restaurant, 'objects.archive', truffle);
  const place = { collection: 'taxRates', guid: vat };
  await fixture.done(restaurant, 'objects.update', { ...place, body: { name: 'VAT', rate: 0.23 } });
  fixture.clock.advance(60_000);
  await fixture.done(restaurant, PUBLISH, { body: {} });
  const after = await modified();
  const moved = [...after].filter(([name, at]) => at !== before.get(name)).map(([name]) => name);
  // The option group lost an option, and the charge shows the tax as a whole.
  assert.deepEqual(moved.toSorted(), ['Cover', 'Toppings', 'Truffle', 'VAT']);
  await fixture.done(restaurant, 'objects.unarchive', truffle);
  fixture.clock.advance(60_000);
  await fixture.done(restaurant, PUBLISH, { body: {} });
  const restored = await modified();
  assert.notEqual(restored.get('Toppings'), after.get('Toppings'));
  assert.equal(restored.get('Cover'), after.get('Cover'));
});
