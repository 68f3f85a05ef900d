import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PlannedAction } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { reachOf } from '../../src/reach/reach.ts';
import { demoGroupDocument } from '../../src/sandbox/demo/demo-group.ts';
import { countWaiting } from '../database.ts';
import { holdEntries } from '../people/fixture-store.ts';
import { BISTRO, type Configuration, type DraftFixture, openDraftFixture } from './fixture.ts';

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

type Document = Readonly<Record<string, unknown>> & { readonly configuration: Configuration };

const apply = (restaurant: RestaurantContext, document: object, more: object = {}) =>
  fixture.call(restaurant, 'apply', { body: { document, ...more } });
const plan = (restaurant: RestaurantContext, document: object) =>
  fixture.call(restaurant, 'plan', { body: { document } });

/** What is exported, with an edit of its configuration. */
async function exported(
  restaurant: RestaurantContext,
  edit: (configuration: Record<string, Record<string, unknown>[]>) => void = () => {},
  query: Readonly<Record<string, string>> = {},
): Promise<Document> {
  const document = await fixture.done(restaurant, 'export', { query });
  edit(document.configuration);
  return document;
}

const actionsOf = ({ body }: { readonly body: { readonly actions: PlannedAction[] } }) =>
  body.actions.map(({ action, collection, name }) => `${action} ${collection} ${name}`);

test('backOffice.configuration.apply 200: every demo restaurant’s export is a no-op', async () => {
  const demo = demoGroupDocument().restaurants ?? [];
  assert.ok(demo.length >= 5);
  const queries = [
    { references: 'name' },
    { archived: 'true' },
    { references: 'name', archived: 'true' },
  ];
  for (const [index, { info, configuration }] of demo.entries()) {
    const currency = String(info.general.currencyCode);
    const [restaurant] = await fixture.openIn(currency, configuration as Configuration);
    assert.ok(restaurant);
    const document = await exported(restaurant, () => {}, queries[index % queries.length]);
    const { status, body } = await apply(restaurant, document);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.plan.isUpToDate, body.publication], [true, null]);
    assert.equal(await fixture.publishNumber(restaurant), 1);
  }
});

test('backOffice.configuration.apply 200: what was archived comes back, once', async () => {
  const restaurant = await bistro();
  const served = await fixture.served(restaurant);
  const document = await exported(restaurant);
  const remaining = {
    configuration: { menuItems: [{ name: 'Gazpacho', calories: 180 }] },
    complete: true,
  };
  const emptied = await apply(restaurant, remaining);
  assert.equal(emptied.status, 200, JSON.stringify(emptied.body));
  assert.equal(emptied.body.plan.counts.create, 0);
  assert.ok(emptied.body.plan.counts.archive > 10);
  const planned = await plan(restaurant, document);
  assert.equal(planned.body.counts.restore, emptied.body.plan.counts.archive);
  const back = await apply(restaurant, document);
  assert.deepEqual([back.status, back.body.publication.number], [200, 3]);
  assert.deepEqual(await fixture.served(restaurant), served);
  assert.equal((await apply(restaurant, document)).body.publication, null);
  assert.equal(await fixture.publishNumber(restaurant), 3);
});

test('backOffice.configuration.plan 200: create, change, archive, restore', async () => {
  const restaurant = await bistro();
  const served = await fixture.served(restaurant);
  const document = await exported(restaurant, (configuration) => {
    const { menuItems = [], printers = [] } = configuration;
    for (const item of menuItems) if (item.name === 'Risotto') item.calories = 1;
    menuItems.push({ name: 'Old special' }, { name: 'Polenta' });
    printers.splice(0);
    configuration.cashDrawers = [];
  });
  const planned = await plan(restaurant, document);
  assert.equal(planned.status, 200, JSON.stringify(planned.body));
  assert.deepEqual(actionsOf(planned), [
    'ARCHIVE cashDrawers null',
    ...(planned.body.actions as PlannedAction[])
      .filter(({ collection }) => collection === 'menuItems')
      .map(({ action, name }) => `${action} menuItems ${name}`),
    'ARCHIVE printers Kitchen',
  ]);
  assert.deepEqual(planned.body.counts, { create: 1, change: 1, archive: 2, restore: 1 });
  const risotto = planned.body.actions.find(({ name }: PlannedAction) => name === 'Risotto');
  assert.deepEqual(risotto.fields, [{ field: 'calories', before: 640, after: 1 }]);
  assert.deepEqual(await fixture.served(restaurant), served);
  assert.equal(await fixture.publishNumber(restaurant), 1);
});

