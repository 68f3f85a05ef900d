import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { record } from '../answers.ts';
import { compareRead, isList } from '../read.ts';
import type { Scenario } from '../scenario.ts';

const PATH = '/config/v2/menuItems';
const PAGE = { path: PATH, goal: { atLeast: 0.9 } };
const isPage = isList(300, 300);

/** A page of 300 menu items: plain, compressed, and not modified. */
export const scenario: Scenario = {
  name: 'read-page',
  about: 'a page of 300 menu items, plain, br, gzip and 304, beside bare node:http',
  async run(bench) {
    await using platform = await bench.startPlatform();
    const plain = await record(platform.url + PATH, { headers: platform.headers });
    await compareRead(bench, platform, { ...PAGE, name: '300 items', check: isPage });
    await compareRead(bench, platform, {
      ...PAGE,
      name: '300 items, br',
      headers: { 'accept-encoding': 'br' },
      check(body, headers) {
        assert.equal(headers['content-encoding'], 'br');
        isPage(brotliDecompressSync(body));
      },
    });
    await compareRead(bench, platform, {
      ...PAGE,
      name: '300 items, gzip',
      headers: { 'accept-encoding': 'gzip' },
      check(body, headers) {
        assert.equal(headers['content-encoding'], 'gzip');
        isPage(gunzipSync(body));
      },
    });
    await compareRead(bench, platform, {
      ...PAGE,
      name: '300 items, 304',
      headers: { 'if-none-match': plain.headers.etag ?? '' },
      status: 304,
      check: (body) => assert.equal(body.length, 0),
    });
  },
};
