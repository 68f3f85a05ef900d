import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MenusDocument } from '@servery/contract';
import { newAccount, newGroup, newRestaurant } from './accounts.ts';
import { type CallOptions, type Client, DemoCallers } from './client.ts';
import { nextPageHeader, openRestaurants, page, wholeCollection } from './fixtures.ts';
import { expectedOperation } from './operations.ts';
import { platformUnderTest } from './platform.ts';
import { messageOf, nth } from './values.ts';

// Restaurants of its own on the platform that all files share, but for reading the demo group.
const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const operator = await callers.as('operator');
const group = await newGroup(callers, 'Ring publishers');
const { caller: reader } = await newAccount(callers, {
  type: 'CUSTOMER',
  managementGroupGuid: group,
  scopes: ['config:read', 'menus:read'],
});

/** More than two pages of 300. */
const PRINTERS = 650;

interface Document {
  readonly configuration: Record<string, { guid: string; name: string }[]>;
}

type Menus = Pick<MenusDocument, 'lastUpdated' | 'menus'>;

interface Applied {
  readonly plan: { readonly isUpToDate: boolean; readonly actionCount: number };
  readonly publication: { readonly number: number } | null;
}

async function ask<Json>(name: string, options: CallOptions): Promise<Json> {
  return (await operator.call(`backOffice.configuration.${name}`, 200, options)).json as Json;
}

const apply = (restaurantGuid: string, document: object) =>
  ask<Applied>('apply', { params: { restaurantGuid }, json: { document } });

const exported = (restaurantGuid: string, query: Record<string, string | boolean> = {}) =>
  ask<Document>('export', { params: { restaurantGuid }, query });

/** The printers of one generation: each name says of which. */
const generation = (number: number, guids: readonly string[] = []) => ({
  configuration: {
    printers: Array.from({ length: PRINTERS }, (_, index) => ({
      ...(guids[index] === undefined ? {} : { guid: guids[index] }),
      name: `Printer ${index} of ${number}`,
    })),
  },
});

const generationOf = (name: unknown) => String(name).split(' of ')[1];

/** One walk over all printers; null when a publication came in between, as the 409 says. */
async function walkOnce(client: Client, restaurant: string): Promise<string[] | null> {
  const names: string[] = [];
  for (let pageToken = ''; ; ) {
    const operation = expectedOperation('configuration.printers.list');
    const answer = await client.send(operation, { restaurant, query: { pageToken } });
    if (answer.status === 409) {
      assert.notEqual(pageToken, '', 'a first page is always there');
      return null;
    }
    assert.equal(answer.status, 200);
    names.push(...(answer.json as { name: string }[]).map(({ name }) => name));
    const next = answer.headers[nextPageHeader(platform.brand)];
    if (next === undefined) return names;
    pageToken = String(next);
  }
}

test('configuration.printers.list 200 409 CFG-8 CFG-9: no partner who pages sees a mixture', async () => {
  const restaurant = await newRestaurant(callers, group);
  await apply(restaurant, generation(0));
  const guids = (await wholeCollection(reader, restaurant, 'printers')).map(({ guid }) => guid);
  assert.equal(guids.length, PRINTERS);

  // One by one: a partner between two pages has to begin again when it is published.
  const { next } = await page(reader, restaurant, 'printers');
  await apply(restaurant, generation(1, guids));
  const query = { pageToken: String(next) };
  const options = { restaurant, query };
  const refused = await reader.call('configuration.printers.list', 409, options);
  assert.match(messageOf(refused), /first page/);

  // And all at once.
  let isOver = false;
  let last = 1;
  const walks: (string[] | null)[] = [];
  const walk = async () => {
    while (!isOver) walks.push(await walkOnce(reader, restaurant));
    walks.push(await walkOnce(reader, restaurant));
  };
  const publish = async () => {
    // As many as it takes: on a busy machine each may find all walkers at their first page.
    for (; last < 4 || (last < 100 && !walks.includes(null)); last += 1) {
      await apply(restaurant, generation(last + 1, guids));
    }
    isOver = true;
  };
  await Promise.all([walk(), walk(), walk(), publish()]);
  for (const names of walks) {
    if (names === null) continue;
    assert.equal(names.length, PRINTERS, 'nothing lost, nothing twice');
    assert.equal(new Set(names.map(generationOf)).size, 1, 'of one publication');
  }
  assert.ok(walks.includes(null), 'some publication fell between two pages');
  assert.equal(generationOf(walks.at(-1)?.[0]), String(last));
});