test('backOffice.configuration.apply 200: what is not named stays, unless complete', async () => {
  const restaurant = await bistro();
  const some = { configuration: { printers: [{ name: 'Bar' }], menus: [{ name: 'Breakfast' }] } };
  const { body } = await apply(restaurant, some);
  assert.deepEqual(body.plan.counts, { create: 2, change: 0, archive: 0, restore: 0 });
  const again = await apply(restaurant, some);
  assert.equal(again.body.publication, null);
  const none = await apply(restaurant, { complete: true, configuration: {} });
  assert.equal(none.body.plan.counts.archive, none.body.plan.actionCount);
  const gone = (await fixture.served(restaurant))['configuration.menuItems.list'];
  assert.equal(gone, '[]');
});

test('backOffice.configuration.apply 200: names lead to objects of any GUID', async () => {
  const restaurant = await bistro();
  const created = await fixture.done(restaurant, 'objects.create', {
    collection: 'menuItems',
    body: { name: 'Polenta', multiLocationId: 'polenta-everywhere' },
  });
  await fixture.done(restaurant, 'publications.publish', { body: {} });
  const document = {
    configuration: {
      menuGroups: [{ name: 'Mains', menu: 'Dinner', items: ['Polenta', 'Risotto'] }],
      menuItems: [{ name: 'Polenta', calories: 300 }],
    },
  };
  const { status, body } = await apply(restaurant, document);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.plan.counts, { create: 0, change: 2, archive: 0, restore: 0 });
  const place = { collection: 'menuItems', guid: created.guid };
  const { object } = await fixture.done(restaurant, 'objects.get', place);
  assert.deepEqual([object.calories, object.multiLocationId], [300, 'polenta-everywhere']);
});

test('backOffice.configuration.apply 409: a plan is bound to its state', async () => {
  const restaurant = await bistro();
  const document = { configuration: { printers: [{ name: 'Bar' }] } };
  const { state } = (await plan(restaurant, document)).body;
  const between = { configuration: { printers: [{ name: 'Office' }] } };
  await apply(restaurant, between);
  const stale = await apply(restaurant, document, { expectedState: state });
  assert.equal(stale.status, 409);
  assert.match(stale.body.message, /published again since the plan.*make a new plan/);
  const fresh = (await plan(restaurant, document)).body;
  const done = await apply(restaurant, document, { expectedState: fresh.state, note: 'Bar' });
  assert.deepEqual([done.status, done.body.publication.note], [200, 'Bar']);
});

test('backOffice.configuration.apply 200 409: of many at once with one plan one wins', async () => {
  const restaurant = await bistro();
  const documents = Array.from({ length: 6 }, (_, index) => ({
    configuration: { printers: [{ name: `Printer ${index}` }] },
  }));
  const { state } = (await plan(restaurant, documents[0] ?? {})).body;
  const answers = await Promise.all(
    documents.map((document) => apply(restaurant, document, { expectedState: state })),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409]);
  assert.equal(await fixture.publishNumber(restaurant), 2);
});

test('backOffice.configuration 403 AUTH-9: a right that ends while somebody waits ends', async () => {
  const restaurant = await bistro();
  const printers = Array.from({ length: 1_500 }, (_, index) => ({
    name: `Printer ${index}, one of very many`,
  }));
  const document = { configuration: { printers } };
  assert.equal((await apply(restaurant, document)).status, 200);
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const place = { collection: 'menuItems', guid };
  await fixture.done(restaurant, 'objects.update', { ...place, body: { calories: 1 } });
  const group = restaurant.managementGroupGuid;
  const restaurants = [{ restaurantGuid: restaurant.guid }];
  const calls = [
    ['plan', { body: { document } }],
    ['apply', { body: { document: { configuration: { printers: printers.slice(1) } } } }],
    ['export', {}],
    ['draft.preview', {}],
    ['publications.publish', { body: {} }],
    ['publications.rollBack', { number: 1, body: {} }],
    ['publishGroup', { group, body: { restaurants } }],
  ] as const;
  const number = await fixture.publishNumber(restaurant);
  for (const [name, parts] of calls) {
    const nowhere = async () => reachOf([], null);
    const { status, body } = await fixture.call(restaurant, name, { ...parts, reachNow: nowhere });
    assert.equal(status, 403, name);
    assert.match(body.message, /lost the permission to do this while the request was waiting/);
  }
  assert.equal(await fixture.publishNumber(restaurant), number);
  for (const name of ['draft.preview', 'export']) await fixture.done(restaurant, name);
});

test('backOffice.configuration.apply 200: drafts stay drafts', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const place = { collection: 'menuItems', guid };
  await fixture.done(restaurant, 'objects.update', { ...place, body: { calories: 1 } });
  await apply(restaurant, { configuration: { menuItems: [{ name: 'Gazpacho', calories: 2 }] } });
  const { draft, object, published } = await fixture.done(restaurant, 'objects.get', place);
  assert.deepEqual([draft.isOutdated, object.calories, published.calories], [false, 1, 640]);
});

