import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoCallers } from './client.ts';
import {
  archivedRestaurant,
  nextPageHeader,
  openRestaurants,
  page,
  wholeCollection,
} from './fixtures.ts';
import { collections } from './operations.ts';
import { platformUnderTest } from './platform.ts';
import { codeOf, messageOf } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const restaurants = openRestaurants(platform.demo);
const [restaurant, elsewhere] = restaurants;
const unknown = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';
const paths = collections.map(([path]) => path);

/** A restaurant and collection of more than 300 objects; the demo group has one. */
async function longCollection(): Promise<readonly [restaurant: string, collection: string]> {
  for (const guid of restaurants) {
    for (const path of ['menuItems', 'tables', 'discounts', 'menuOptionGroups']) {
      if ((await page(partner, guid, path)).next !== undefined) return [guid, path];
    }
  }
  assert.fail('no demo restaurant has a collection of over 300 objects');
}

const [longRestaurant, longPath] = await longCollection();

for (const [path, object] of collections) {
  test(`configuration.${path}.list 200 CFG-1 CFG-7: up to 300 ${object}, by guid`, async () => {
    const { objects } = await page(partner, restaurant, path);
    assert.ok(objects.length <= 300);
    for (const { entityType } of objects) assert.equal(entityType, object);
    const guids = objects.map(({ guid }) => guid);
    assert.deepEqual(guids, [...new Set(guids)].sort());
  });

  test(`configuration.${path}.get 200 CFG-1: one ${object}, the same as in the list`, async () => {
    let compared = 0;
    for (const guid of restaurants) {
      const [first] = (await page(partner, guid, path)).objects;
      if (!first) continue;
      const params = { guid: first.guid };
      const answer = await partner.call(`configuration.${path}.get`, 200, {
        restaurant: guid,
        params,
      });
      assert.deepEqual(answer.json, first);
      compared += 1;
    }
    assert.ok(compared > 0, `no demo restaurant has ${path}`);
  });

  test(`configuration.${path}.get 404 CFG-10: unknown, malformed, or foreign`, async () => {
    const get = (guid: string, at = restaurant) =>
      partner.call(`configuration.${path}.get`, 404, { restaurant: at, params: { guid } });
    for (const guid of [unknown, 'x', '1', `${unknown}0`, "'--", '%', 'a/b', ' ']) {
      assert.equal(codeOf(await get(guid)), 10_003);
    }
    const here = await wholeCollection(partner, restaurant, path);
    const there = (await page(partner, elsewhere, path)).objects;
    const foreign = there.find(({ guid }) => !here.some((object) => object.guid === guid));
    if (foreign) await get(foreign.guid);
  });
}

test('configuration.menuItems.get 404 CFG-10: an object of another collection', async () => {
  const [menu] = (await page(partner, restaurant, 'menus')).objects;
  const params = { guid: String(menu?.guid) };
  await partner.call('configuration.menuItems.get', 404, { restaurant, params });
});

test('configuration.menuItems.list 200 CFG-9: pages of 300 at most make up the whole', async () => {
  const guids: string[] = [];
  let pages = 0;
  for (let pageToken = ''; ; ) {
    const { objects, next } = await page(partner, longRestaurant, longPath, { pageToken });
    assert.ok(objects.length > 0 && objects.length <= 300);
    if (next !== undefined) assert.equal(objects.length, 300, 'a page before the last is full');
    guids.push(...objects.map(({ guid }) => guid));
    pages += 1;
    if (next === undefined) break;
    pageToken = next;
  }
  assert.ok(pages > 1);
  assert.deepEqual(guids, [...new Set(guids)].sort());
});

test('configuration.menus.list 200 CFG-9: the last page has no next page header', async () => {
  const answer = await partner.call('configuration.menus.list', 200, { restaurant });
  assert.equal(answer.headers[nextPageHeader(platform.brand)], undefined);
});

test('configuration.menuItems.list 200 CFG-9: the same token gives the same page again', async () => {
  const first = await page(partner, longRestaurant, longPath);
  const pageToken = String(first.next);
  const [one, again] = [
    await page(partner, longRestaurant, longPath, { pageToken }),
    await page(partner, longRestaurant, longPath, { pageToken }),
  ];
  assert.deepEqual(one.objects, again.objects);
  const empty = await page(partner, longRestaurant, longPath, { pageToken: '' });
  assert.deepEqual(empty.objects, first.objects);
});