test('backOffice.configuration.publications.publish 200 CFG-8: partners see it then', async () => {
  const restaurant = await newRestaurant(callers, group);
  await apply(restaurant, { configuration: { printers: [{ name: 'Bar' }, { name: 'Grill' }] } });
  const place = { params: { restaurantGuid: restaurant } };
  const printers = async () =>
    (await reader.call('configuration.printers.list', 200, { restaurant })).text;
  const before = await printers();
  const { guid } = nth(JSON.parse(before) as { guid: string }[], 0, 'printer');
  const collection = 'printers';
  const object = { params: { ...place.params, collection, guid } };
  await ask('objects.update', { ...object, json: { name: 'Terrace' } });
  const added = { params: { ...place.params, collection }, json: { name: 'Cellar' } };
  await ask('objects.create', added);
  assert.equal(await printers(), before, 'a draft is nobody else’s');
  const preview = await ask<{ counts: object; state: string }>('draft.preview', place);
  assert.deepEqual(preview.counts, { added: 1, changed: 1, removed: 0 });
  const stale = { ...place, json: { expectedState: 'another' } };
  await operator.call('backOffice.configuration.publications.publish', 409, stale);
  assert.equal(await printers(), before);
  const json = { note: 'For the summer.', expectedState: preview.state };
  const published = await ask<{ number: number }>('publications.publish', { ...place, json });
  const names = async () =>
    (JSON.parse(await printers()) as { name: string }[]).map(({ name }) => name).sort();
  assert.equal((await names()).length, 3);
  assert.ok((await names()).includes('Terrace') && (await names()).includes('Cellar'));
  const back = { params: { ...place.params, number: String(published.number - 1) }, json: {} };
  await ask('publications.rollBack', back);
  assert.deepEqual(JSON.parse(await printers()), JSON.parse(before), 'as it was before');
});

/** What has no name is told apart by a key. */
const withKeys = (configuration: Record<string, { name?: string }[]>) =>
  Object.fromEntries(
    Object.entries(configuration).map(([collection, list]) => [
      collection,
      Array.isArray(list)
        ? list.map((each, index) => (each.name ? each : { ...each, key: `ring-${index}` }))
        : list,
    ]),
  );

test('backOffice.configuration.apply 200: a demo restaurant built anew, then nothing', async () => {
  const [demoRestaurant] = openRestaurants(platform.demo);
  // With what is archived, which other objects of the demo group still name.
  const query = { references: 'name', archived: true };
  const { configuration } = await exported(demoRestaurant, query);
  const own = JSON.stringify(configuration, (name, value) =>
    name === 'guid' || name === 'multiLocationId' ? undefined : value,
  );
  const document = { configuration: withKeys(JSON.parse(own)) };
  const restaurant = await newRestaurant(callers, group);
  const first = await apply(restaurant, document);
  assert.ok(!first.plan.isUpToDate && first.publication);
  const before = await exported(restaurant);
  const second = await apply(restaurant, document);
  assert.deepEqual([second.plan.isUpToDate, second.publication], [true, null]);
  assert.deepEqual(await exported(restaurant), before, 'an unchanged apply changes nothing');
  const partner = await callers.as('partner');
  for (const collection of Object.keys(configuration)) {
    // Partners read the first by its own operation, and the second not at all.
    if (['tipWithholding', 'itemTags'].includes(collection)) continue;
    const namesAt = async (client: Client, place: string) =>
      (await wholeCollection(client, place, collection)).map(({ name }) => String(name)).sort();
    const expected = await namesAt(partner, demoRestaurant);
    assert.deepEqual(await namesAt(reader, restaurant), expected, collection);
  }
  // Guests see what the preview of a draft has shown.
  const place = { params: { restaurantGuid: restaurant } };
  const menus = async () =>
    (await reader.call('menus.get', 200, { restaurant })).json as unknown as Menus;
  const old = await menus();
  const { guid } = nth(old.menus[0]?.menuGroups[0]?.menuItems ?? [], 0, 'item on a menu');
  const params = { ...place.params, collection: 'menuItems', guid };
  await ask('objects.update', { params, json: { name: 'Ring special' } });
  const { lastUpdated: drafted, ...previewed } = await ask<Menus>('draft.menus', place);
  assert.notDeepEqual(previewed.menus, old.menus);
  await ask('publications.publish', { ...place, json: {} });
  const { lastUpdated, ...seen } = await menus();
  assert.ok(drafted <= lastUpdated, 'as if it were published when it was asked for');
  assert.deepEqual(seen, previewed);
});