test('backOffice.configuration.draft.apply 200 409: on top of drafts, which are not lost', async () => {
  const restaurant = await bistro();
  const number = await fixture.publishNumber(restaurant);
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const place = { collection: 'menuItems', guid };
  await fixture.done(restaurant, 'objects.update', { ...place, body: { calories: 1, plu: '1' } });
  const document = await exported(restaurant, (configuration) => {
    const { menuItems = [], menus = [] } = configuration;
    const edited = menuItems.map((item) =>
      item.guid === guid ? { ...item, calories: 2, sku: '2' } : item,
    );
    configuration.menuItems = [...edited, { name: 'Salmorejo' }];
    const [menu, ...others] = menus;
    assert.ok(menu);
    const groups = [...(menu.groups as string[]), 'Cold'];
    configuration.menus = [{ ...menu, groups }, ...others];
    configuration.menuGroups = [
      ...(configuration.menuGroups ?? []),
      { name: 'Cold', items: ['Salmorejo'] },
    ];
  });
  const draft = (more: object = {}) =>
    fixture.call(restaurant, 'draft.apply', { body: { document, ...more } });
  const refused = await draft();
  assert.equal(refused.status, 409, JSON.stringify(refused.body));
  assert.deepEqual(
    refused.body.errors.map(({ message }: { message: string }) => message.split(':')[0]),
    [`menuItems/${guid} "Risotto" calories`],
  );
  const drafted = async () => (await fixture.done(restaurant, 'objects.get', place)).object;
  assert.deepEqual(
    [(await drafted()).sku, (await fixture.done(restaurant, 'draft.get')).results.length],
    [null, 1],
  );
  const wanted = [
    ['keep', 1],
    ['replace', 2],
  ] as const;
  for (const [conflicts, expected] of wanted) {
    const { status, body } = await draft({ conflicts });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.counts, { create: 2, change: 2, archive: 0, restore: 0 }, 'each once');
    const { calories, sku, plu } = await drafted();
    assert.deepEqual([calories, sku, plu], [expected, '2', '1']);
  }
  assert.equal(await fixture.publishNumber(restaurant), number);
  await fixture.done(restaurant, 'publications.publish', { body: {} });
  const cold = await fixture.guidOf(restaurant, 'menuGroups', 'Cold');
  const group = { collection: 'menuGroups', guid: cold };
  const { published } = await fixture.done(restaurant, 'objects.get', group);
  assert.equal(published.items.length, 1);
  const moved = await draft({ expectedState: 'another' });
  assert.equal(moved.status, 409);
});