test('configuration.menuItems.list 200 CFG-9: lastModified goes on with its token', async () => {
  const query = { lastModified: '1990-01-01T00:00:00.000+0000' };
  const first = await page(partner, longRestaurant, longPath, query);
  assert.ok(first.next);
  const second = await page(partner, longRestaurant, longPath, { ...query, pageToken: first.next });
  const plain = await page(partner, longRestaurant, longPath);
  const rest = await page(partner, longRestaurant, longPath, { pageToken: String(plain.next) });
  assert.deepEqual(second.objects, rest.objects);
});

test('configuration.menuItems.list 400 CFG-9: an altered or foreign token', async () => {
  const token = String((await page(partner, longRestaurant, longPath)).next);
  const list = (query: Record<string, string>, path = longPath, at = longRestaurant) =>
    partner.call(`configuration.${path}.list`, 400, { restaurant: at, query });
  const flip = (index: number) => {
    const letter = token[index] === 'A' ? 'B' : 'A';
    return token.slice(0, index) + letter + token.slice(index + 1);
  };
  const middle = Math.floor(token.length / 2);
  const altered = [
    flip(0),
    flip(middle),
    flip(token.length - 4),
    token.slice(0, -3),
    `${token}AAAA`,
  ];
  for (const pageToken of [...altered, 'x', '0', unknown, '../', '🙂', token.repeat(20)]) {
    await list({ pageToken });
  }
  const otherPath = longPath === 'menus' ? 'tables' : 'menus';
  await list({ pageToken: token }, otherPath);
  const other = restaurants.find((guid) => guid !== longRestaurant);
  await list({ pageToken: token }, longPath, String(other));
  await list({ pageToken: token, lastModified: '1990-01-01T00:00:00Z' });
  const limited = { lastModified: '1990-01-01T00:00:00Z' };
  const ofLimited = String((await page(partner, longRestaurant, longPath, limited)).next);
  await list({ pageToken: ofLimited, lastModified: '1990-01-02T00:00:00Z' });
});

test('configuration.menus.list 200: lastModified limits to what changed after it', async () => {
  for (const path of paths) {
    const all = await page(partner, restaurant, path);
    const since = (lastModified: string) => page(partner, restaurant, path, { lastModified });
    const early = await since('1990-01-01T00:00:00Z');
    assert.deepEqual(early.objects, all.objects);
    assert.deepEqual((await since('2999-01-01T00:00:00Z')).objects, []);
  }
});

test('configuration.tipWithholding.get 200 CFG-11: one object everywhere, a fraction', async () => {
  for (const guid of restaurants) {
    const options = { restaurant: guid, query: { lastModified: 'ignored', pageToken: 'ignored' } };
    const answer = await partner.call('configuration.tipWithholding.get', 200, options);
    const tips = answer.json as { entityType: string; enabled: boolean; percentage: number };
    assert.equal(tips.entityType, 'TipWithholding');
    assert.ok(tips.percentage >= 0 && tips.percentage <= 1, 'a fraction');
    assert.equal(answer.headers[nextPageHeader(platform.brand)], undefined);
  }
});

test('configuration.tipWithholding.get 404: it has no single-object form', async () => {
  const path = `/config/v2/tipWithholding/${unknown}`;
  await partner.call('configuration.tipWithholding.get', 404, { restaurant, path });
});

test('configuration.menus.list 403: an archived restaurant serves no configuration', async () => {
  const archived = archivedRestaurant(platform.demo);
  const answer = await partner.call('configuration.menus.list', 403, { restaurant: archived });
  assert.equal(codeOf(answer), 21_403);
  assert.match(messageOf(answer), /archived.*skip it/);
});

test('configuration.menus.list 200: a group account reads what a partner reads', async () => {
  const group = await callers.as('group');
  const [one, other] = [
    await page(partner, restaurant, 'menus'),
    await page(group, restaurant, 'menus'),
  ];
  assert.deepEqual(one.objects, other.objects);
});
