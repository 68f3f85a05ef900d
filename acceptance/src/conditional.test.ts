import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { header } from './answer.ts';
import { DemoCallers } from './client.ts';
import { itemGuids, openRestaurants } from './fixtures.ts';
import { platformUnderTest } from './platform.ts';
import { nth } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
// No other file of a run changes the stock of the third.
const [restaurant, second, third = second] = openRestaurants(platform.demo);
const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const;

const items = (status: number, headers: Record<string, string>) =>
  partner.call('configuration.menuItems.list', status, { restaurant, headers });

test('configuration.menuItems.list 200 API-11: the same content has the same strong tag', async () => {
  const [one, again] = [await items(200, {}), await items(200, {})];
  assert.equal(header(one, 'etag'), header(again, 'etag'));
  const elsewhere = await partner.call('configuration.menuItems.list', 200, { restaurant: second });
  assert.notEqual(header(elsewhere, 'etag'), header(one, 'etag'));
});

test('configuration.menuItems.list 304 API-11: the same tag gets an empty 304', async () => {
  const etag = String(header(await items(200, {}), 'etag'));
  for (const value of [etag, `"other", ${etag}`, `${etag},"other"`, `W/${etag}`, '*']) {
    const answer = await items(304, { 'if-none-match': value });
    assert.equal(header(answer, 'etag'), etag);
  }
});

test('configuration.menuItems.list 200 API-11: another tag gets the whole', async () => {
  const etag = String(header(await items(200, {}), 'etag'));
  for (const value of ['"other"', '', 'other', etag.slice(1, -1), `${etag.toUpperCase()}x`]) {
    const answer = await items(200, { 'if-none-match': value });
    assert.ok(answer.bytes.length > 0);
  }
});

test('stock.list 304 200 API-11: the tag follows a change at once', async () => {
  const guid = nth(await itemGuids(partner, third), 3, 'menu item');
  const update = (status: string) =>
    partner.call('stock.update', 200, { restaurant: third, json: [{ guid, status }] });
  const list = (status: number, etag: string) =>
    partner.call('stock.list', status, { restaurant: third, headers: { 'if-none-match': etag } });
  await update('OUT_OF_STOCK');
  const before = String(header(await list(200, '"none"'), 'etag'));
  await list(304, before);
  await update('IN_STOCK');
  const after = String(header(await list(200, before), 'etag'));
  assert.notEqual(after, before);
  await update('OUT_OF_STOCK');
  await list(304, before);
  await update('IN_STOCK');
});

test('restaurants.get 304 API-11: every interface answers with tags', async () => {
  const calls = [
    ['partners.restaurants.list', {}],
    ['partners.connectedRestaurants.list', {}],
    ['restaurants.get', { restaurant, params: { restaurantGUID: restaurant } }],
    ['configuration.tipWithholding.get', { restaurant }],
    ['platform.cardEncryptionKeys.list', {}],
  ] as const;
  for (const [id, options] of calls) {
    const etag = String(header(await partner.call(id, 200, options), 'etag'));
    await partner.call(id, 304, { ...options, headers: { 'if-none-match': etag } });
  }
});

test('configuration.menuItems.list 401 403 API-11: an ETag grants no access', async () => {
  const etag = String(header(await items(200, {}), 'etag'));
  const headers = { 'if-none-match': etag };
  await callers.anonymous().call('configuration.menuItems.list', 401, { restaurant, headers });
  const other = await callers.as('other');
  await other.call('configuration.menuItems.list', 403, { restaurant, headers });
});

test('configuration.menuItems.list 200 API-11: br, zstd and gzip say the same', async () => {
  const plain = await items(200, { 'accept-encoding': 'identity' });
  assert.equal(header(plain, 'content-encoding'), undefined);
  assert.match(String(header(plain, 'vary')), /accept-encoding/i);
  for (const [coding, decode] of Object.entries(decoders)) {
    const answer = await items(200, { 'accept-encoding': coding });
    assert.equal(header(answer, 'content-encoding'), coding);
    assert.match(String(header(answer, 'vary')), /accept-encoding/i);
    assert.ok(decode(answer.bytes).equals(plain.bytes), `${coding} says something else`);
    assert.ok(answer.bytes.length < plain.bytes.length);
  }
});

test('configuration.menuItems.list 200 API-11: a refused or unknown coding is not used', async () => {
  for (const value of ['identity', '', 'deflate', 'gzip;q=0', 'br;q=0, identity', 'x-own;q=1']) {
    const answer = await items(200, { 'accept-encoding': value });
    assert.equal(header(answer, 'content-encoding'), undefined, `for "${value}"`);
  }
  const preferred = await items(200, { 'accept-encoding': 'gzip;q=1, br;q=0.1, zstd;q=0' });
  assert.equal(header(preferred, 'content-encoding'), 'gzip');
});

test('configuration.menuItems.list 200 304 API-11: a coded answer has its own tag', async () => {
  const tagOf = async (coding: string) =>
    String(header(await items(200, { 'accept-encoding': coding }), 'etag'));
  const tags = [await tagOf('identity'), await tagOf('gzip'), await tagOf('br')];
  assert.equal(new Set(tags).size, 3, 'a strong tag stands for the same bytes (RFC 9110, 8.8.1)');
  for (const [index, coding] of ['identity', 'gzip', 'br'].entries()) {
    await items(304, { 'accept-encoding': coding, 'if-none-match': nth(tags, index, 'tag') });
  }
});

test('configuration.menuItems.list 200: nothing is for a shared cache', async () => {
  const answer = await items(200, {});
  assert.doesNotMatch(String(header(answer, 'cache-control')), /public|s-maxage/);
  assert.match(String(header(answer, 'cache-control')), /private|no-cache|no-store/);
});
