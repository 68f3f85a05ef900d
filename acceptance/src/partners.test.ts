import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, header } from './answer.ts';
import { DemoCallers } from './client.ts';
import { platformUnderTest } from './platform.ts';
import { messageOf, nth } from './values.ts';

interface Access {
  restaurantGuid: string;
  managementGroupGuid: string;
  deleted: boolean;
  restaurantName: string;
  createdByEmailAddress: string | null;
  modifiedDate: number;
  createdDate: number;
  isoModifiedDate: string;
  isoCreatedDate: string;
}

interface Page {
  currentPageNum: number;
  results: Access[];
  totalResultCount: number;
  pageSize: number;
  currentPageToken: string | null;
  nextPageToken: string | null;
  totalCount: number;
  nextPageNum: number | null;
  lastPageNum: number;
  previousPageNum: number | null;
}

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const connected = 'partners.connectedRestaurants.list';
const guidsOf = (list: readonly Access[]) => list.map(({ restaurantGuid }) => restaurantGuid);

async function restaurants(lastModified?: string): Promise<Access[]> {
  const query = lastModified === undefined ? {} : { lastModified };
  return (await partner.call('partners.restaurants.list', 200, { query })).json as Access[];
}

async function pageOf(query: Record<string, string | number> = {}): Promise<Page> {
  return (await partner.call(connected, 200, { query })).json as Page;
}

async function walk(query: Record<string, string | number>): Promise<Page[]> {
  const pages = [await pageOf(query)];
  for (;;) {
    const token = pages.at(-1)?.nextPageToken;
    if (token === null || token === undefined) return pages;
    pages.push(await pageOf({ ...query, pageToken: token }));
  }
}

const everything = await restaurants();
nth(everything, 1, 'restaurant that the demo partner reaches');

/** The addresses of a Link header by their relation (RFC 8288). */
function links(answer: Answer): Map<string, URL> {
  const found = new Map<string, URL>();
  const text = header(answer, 'link') ?? '';
  for (const [, target, relation] of text.matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)) {
    found.set(String(relation), new URL(String(target)));
  }
  return found;
}

test('partners.restaurants.list 200: what the client can access', async () => {
  const demo = new Map(platform.demo.restaurants.map((each) => [each.guid, each]));
  const own = everything.filter(({ restaurantGuid }) => demo.has(restaurantGuid));
  assert.ok(own.length >= 2);
  for (const entry of own) {
    assert.equal(entry.restaurantName, demo.get(entry.restaurantGuid)?.name);
    assert.equal(entry.managementGroupGuid, platform.demo.managementGroupGuid);
    assert.equal(entry.deleted, demo.get(entry.restaurantGuid)?.archived);
  }
});

test('partners.restaurants.list 200: both notations of a date are the same instant', () => {
  for (const entry of everything) {
    assert.equal(Date.parse(entry.isoCreatedDate), entry.createdDate);
    assert.equal(Date.parse(entry.isoModifiedDate), entry.modifiedDate);
    assert.ok(entry.modifiedDate >= entry.createdDate);
    assert.ok(entry.createdDate > Date.parse('2000-01-01'), 'milliseconds, not seconds');
  }
});

test('partners.restaurants.list 200: some employee made the connection', () => {
  const mails = everything.map(({ createdByEmailAddress }) => createdByEmailAddress);
  assert.ok(mails.some((mail) => /^\S+@\S+$/.test(String(mail))));
});

test('partners.connectedRestaurants.list 200 PTN-1 PTN-5: the same set as restaurants', async () => {
  const page = await pageOf();
  assert.ok(!Array.isArray(page));
  const byGuid = (list: Access[]) =>
    [...list].sort((a, b) => (a.restaurantGuid < b.restaurantGuid ? -1 : 1));
  assert.deepEqual(byGuid(page.results), byGuid(everything));
  for (const { deleted } of [...page.results, ...everything]) {
    assert.equal(typeof deleted, 'boolean');
  }
});

test('partners.connectedRestaurants.list 200 PTN-2: totals and numbers of one page', async () => {
  const page = await pageOf();
  const { results, ...rest } = page;
  assert.equal(results.length, everything.length);
  assert.deepEqual(rest, {
    currentPageNum: 1,
    totalResultCount: everything.length,
    pageSize: 100,
    currentPageToken: page.currentPageToken,
    nextPageToken: null,
    totalCount: everything.length,
    nextPageNum: null,
    lastPageNum: 1,
    previousPageNum: null,
  });
});

test('partners.connectedRestaurants.list 200 PTN-2 PTN-3: pages of one, in stable order', async () => {
  const pages = await walk({ pageSize: 1 });
  assert.equal(pages.length, everything.length);
  for (const [index, page] of pages.entries()) {
    const isLast = index === pages.length - 1;
    assert.equal(page.results.length, 1);
    assert.equal(page.currentPageNum, index + 1);
    assert.equal(page.previousPageNum, index === 0 ? null : index);
    assert.equal(page.nextPageNum, isLast ? null : index + 2);
    assert.equal(page.lastPageNum, pages.length);
    assert.equal(page.pageSize, 1);
    assert.equal(page.totalResultCount, everything.length);
    assert.equal(page.totalCount, everything.length);
    assert.equal(page.nextPageToken === null, isLast);
  }
  const walked = pages.flatMap(({ results }) => results);
  const ordered = [...walked].sort(
    (a, b) => a.createdDate - b.createdDate || (a.restaurantGuid < b.restaurantGuid ? -1 : 1),
  );
  assert.deepEqual(guidsOf(walked), guidsOf(ordered), 'by creation, then guid');
  assert.deepEqual(new Set(guidsOf(walked)), new Set(guidsOf(everything)));
});

