import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ConfigurationObject } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
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

test('backOffice.configuration.objects.update 200: a draft stands beside it', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const served = await fixture.served(restaurant);
  const edit = { ...items, guid, body: { calories: 590, sku: 'M-1' } };
  const drafted = await fixture.done(restaurant, 'objects.update', edit);
  assert.equal(drafted.change, 'CHANGE');
  assert.deepEqual([drafted.object.calories, drafted.published.calories], [590, 640]);
  assert.equal(drafted.object.optionGroups.length, 1);
  assert.equal(drafted.draft.createdBy, 'operator');
  assert.equal(drafted.draft.isOutdated, false);
  assert.deepEqual(await fixture.served(restaurant), served);
  const clear = { ...items, guid, body: { sku: null } };
  const again = await fixture.done(restaurant, 'objects.update', clear);
  assert.deepEqual([again.object.calories, again.object.sku], [590, null]);
  assert.notEqual(again.draft.revision, drafted.draft.revision);
});

test('backOffice.configuration.objects.update 409: an edit of what somebody changed meanwhile', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const edit = (body: object, expectedState: string) =>
    fixture.call(restaurant, 'objects.update', { ...items, guid, body, query: { expectedState } });
  const { state } = await fixture.done(restaurant, 'objects.get', { ...items, guid });
  const first = await edit({ calories: 590 }, state);
  assert.equal(first.status, 200);
  assert.equal((await edit({ calories: 600 }, state)).status, 409);
  const now = await fixture.done(restaurant, 'objects.get', { ...items, guid });
  assert.deepEqual([now.object.calories, now.state], [590, first.body.state]);
  assert.equal((await edit({ calories: 600 }, now.state)).status, 200);
});

test('backOffice.configuration.objects.update 200: a draft of nothing ends', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const edit = (body: object) =>
    fixture.done(restaurant, 'objects.update', { ...items, guid, body });
  await edit({ calories: 1 });
  const back = await edit({ calories: 640 });
  assert.deepEqual([back.change, back.draft], [null, null]);
  assert.deepEqual((await fixture.done(restaurant, 'draft.get')).results, []);
  assert.equal((await edit({})).draft, null);
});

test('backOffice.configuration.objects.create 200: references are GUIDs or names', async () => {
  const restaurant = await bistro();
  const toppings = await fixture.guidOf(restaurant, 'menuOptionGroups', 'Toppings');
  const body = { name: 'Polenta', optionGroups: ['Toppings'] };
  const created = await fixture.done(restaurant, 'objects.create', { ...items, body });
  assert.deepEqual([created.change, created.published], ['CREATE', null]);
  assert.deepEqual(created.object.optionGroups, [toppings]);
  assert.match(created.object.multiLocationId, /^10\d{16}$/, 'digits, and not the GUID');
  // What is only drafted can be named too.
  const group = await fixture.done(restaurant, 'objects.create', {
    collection: 'menuGroups',
    body: { name: 'Sides', items: ['Polenta'], optionGroups: [toppings.toUpperCase()] },
  });
  assert.deepEqual(group.object.items, [created.guid]);
  assert.deepEqual(group.object.optionGroups, [toppings]);
});

test('backOffice.configuration.objects 400 422: bad input is told by its field', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const refused = async (status: number, told: RegExp, body: unknown, of = guid) => {
    const name = of === '' ? 'objects.create' : 'objects.update';
    const place = of === '' ? items : { ...items, guid: of };
    const answer = await fixture.call(restaurant, name, { ...place, body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.message, told);
    if (answer.body.errors.length > 0) assert.match(answer.body.errors[0].message, told);
  };
  await refused(400, /name:? is required and missing/, { calories: 1 }, '');
  await refused(400, /name:? is required and missing/, { name: null });
  await refused(422, /calories:? must be a whole number/, {
    calories: 'many',
  });
  await refused(422, /^colour:? is no field here; remove it/, { colour: 'red' });
  await refused(422, /^archived:? is no field here/, { archived: true });
  await refused(422, /^The body:? must be an object/, ['Risotto']);
  await refused(422, /guid:? never changes/, { guid: newGuid() });
  await refused(422, /guid:? never changes/, { guid: { toString: 0 } });
  await refused(422, /optionGroups\[0\]:? there is none among the menuOptionGroups with the/, {
    optionGroups: ['Sauces'],
  });
  // An item is there, but in another collection.
  await refused(422, /optionGroups\[0\]:? there is none among the menuOptionGroups with the GUID/, {
    optionGroups: [guid],
  });
  await refused(422, /optionGroups\[1\]:? is in this list already/, {
    optionGroups: ['Toppings', 'Toppings'],
  });
  await refused(422, /name:? has half of a surrogate pair/, { name: 'half \ud800' }, '');
  await refused(422, /name:? has the number of a payment card; remove it/, {
    name: 'Paid with 4111-1111-1111-1111',
  });
  assert.deepEqual((await fixture.done(restaurant, 'draft.get')).results, []);
});

