import assert from 'node:assert/strict';
import { type LoadRequest, type RequestParts, requestBytes } from './load.ts';
import type { MeasuredPlatform } from './platform.ts';

const UPDATE = '/stock/v1/inventory/update';
const NEXT_PAGE_TOKEN = /-next-page-token$/i;

/** Whom to ask, and as whom. */
type Asked = Pick<MeasuredPlatform, 'url' | 'headers'>;

/** The GUIDs of so many items of the restaurant. Throws when it has fewer. */
export async function listItems({ url, headers }: Asked, count: number): Promise<string[]> {
  const guids: string[] = [];
  let token: string | undefined;
  do {
    const query: string = token === undefined ? '' : `?pageToken=${encodeURIComponent(token)}`;
    const page = await fetch(`${url}/config/v2/menuItems${query}`, { headers });
    guids.push(...((await page.json()) as { guid: string }[]).map(({ guid }) => guid));
    token = [...page.headers].find(([name]) => NEXT_PAGE_TOKEN.test(name))?.[1];
  } while (guids.length < count && token !== undefined);
  assert.ok(guids.length >= count, `the restaurant has only ${guids.length} items`);
  return guids.slice(0, count);
}

/** The address and the parts of an update that leaves `quantity` of each item. */
export function updateParts(
  { url, headers }: Asked,
  guids: readonly string[],
  quantity: number,
): [url: string, parts: RequestParts] {
  const changes = guids.map((guid) => ({ guid, status: 'QUANTITY', quantity }));
  return [
    url + UPDATE,
    {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(changes),
    },
  ];
}

/** Gives updates of the items by turns, so that each changes all of them. */
export function alternatingUpdates(asked: Asked, guids: readonly string[]): () => LoadRequest {
  const updates = [5, 6].map((quantity): LoadRequest => {
    const [url, parts] = updateParts(asked, guids, quantity);
    const check = (body: Buffer) => {
      const answer = JSON.parse(body.toString()) as { itemGuidValidity: string }[];
      assert.equal(answer.length, guids.length);
      assert.ok(answer.every(({ itemGuidValidity }) => itemGuidValidity === 'VALID'));
    };
    return { bytes: requestBytes(url, parts), status: 200, check };
  });
  let sent = 0;
  return () => {
    sent += 1;
    return updates[sent % updates.length] as LoadRequest;
  };
}