test('partners.connectedRestaurants.list 200 PTN-2: a last page that is not full', async () => {
  const pageSize = everything.length - 1;
  const pages = await walk({ pageSize });
  assert.deepEqual(
    pages.map(({ results }) => results.length),
    [pageSize, 1],
  );
  assert.ok(pages.every(({ lastPageNum }) => lastPageNum === 2));
});

test('partners.connectedRestaurants.list 200 PTN-2: a token leads back to its own page', async () => {
  const [, second] = await walk({ pageSize: 1 });
  assert.ok(second?.currentPageToken);
  const again = await pageOf({ pageToken: second.currentPageToken });
  assert.deepEqual(again, second);
});

test('partners.connectedRestaurants.list 200 PTN-2: nothing to list is one empty page', async () => {
  const page = await pageOf({ lastModified: '2999-01-01' });
  assert.deepEqual(page.results, []);
  assert.deepEqual([page.totalResultCount, page.totalCount, page.lastPageNum], [0, 0, 1]);
  assert.deepEqual([page.currentPageNum, page.nextPageNum, page.previousPageNum], [1, null, null]);
  assert.equal(page.nextPageToken, null);
});

test('partners.connectedRestaurants.list 200 400 PTN-3: pageSize is 1 to 200', async () => {
  for (const pageSize of [1, 200]) assert.equal((await pageOf({ pageSize })).pageSize, pageSize);
  const wrong = [0, 201, -1, 1.5, '1.0', 'ten', '0x10', '1e2', '١', '1e20', ' 5', '+5'];
  for (const pageSize of wrong) {
    const query = { pageSize: String(pageSize) };
    const answer = await partner.call(connected, 400, { query });
    assert.match(messageOf(answer), /pageSize/);
  }
});

test('partners.connectedRestaurants.list 200 400 PTN-3: the token carries the size', async () => {
  const first = await pageOf({ pageSize: 1 });
  const pageToken = String(first.nextPageToken);
  const plain = await pageOf({ pageToken });
  assert.equal(plain.pageSize, 1);
  assert.deepEqual(await pageOf({ pageToken, pageSize: 1 }), plain);
  await partner.call(connected, 400, { query: { pageToken, pageSize: 2 } });
});

test('partners.connectedRestaurants.list 400 PTN-3: an invalid token', async () => {
  const token = String((await pageOf({ pageSize: 1 })).nextPageToken);
  const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
  for (const pageToken of [flipped, token.slice(0, -3), `${token}AAAA`, 'x', '0', '🙂']) {
    await partner.call(connected, 400, { query: { pageToken } });
  }
});

test('partners.connectedRestaurants.list 200 PTN-4: Link leads to first and next', async () => {
  const query = { pageSize: 1, lastModified: '1990-01-01T00:00:00Z' };
  const answers: Answer[] = [await partner.call(connected, 200, { query })];
  for (;;) {
    const next = links(answers.at(-1) as Answer).get('next');
    if (!next) break;
    assert.equal(next.origin, new URL(platform.demo.baseUrl).origin);
    assert.equal(next.pathname, '/partners/v1/connectedRestaurants');
    assert.equal(next.searchParams.get('lastModified'), query.lastModified);
    answers.push(await partner.call(connected, 200, { query: next.search.slice(1) }));
  }
  assert.equal(answers.length, everything.length);
  const first = links(answers.at(-1) as Answer).get('first');
  assert.ok(first, 'the last page still leads to the first');
  const back = await partner.call(connected, 200, { query: first.search.slice(1) });
  const [begin, end] = [answers[0]?.json as Page, back.json as Page];
  assert.deepEqual(guidsOf(end.results), guidsOf(begin.results));
  const token = links(answers[0] as Answer)
    .get('next')
    ?.searchParams.get('pageToken');
  assert.equal(token, begin.nextPageToken);
});

test('partners.connectedRestaurants.list 200 API-8: after is strict', async () => {
  for (const { modifiedDate, restaurantGuid } of everything) {
    const at = new Date(modifiedDate).toISOString();
    const justBefore = new Date(modifiedDate - 1).toISOString();
    assert.ok(!guidsOf(await restaurants(at)).includes(restaurantGuid));
    assert.ok(guidsOf(await restaurants(justBefore)).includes(restaurantGuid));
    const page = await pageOf({ lastModified: at });
    assert.ok(!guidsOf(page.results).includes(restaurantGuid));
    assert.equal(page.totalCount, page.results.length);
  }
});

test('partners.connectedRestaurants.list 400 API-8: a lastModified that is no time', async () => {
  for (const lastModified of ['yesterday', '2020-13-01', '1577836800000']) {
    const answer = await partner.call(connected, 400, { query: { lastModified } });
    assert.match(messageOf(answer), /lastModified/);
  }
});

test('partners.restaurants.list 403 PTN-6: without permission an ErrorMessage', async () => {
  const group = await callers.as('group');
  for (const id of ['partners.restaurants.list', connected]) {
    const answer = await group.call(id, 403);
    assert.ok('message' in (answer.json as object));
    assert.match(messageOf(answer), /partner/i);
  }
});

test('partners.restaurants.list 200: a restaurant header changes nothing', async () => {
  const restaurant = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';
  const answer = await partner.call('partners.restaurants.list', 200, { restaurant });
  assert.deepEqual(answer.json, everything);
});

test('partners.restaurants.list 200 AUTH-7: each partner sees its own restaurants only', async () => {
  const other = await callers.as('other');
  const listed = (await other.call('partners.restaurants.list', 200)).json as Access[];
  const ours = new Set(platform.demo.restaurants.map(({ guid }) => guid));
  assert.ok(listed.every(({ restaurantGuid }) => !ours.has(restaurantGuid)));
});
