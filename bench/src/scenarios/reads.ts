import assert from 'node:assert/strict';
import type { ReadScenario } from '../compare.ts';
import type { MeasuredPlatform } from '../platform.ts';

const PAGE = '/config/v2/menuItems';

function isList(from: number, to: number): (body: Buffer) => void {
  return (body) => {
    const { length } = JSON.parse(body.toString()) as unknown[];
    assert.ok(length >= from && length <= to, `a list of ${length}, not ${from} to ${to}`);
  };
}

/**
 * `read-small`: one configuration object, and a collection of about twenty. `read-page`: 300 menu
 * items, plain, compressed, and not modified.
 */
export async function readScenarios(platform: MeasuredPlatform): Promise<ReadScenario[]> {
  const { headers, url } = platform;
  const page = await fetch(url + PAGE, { headers });
  const [first] = (await page.json()) as { guid: string }[];
  const plain = await fetch(url + PAGE, { headers: { ...headers, 'accept-encoding': 'identity' } });
  const tag = plain.headers.get('etag') ?? '';
  const any = () => {};
  return [
    {
      name: 'read-small: one object',
      path: `${PAGE}/${first?.guid}`,
      status: 200,
      goal: 0.85,
      check: (body) => assert.equal(JSON.parse(body.toString()).guid, first?.guid),
    },
    {
      name: 'read-small: a collection',
      path: '/config/v2/tables',
      status: 200,
      goal: 0.85,
      check: isList(8, 60),
    },
    { name: 'read-page: 300 items', path: PAGE, status: 200, goal: 0.9, check: isList(300, 300) },
    {
      name: 'read-page: 300 items, br',
      path: PAGE,
      headers: { 'accept-encoding': 'br' },
      status: 200,
      goal: 0.9,
      check: any,
    },
    {
      name: 'read-page: 300 items, gzip',
      path: PAGE,
      headers: { 'accept-encoding': 'gzip' },
      status: 200,
      goal: 0.9,
      check: any,
    },
    {
      name: 'read-page: 300 items, 304',
      path: PAGE,
      headers: { 'if-none-match': tag },
      status: 304,
      goal: 0.9,
      check: (body) => assert.equal(body.length, 0),
    },
  ];
}