test('backOffice.configuration.objects.create 409 422: a GUID is given once', async () => {
  const [here, there] = await fixture.open(BISTRO, { printers: [{ name: 'Bar' }] });
  assert.ok(here && there);
  const kitchen = await fixture.guidOf(here, 'printers', 'Kitchen');
  const printers = { collection: 'printers' } as const;
  const same = { ...printers, body: { name: 'Again', guid: kitchen } };
  const known = await fixture.call(here, 'objects.create', same);
  assert.equal(known.status, 409);
  assert.match(known.body.message, /already: edit it, or leave guid out/);
  const elsewhere = await fixture.call(there, 'objects.create', same);
  assert.equal(elsewhere.status, 422);
  assert.match(elsewhere.body.message, /GUID of an object of another restaurant of the group;/);
  const guid = newGuid();
  const drafted = { ...printers, body: { name: 'New', guid } };
  assert.equal((await fixture.done(here, 'objects.create', drafted)).guid, guid);
  assert.equal((await fixture.call(here, 'objects.create', drafted)).status, 409);
  assert.equal((await fixture.call(there, 'objects.create', drafted)).status, 422);
});

test('backOffice.configuration.objects.archive 200 409: it goes and comes back', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Truffle');
  const place = { ...items, guid };
  const archived = await fixture.done(restaurant, 'objects.archive', place);
  assert.deepEqual([archived.change, archived.object.archived], ['ARCHIVE', true]);
  assert.equal(archived.published.archived, false);
  const twice = await fixture.done(restaurant, 'objects.archive', place);
  assert.deepEqual(twice.draft, archived.draft);
  assert.equal((await fixture.done(restaurant, 'objects.unarchive', place)).draft, null);
  const old = await fixture.guidOf(restaurant, 'menuItems', 'Old special');
  const restored = await fixture.done(restaurant, 'objects.unarchive', { ...items, guid: old });
  assert.equal(restored.change, 'RESTORE');
  const created = await fixture.done(restaurant, 'objects.create', {
    ...items,
    body: { name: 'Never seen' },
  });
  const never = { ...items, guid: created.guid };
  const refused = await fixture.call(restaurant, 'objects.archive', never);
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /never published.*discard its draft/);
});

test('backOffice.configuration.objects.discard 200 409: as published again', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Truffle');
  await fixture.done(restaurant, 'objects.update', { ...items, guid, body: { name: 'Truffles' } });
  const back = await fixture.done(restaurant, 'objects.discard', { ...items, guid });
  assert.deepEqual([back.name, back.draft], ['Truffle', null]);
  assert.equal((await fixture.call(restaurant, 'objects.discard', { ...items, guid })).status, 409);
  const created = await fixture.done(restaurant, 'objects.create', {
    ...items,
    body: { name: 'Polenta' },
  });
  const place = { ...items, guid: created.guid };
  const last = await fixture.done(restaurant, 'objects.discard', place);
  assert.deepEqual([last.name, last.published, last.draft], ['Polenta', null, null]);
  assert.equal((await fixture.call(restaurant, 'objects.get', place)).status, 404);
});

