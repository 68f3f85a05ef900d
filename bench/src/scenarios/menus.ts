import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { record } from '../answers.ts';
import { compareRead } from '../read.ts';
import type { Scenario } from '../scenario.ts';

const METADATA = '/menus/v2/metadata';
const MENUS = { path: '/menus/v2/menus', goal: { atLeast: 0.85 } };

/** The menus of a restaurant as partners poll for them. */
export const scenario: Scenario = {
  name: 'menus',
  about: 'the published menus, plain, gzip and 304, and their metadata, beside bare node:http',
  async run(bench) {
    await using platform = await bench.startPlatform();
    const { headers } = platform;
    const metadata = await record(platform.url + METADATA, { headers });
    const menus = await record(platform.url + MENUS.path, { headers });
    const { lastUpdated } = JSON.parse(metadata.body.toString());
    const isCurrent = (body: Buffer) =>
      assert.equal(JSON.parse(body.toString()).lastUpdated, lastUpdated);
    await compareRead(bench, platform, {
      ...MENUS,
      name: 'metadata',
      path: METADATA,
      check: isCurrent,
    });
    await compareRead(bench, platform, { ...MENUS, name: 'all menus', check: isCurrent });
    await compareRead(bench, platform, {
      ...MENUS,
      name: 'all menus, gzip',
      headers: { 'accept-encoding': 'gzip' },
      check: (body) => isCurrent(gunzipSync(body)),
    });
    await compareRead(bench, platform, {
      ...MENUS,
      name: 'all menus, 304',
      headers: { 'if-none-match': menus.headers.etag ?? '' },
      status: 304,
      check: (body) => assert.equal(body.length, 0),
    });
  },
};