interface Change {
  readonly publishNumber: number;
  readonly collection: string;
  readonly guid: string;
  readonly kind: 'CREATED' | 'CHANGED' | 'REMOVED';
}

interface ChangePage {
  readonly results: Change[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

test('platform.changes.list 200 CFG-12 CFG-13: a copy follows what is archived and restored', async () => {
  const restaurant = await newRestaurant(callers, group);
  const params = { restaurantGuid: restaurant };
  const changes = async (query: Record<string, string | number>) =>
    (await reader.call('platform.changes.list', 200, { restaurant, query })).json as ChangePage;
  const copy = new Map<string, unknown>();
  const read = async (collection: string, guid: string) => {
    const operation = `configuration.${collection}.get`;
    return (await reader.call(operation, 200, { restaurant, params: { guid } })).json;
  };
  let after = '';
  /** Applies what is new to the copy, in short pages, and gives it. */
  const follow = async () => {
    const told: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await changes({ after, pageSize: 1 });
      assert.ok(page.results.length <= 1);
      for (const { collection, guid, kind } of page.results) {
        told.push(`${collection} ${kind}`);
        if (kind === 'REMOVED') copy.delete(guid);
        else copy.set(guid, await read(collection, guid));
      }
      ({ hasMore, nextCursor: after } = page);
    }
    return told;
  };
  const served = async () => {
    const drawers = await wholeCollection(reader, restaurant, 'cashDrawers');
    return [...drawers, ...(await wholeCollection(reader, restaurant, 'printers'))];
  };
  const isCopied = async () => {
    const objects = await served();
    assert.deepEqual(copy, new Map(objects.map((object) => [object.guid, object])));
  };

  const cashDrawers = [{ key: 'till', printer: 'Bar' }];
  await apply(restaurant, { configuration: { printers: [{ name: 'Bar' }], cashDrawers } });
  assert.deepEqual(await follow(), ['cashDrawers CREATED', 'printers CREATED']);
  await isCopied();
  const [printer] = await wholeCollection(reader, restaurant, 'printers');
  const object = { params: { ...params, collection: 'printers', guid: String(printer?.guid) } };
  for (const [step, kind] of [
    ['archive', 'REMOVED'],
    ['unarchive', 'CREATED'],
  ] as const) {
    await ask(`objects.${step}`, object);
    assert.deepEqual(await follow(), [], 'a draft is nobody else’s');
    const publication = { params, json: {} };
    const { publishedAt } = await ask<{ publishedAt: string }>('publications.publish', publication);
    assert.deepEqual(await follow(), ['cashDrawers CHANGED', `printers ${kind}`]);
    await isCopied();
    const lastModified = new Date(Date.parse(publishedAt) - 1).toISOString();
    const { objects } = await page(reader, restaurant, 'cashDrawers', { lastModified });
    assert.equal(objects.length, 1, `${step}: the drawer is dated`);
  }
  const nothing = { results: [], nextCursor: after, hasMore: false };
  assert.deepEqual(await changes({ after }), nothing);
});

test('platform.changes.list 400 403 CFG-13: a cursor is for the restaurant that gave it', async () => {
  const changes = (status: number, client: Client, restaurant: string, after: string) =>
    client.call('platform.changes.list', status, { restaurant, query: { after } });
  const restaurant = await newRestaurant(callers, group);
  const other = await newRestaurant(callers, group);
  const { nextCursor } = (await changes(200, reader, restaurant, '')).json as ChangePage;
  const refused = await changes(400, reader, other, nextCursor);
  assert.match(messageOf(refused), /^after does not come from this list/);
  // A partner without a connection reaches neither.
  const partner = await callers.as('partner');
  await changes(403, partner, restaurant, '');
  await changes(403, partner, restaurant, nextCursor);
});