test('backOffice.configuration.draft.discard 200 400 409: all drafts, or those named', async () => {
  const restaurant = await bistro();
  const names = ['Risotto', 'Truffle', 'Gazpacho'];
  const guids = await Promise.all(
    names.map((name) => fixture.guidOf(restaurant, 'menuItems', name)),
  );
  for (const guid of guids) {
    await fixture.done(restaurant, 'objects.update', { ...items, guid, body: { plu: '7' } });
  }
  const discard = (body: object) => fixture.call(restaurant, 'draft.discard', { body });
  assert.equal((await discard({})).status, 400);
  assert.equal((await discard({ all: false })).status, 422);
  assert.equal((await discard({ objects: [] })).status, 422);
  const one = await discard({ objects: [{ ...items, guid: guids[0] }] });
  assert.deepEqual([one.status, one.body.counts.change], [200, 2]);
  const gone = { objects: [guids[0], guids[1]].map((guid) => ({ ...items, guid })) };
  assert.equal((await discard(gone)).status, 409);
  assert.deepEqual((await discard({ all: true })).body.results, []);
  assert.equal((await discard({ all: true })).status, 200);
});

test('backOffice.configuration.objects.list 200 400 404: both, by pages', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Truffle');
  await fixture.done(restaurant, 'objects.archive', { ...items, guid });
  const body = { name: 'Tomato soup' };
  await fixture.done(restaurant, 'objects.create', { ...items, body });
  const names = async (query: Record<string, string>) => {
    const { results } = await fixture.done(restaurant, 'objects.list', { ...items, query });
    return results.map(({ name }: ConfigurationObject) => name).toSorted();
  };
  const live = ['Gazpacho', 'Minestrone', 'Risotto', 'Tomato soup'];
  assert.deepEqual(await names({ archived: 'false' }), live);
  assert.deepEqual(await names({ archived: 'true' }), ['Old special', 'Truffle']);
  assert.deepEqual(await names({ drafted: 'true' }), ['Tomato soup', 'Truffle']);
  assert.deepEqual(await names({ name: 'SOUP' }), ['Tomato soup']);
  const some = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  assert.deepEqual(await names({ guids: `${some},${guid}` }), ['Risotto', 'Truffle']);
  const broken = { ...items, query: { guids: 'Risotto' } };
  assert.equal((await fixture.call(restaurant, 'objects.list', broken)).status, 400);
  const walked: string[] = [];
  let pageToken: string | null = null;
  do {
    const query: Record<string, string> = { pageSize: '2', ...(pageToken && { pageToken }) };
    const page = await fixture.done(restaurant, 'objects.list', { ...items, query });
    walked.push(...page.results.map((object: ConfigurationObject) => object.guid));
    pageToken = page.nextPageToken;
    if (pageToken) {
      const other = { collection: 'printers', query: { pageToken } };
      assert.equal((await fixture.call(restaurant, 'objects.list', other)).status, 400);
    }
  } while (pageToken !== null);
  assert.deepEqual(walked, walked.toSorted());
  assert.equal(new Set(walked).size, 6);
  const long = { ...items, query: { name: 'x'.repeat(201) } };
  assert.equal((await fixture.call(restaurant, 'objects.list', long)).status, 400);
  const wrong = { ...items, query: { drafted: 'maybe' } };
  assert.equal((await fixture.call(restaurant, 'objects.list', wrong)).status, 400);
  const nowhere = { collection: 'tipWithholding' };
  assert.equal((await fixture.call(restaurant, 'objects.list', nowhere)).status, 404);
});

test('backOffice.configuration.tipWithholding 200 400 422 CFG-11: there always is one', async () => {
  const restaurant = await bistro();
  const unset = await fixture.done(restaurant, 'tipWithholding.get');
  assert.deepEqual([unset.object.percentage, unset.published, unset.draft], [0, null, null]);
  const body = { enabled: true, percentage: 0.03 };
  const drafted = await fixture.done(restaurant, 'tipWithholding.set', { body });
  assert.deepEqual([drafted.change, drafted.guid], ['CREATE', unset.guid]);
  const set = (value: object) => fixture.call(restaurant, 'tipWithholding.set', { body: value });
  assert.equal((await set({ enabled: true })).status, 400);
  assert.equal((await set({ enabled: true, percentage: 3 })).status, 422);
  const slip = await set({ enabled: true, percentage: 0.02, percentge: 0.04 });
  assert.equal(slip.status, 422);
  assert.match(slip.body.message, /^percentge is no field here; perhaps "percentage" is meant\.$/);
  assert.deepEqual((await fixture.done(restaurant, 'tipWithholding.get')).object, drafted.object);
  const preview = await fixture.done(restaurant, 'draft.preview');
  assert.deepEqual(preview.counts, { added: 0, changed: 1, removed: 0 });
});