test('backOffice.configuration.plan 400 422: every fault is told with its path', async () => {
  const restaurant = await bistro();
  const faultsOf = async (document: unknown, status = 422) => {
    const body = document === undefined ? {} : { document };
    const answer = await fixture.call(restaurant, 'plan', { body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body.errors.map(({ message }: { message: string }) => message);
  };
  const told = (faults: string[], ...expected: RegExp[]) => {
    assert.equal(faults.length, expected.length, faults.join('\n'));
    for (const [index, pattern] of expected.entries()) assert.match(faults[index] ?? '', pattern);
  };
  told(await faultsOf(undefined, 400), /document: is required and missing/);
  told(await faultsOf('a text'), /document: must be an object/);
  told(
    await faultsOf({ configuration: { menuItem: [] }, format: 'servery.group/1' }),
    /format: must be servery\.configuration\/1/,
    /configuration.menuItem: is no field here; perhaps "menuItems" is meant$/,
  );
  told(
    await faultsOf({
      configuration: {
        menuItems: [{ name: 'Ham', optionGroups: ['Sauces'] }],
        discounts: [{ name: 'Odd', type: 'FIXED', selectionType: 'CHECK' }],
      },
    }),
    /configuration.discounts\[0\].amount: is missing; discounts of type FIXED need it/,
    /configuration.menuItems\[0\].optionGroups\[0\]: there is none among the menuOptionGroups/,
  );
  // The other side of a link is not in the document: it is named.
  told(
    await faultsOf({ configuration: { menuGroups: [{ name: 'Desserts', menu: 'Dinner' }] } }),
    /configuration.menuGroups\[0\].menu: menus\["Dinner"\].groups does not list this group/,
  );
  told(
    await faultsOf({ restaurant: { guid: newGuid() }, configuration: {} }),
    /restaurant.guid: is not .* leave restaurant out/,
  );
});

test('backOffice.configuration.apply 422: nothing moves between restaurants', async () => {
  const guid = newGuid();
  const [here, there] = await fixture.open({ printers: [{ name: 'Bar', guid }] }, BISTRO);
  assert.ok(here && there);
  const refused = await apply(there, { configuration: { printers: [{ name: 'Bar', guid }] } });
  assert.equal(refused.status, 422);
  assert.match(
    refused.body.message,
    /printers\[0\].guid: is the GUID of an object of another restaurant of the group/,
  );
});

test('backOffice.configuration.apply 422: a GUID goes to one of two, also at once', async () => {
  const pair = await fixture.open(BISTRO, BISTRO);
  const document = { configuration: { printers: [{ name: 'Bar', guid: newGuid() }] } };
  // Whoever is not kept waiting by the other one has looked for the GUID, and not committed.
  const { begun } = await fixture.database.transaction(async (sql) => {
    await holdEntries(sql);
    const applying = pair.map((restaurant) => apply(restaurant, document));
    while ((await countWaiting(fixture.database.sql)) < applying.length);
    return { begun: applying };
  });
  const statuses = (await Promise.all(begun)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 422]);
});

test('backOffice.configuration.export 200 400: names where only one has it', async () => {
  const [restaurant] = await fixture.open({
    menuItems: [{ name: 'Soup' }, { name: 'Twin', key: 'a' }, { name: 'Twin', key: 'b' }],
    menuOptionGroups: [{ name: 'Extras', options: ['Soup', 'a', 'b'] }],
  });
  assert.ok(restaurant);
  const { configuration } = await exported(restaurant, () => {}, { references: 'name' });
  const [extras] = (configuration.menuOptionGroups ?? []) as { options: string[] }[];
  assert.deepEqual(
    extras?.options.map((text) => (text === 'Soup' ? text : text.length)),
    ['Soup', 36, 36],
  );
  const wrong = { query: { references: 'key' } };
  assert.equal((await fixture.call(restaurant, 'export', wrong)).status, 400);
  const odd = { query: { archived: 'sometimes' } };
  assert.equal((await fixture.call(restaurant, 'export', odd)).status, 400);
});

test('backOffice.configuration.apply 200: an export makes the same elsewhere', async () => {
  const restaurant = await bistro();
  const document = await exported(restaurant, () => {}, { references: 'name' });
  const text = JSON.stringify(document.configuration, (name, value) =>
    name === 'guid' || name === 'multiLocationId' ? undefined : value,
  );
  const [empty] = await fixture.open({});
  assert.ok(empty);
  const named = JSON.parse(text) as Record<string, object[]>;
  // What has no name is told apart by a key.
  const drawers = (named.cashDrawers ?? []).map((drawer) => ({ ...drawer, key: 'till' }));
  const made = await apply(empty, { configuration: { ...named, cashDrawers: drawers } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const copy = await exported(empty, () => {}, { references: 'name' });
  const withoutGuids = JSON.parse(
    JSON.stringify(copy.configuration, (name, value) =>
      name === 'guid' || name === 'multiLocationId' ? undefined : value,
    ),
  ) as Record<string, { name?: string }[]>;
  const sorted = (lists: Record<string, { name?: string }[]>) =>
    Object.entries(lists).map(([name, list]) => [
      name,
      list?.toSorted((one, other) => String(one.name).localeCompare(String(other.name))),
    ]);
  assert.deepEqual(sorted(withoutGuids), sorted(named as Record<string, { name?: string }[]>));
});

test('backOffice.configuration.export 200: it can be applied where there is nothing', async () => {
  const [restaurant] = await fixture.open({
    ...BISTRO,
    menuGroups: [{ name: 'Soups', items: ['Minestrone', 'Old special'] }],
    menus: [{ name: 'Dinner', groups: ['Soups'] }],
    menuItems: [
      { name: 'Minestrone' },
      // Archived, and named by what is live; the next is named by that alone, the last by nothing.
      { name: 'Old special', optionGroups: ['Old extras'], archived: true },
      { name: 'Old soup', archived: true },
    ],
    menuOptionGroups: [{ name: 'Old extras', archived: true }],
  });
  assert.ok(restaurant);
  for (const query of [{}, { references: 'name' }]) {
    const { configuration } = await exported(restaurant, () => {}, query);
    const named = (name: string) => (configuration[name] as { name: string }[]).map((o) => o.name);
    assert.deepEqual(named('menuItems').sort(), ['Minestrone', 'Old special']);
    assert.deepEqual(named('menuOptionGroups'), ['Old extras']);
    const [empty] = await fixture.open({});
    assert.ok(empty);
    // Objects without a name, such as the cash drawer, have their GUIDs.
    const { status, body } = await apply(empty, { complete: true, configuration });
    assert.equal(status, 200, JSON.stringify(body));
    const again = await exported(empty, () => {}, query);
    assert.deepEqual(again.configuration, configuration);
  }
});
