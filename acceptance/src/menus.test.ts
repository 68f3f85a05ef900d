import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { MenusDocument, MenusMetadata, ResolvedMenuGroup } from '@servery/contract';
import { header } from './answer.ts';
import { DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { platformUnderTest } from './platform.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const [restaurant, second] = openRestaurants(platform.demo);
const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const;

const operations = ['menus.get', 'menus.getMetadata'] as const;

const menus = async (at: string) =>
  (await partner.call('menus.get', 200, { restaurant: at })).json as MenusDocument;

test('menus.get 200 MENU-3: every restaurant of the demo group has menus', async () => {
  for (const at of openRestaurants(platform.demo)) {
    const document = await menus(at);
    const metadata = await partner.call('menus.getMetadata', 200, { restaurant: at });
    const { restaurantGuid, lastUpdated } = document;
    assert.deepEqual(metadata.json as MenusMetadata, { restaurantGuid, lastUpdated });
    assert.equal(restaurantGuid, at);
    assert.ok(document.menus.length > 0);
  }
});

test('menus.get 200 MENU-20 MENU-21: every reference leads to an entry', async () => {
  const document = await menus(restaurant);
  const groups = document.modifierGroupReferences;
  const options = document.modifierOptionReferences;
  const holds = (map: object, keys: readonly number[]) => {
    for (const key of keys) assert.ok(Object.hasOwn(map, String(key)), `${key}`);
  };
  const walk = ({ menuGroups, menuItems }: ResolvedMenuGroup) => {
    for (const item of menuItems) holds(groups, item.modifierGroupReferences);
    menuGroups.forEach(walk);
  };
  for (const menu of document.menus) menu.menuGroups.forEach(walk);
  for (const group of Object.values(groups)) {
    holds(options, group.modifierOptionReferences);
    const { preModifierGroupReference: words } = group;
    if (words !== null) holds(document.preModifierGroupReferences, [words]);
  }
  for (const option of Object.values(options)) holds(groups, option.modifierGroupReferences);
});

test('menus.get 200 304 MENU-8: a strong tag of the bytes, and one for each coding', async () => {
  for (const id of operations) {
    const plain = await partner.call(id, 200, { restaurant });
    const etag = String(header(plain, 'etag'));
    assert.match(etag, /^"[^"]+"$/);
    assert.equal(header(plain, 'last-modified'), undefined);
    await partner.call(id, 304, { restaurant, headers: { 'if-none-match': etag } });
    await partner.call(id, 200, { restaurant: second, headers: { 'if-none-match': etag } });
  }
  const plain = await partner.call('menus.get', 200, { restaurant });
  const tags = new Set([header(plain, 'etag')]);
  for (const [coding, decode] of Object.entries(decoders)) {
    const headers = { 'accept-encoding': coding };
    const answer = await partner.call('menus.get', 200, { restaurant, headers });
    assert.ok(decode(answer.bytes).equals(plain.bytes));
    tags.add(header(answer, 'etag'));
  }
  assert.equal(tags.size, 4);
});

test('menus.get 400 401 403 MENU-32: who may read them', async () => {
  const other = await callers.as('other');
  const group = await callers.as('group');
  const operator = await callers.as('operator');
  for (const id of operations) {
    await partner.call(id, 400);
    await callers.anonymous().call(id, 401, { restaurant });
    await other.call(id, 403, { restaurant });
    await operator.call(id, 403, { restaurant });
    await group.call(id, 200, { restaurant });
  }
});