test('backOffice.configuration.objects 404: unknown, malformed, another’s', async () => {
  const restaurant = await bistro();
  const other = await bistro();
  const foreign = await fixture.guidOf(other, 'menuItems', 'Risotto');
  const names = ['get', 'update', 'archive', 'unarchive', 'discard'];
  for (const name of names) {
    for (const place of [
      { ...items, guid: foreign },
      { ...items, guid: 'risotto' },
      { collection: 'soups', guid: foreign },
    ]) {
      const answer = await fixture.call(restaurant, `objects.${name}`, { ...place, body: {} });
      assert.equal(answer.status, 404, name);
      assert.match(answer.body.message, /no such|must be a GUID/);
    }
  }
});

test('backOffice.configuration.objects: each change of a draft is recorded', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const place = { ...items, guid };
  await fixture.done(restaurant, 'objects.update', { ...place, body: { calories: 1 } });
  await fixture.done(restaurant, 'objects.update', { ...place, body: { calories: 1 } });
  await fixture.done(restaurant, 'objects.discard', place);
  const rows = await fixture.database.sql`
    select actor, operation, subject_id as id, before ->> 'calories' as before,
      after ->> 'calories' as after
    from audit_entry where restaurant_guid = ${restaurant.guid}
      and subject_kind = 'configurationDraft' order by guid`;
  const id = `menuItems/${guid}`;
  const by = { actor: 'operator', id };
  const operation = (name: string) => `backOffice.configuration.objects.${name}`;
  assert.deepEqual(
    [...rows],
    [
      { ...by, operation: operation('update'), before: '640', after: '1' },
      { ...by, operation: operation('discard'), before: '1', after: '640' },
    ],
  );
});

test('backOffice.configuration.objects.update 200: edits at once are all kept', async () => {
  const restaurant = await bistro();
  const guid = await fixture.guidOf(restaurant, 'menuItems', 'Risotto');
  const bodies = [{ calories: 1 }, { sku: 'S' }, { plu: 'P' }, { name: 'Risotto bianco' }];
  await Promise.all(
    bodies.map((body) => fixture.done(restaurant, 'objects.update', { ...items, guid, body })),
  );
  const { object } = await fixture.done(restaurant, 'objects.get', { ...items, guid });
  const { calories, sku, plu, name } = object;
  assert.deepEqual([calories, sku, plu, name], [1, 'S', 'P', 'Risotto bianco']);
});

test('backOffice.configuration 422: fields that nobody knows are told, lists are cut', async () => {
  const restaurant = await bistro();
  const printer = { collection: 'printers', guid: newGuid() };
  const refused = async (name: string, body: object, told: RegExp) => {
    const parts = { body, number: 1, group: restaurant.managementGroupGuid };
    const answer = await fixture.call(restaurant, name, parts);
    assert.equal(answer.status, 422, name);
    assert.match(answer.body.message, told);
    return answer.body.errors.length;
  };
  await refused('draft.discard', { all: true, object: [] }, /^object is no field here; perhaps/);
  await refused('publications.publish', { nte: 'x' }, /^nte is no field here; perhaps "note"/);
  await refused('publications.rollBack', { number: 1 }, /^number is no field here; remove it/);
  await refused('plan', { document: { configuration: {} }, note: '' }, /^note is no field here/);
  await refused('apply', { document: {}, expected: '' }, /^expected is no field here/);
  const others = { objects: [{ ...printer, name: 'Bar' }] };
  await refused(
    'draft.discard',
    others,
    /^objects\[0\]\.name is no field here; remove it\. Known are collection, guid/,
  );
  const parts = [{ restaurantGuid: restaurant.guid, state: 'x' }];
  await refused(
    'publishGroup',
    { restaurants: parts },
    /^restaurants\[0\]\.state is no field here/,
  );
  const count = await refused('draft.discard', { objects: Array(9_000).fill(1) }, /objects\[0\]/);
  assert.ok(count <= 100, `${count} faults`);
  const many = await refused(
    'publishGroup',
    { restaurants: Array(9_000).fill(1) },
    /has 9000 elements; at most 1000/,
  );
  assert.equal(many, 1);
});
