import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import fc from 'fast-check';
import { connect, disconnect, updateReferences } from '../../src/partners/connections.ts';
import { partnerHandlers } from '../../src/partners/partner/handlers.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { callOperation, NOW_MS, principal, type TestAnswer } from '../request.ts';
import { insertGroup, insertLiveConnection, insertPartner, insertRestaurant } from '../rows.ts';
import { at, origin } from './test-origin.ts';

const vault = createVault(Buffer.alloc(32, 3));

let testDatabase: TestDatabase;
let handlers: ReturnType<typeof partnerHandlers>;
before(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  handlers = partnerHandlers({ database, vault, connectedRestaurantsShape: 'object' });
});
after(() => testDatabase.drop());

type Query = Readonly<Record<string, string>>;

const list = (partnerGuid: string, query: Query = {}) =>
  callOperation(handlers, 'partners.restaurants.list', {
    principal: principal({ partnerGuid }),
    query,
  });
const listPage = (partnerGuid: string, query: Query = {}, using = handlers) =>
  callOperation(using, 'partners.connectedRestaurants.list', {
    principal: principal({ partnerGuid }),
    query,
  });

const guidsOf = (representations: { restaurantGuid: string }[]) =>
  representations.map(({ restaurantGuid }) => restaurantGuid);

/** A partner with a connection created at each of the times; gives the guids in that order. */
async function partnerWith(times: readonly string[]) {
  const { sql } = testDatabase.database;
  const partnerGuid = await insertPartner(sql);
  const group = await insertGroup(sql);
  const guids: string[] = [];
  for (const createdAt of times) {
    const { guid } = await insertRestaurant(sql, { group });
    await insertLiveConnection(sql, guid, partnerGuid, { createdAt });
    guids.push(guid);
  }
  return { partnerGuid, guids };
}

const employee = { firstName: 'Ada', lastName: 'Cook', email: 'ada@example.com', phone: '+1312' };

test('partners.restaurants.list 200 PTN-5: every field of a connection', async () => {
  const { database } = testDatabase;
  const partnerGuid = await insertPartner(database.sql);
  const columns = { name: 'Corner Diner', location_name: 'Loop' };
  const restaurant = await insertRestaurant(database.sql, { columns });
  const change = { restaurantGuid: restaurant.guid, partnerGuid, employee, origin };
  const references = { externalGroupRef: 'G-1', externalRestaurantRef: 'R-1' };
  await connect(at(database), { ...change, ...references });
  const expected = {
    restaurantGuid: restaurant.guid,
    managementGroupGuid: restaurant.managementGroupGuid,
    deleted: false,
    restaurantName: 'Corner Diner',
    locationName: 'Loop',
    createdByEmailAddress: 'ada@example.com',
    externalGroupRef: 'G-1',
    externalRestaurantRef: 'R-1',
    modifiedDate: NOW_MS,
    createdDate: NOW_MS,
    isoModifiedDate: '2026-03-01T12:00:00.000Z',
    isoCreatedDate: '2026-03-01T12:00:00.000Z',
  };
  assert.deepEqual((await list(partnerGuid)).body, [expected]);
  assert.deepEqual((await listPage(partnerGuid)).body.results, [expected]);

  const edit = { ...change, employee: { ...employee, email: 'bo@example.com' } };
  await updateReferences(at(database, NOW_MS + 7), {
    ...edit,
    externalGroupRef: null,
    externalRestaurantRef: 'R-2',
  });
  assert.deepEqual((await list(partnerGuid)).body, [
    {
      ...expected,
      createdByEmailAddress: 'bo@example.com',
      externalGroupRef: null,
      externalRestaurantRef: 'R-2',
      modifiedDate: NOW_MS + 7,
      isoModifiedDate: '2026-03-01T12:00:00.007Z',
    },
  ]);
});

test('partners.restaurants.list 200 PTN-5: a removed connection leaves both lists', async () => {
  const { database } = testDatabase;
  const { partnerGuid, guids } = await partnerWith([
    '2026-01-01T00:00:00Z',
    '2026-01-02T00:00:00Z',
  ]);
  const [kept, removed] = guids as [string, string];
  await database.sql`update restaurant set archived = true where guid = ${kept}`;
  const change = { restaurantGuid: removed, partnerGuid, employee, origin };
  await disconnect(at(database), { ...change, reason: 'Enough.' });
  for (const { body } of [await list(partnerGuid), await listPage(partnerGuid)]) {
    const restaurants = body.results ?? body;
    assert.deepEqual(guidsOf(restaurants), [kept]);
    assert.equal(restaurants[0].deleted, true);
  }
  const references = { externalGroupRef: null, externalRestaurantRef: null };
  await connect(at(database, NOW_MS + 1), { ...change, ...references });
  const { body } = await list(partnerGuid);
  assert.equal(body[1].createdDate, NOW_MS + 1, 'a connection made anew has a new creation');
});

test('partners.restaurants.list 200 PTN-5: other partners are not seen', async () => {
  await partnerWith(['2026-01-01T00:00:00Z']);
  const { partnerGuid } = await partnerWith([]);
  assert.deepEqual((await list(partnerGuid)).body, []);
});

test('partners.restaurants.list 200 API-8: lastModified, strict, or a bare date', async () => {
  const times = [
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.001Z',
    '2026-01-02T00:00:00.000Z',
  ];
  const { partnerGuid, guids } = await partnerWith(times);
  const after = async (lastModified: string) => {
    const [all, page] = [
      await list(partnerGuid, { lastModified }),
      await listPage(partnerGuid, { lastModified }),
    ];
    assert.deepEqual(page.body.results, all.body);
    assert.equal(page.body.totalCount, all.body.length);
    return guidsOf(all.body);
  };
  assert.deepEqual(await after('2025-12-31'), guids);
  assert.deepEqual(await after('2026-01-01'), guids.slice(1));
  assert.deepEqual(await after('2026-01-01T00:00:00.001Z'), guids.slice(2));
  assert.deepEqual(await after('2026-01-01T00:00:00.0009999+0000'), guids.slice(1));
  assert.deepEqual(await after('2026-01-02T00:00:00 0000'), []);
  for (const { restaurantGuid, isoModifiedDate } of (await list(partnerGuid)).body) {
    assert.ok(!(await after(isoModifiedDate)).includes(restaurantGuid), 'what was read is not new');
  }
});

test('partners 400 API-8: a lastModified that is no timestamp', async () => {
  const { partnerGuid } = await partnerWith([]);
  for (const lastModified of ['', 'x', '2026-02-30', '2026-01-01T00:00', '1767225600000']) {
    assert.equal((await list(partnerGuid, { lastModified })).status, 400);
    assert.equal((await listPage(partnerGuid, { lastModified })).status, 400);
  }
});

test('partners 403 PTN-6 AUTH-7: management group accounts', async () => {
  const customer = principal({ type: 'CUSTOMER', managementGroupGuid: newGuid() });
  for (const id of ['partners.restaurants.list', 'partners.connectedRestaurants.list'] as const) {
    const { status, body } = await callOperation(handlers, id, { principal: customer });
    assert.equal(status, 403);
    assert.match(body.message, /account of a management group/);
  }
});

test('partners.connectedRestaurants.list 200 PTN-2: numbers and tokens of each page', async () => {
  const days = ['01', '02', '03', '04', '05'];
  const { partnerGuid, guids } = await partnerWith(days.map((day) => `2026-01-${day}T00:00:00Z`));
  const first = (await listPage(partnerGuid, { pageSize: '2' })).body;
  const second = (await listPage(partnerGuid, { pageToken: first.nextPageToken })).body;
  const third = (await listPage(partnerGuid, { pageToken: second.nextPageToken })).body;
  const numbers = (page: Record<string, unknown>) => [
    page.previousPageNum,
    page.currentPageNum,
    page.nextPageNum,
    page.lastPageNum,
    page.pageSize,
    page.totalCount,
    page.totalResultCount,
  ];
  assert.deepEqual(numbers(first), [null, 1, 2, 3, 2, 5, 5]);
  assert.deepEqual(numbers(second), [1, 2, 3, 3, 2, 5, 5]);
  assert.deepEqual(numbers(third), [2, 3, null, 3, 2, 5, 5]);
  assert.deepEqual(
    [first, second, third].map(({ results }) => guidsOf(results)),
    [guids.slice(0, 2), guids.slice(2, 4), guids.slice(4)],
  );
  assert.equal(third.nextPageToken, null);
  for (const page of [first, second, third]) {
    const again = await listPage(partnerGuid, { pageToken: page.currentPageToken, pageSize: '2' });
    assert.deepEqual(again.body, page);
  }
});

test('partners.connectedRestaurants.list 200 PTN-2: nothing is one empty page', async () => {
  const { partnerGuid } = await partnerWith([]);
  const { body } = await listPage(partnerGuid);
  assert.deepEqual(
    { ...body, currentPageToken: null },
    {
      currentPageNum: 1,
      results: [],
      totalResultCount: 0,
      pageSize: 100,
      currentPageToken: null,
      nextPageToken: null,
      totalCount: 0,
      nextPageNum: null,
      lastPageNum: 1,
      previousPageNum: null,
    },
  );
});

test('partners.connectedRestaurants.list 400 PTN-3: pageSize is from 1 to 200', async () => {
  const { partnerGuid } = await partnerWith([]);
  for (const pageSize of [
    '0',
    '201',
    '-1',
    '1.5',
    '1e2',
    '',
    ' 5',
    'ten',
    '99999999999999999999',
  ]) {
    const { status, body } = await listPage(partnerGuid, { pageSize });
    assert.equal(status, 400, pageSize);
    assert.match(body.message, /pageSize must be (a whole number|from 1 to 200)/);
  }
  for (const pageSize of ['1', '200']) {
    assert.equal((await listPage(partnerGuid, { pageSize })).body.pageSize, Number(pageSize));
  }
});

test('partners.connectedRestaurants.list 400 PTN-3: a token that does not fit', async () => {
  const times = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
  const [one, other] = [await partnerWith(times), await partnerWith(times)];
  const query = { pageSize: '1', lastModified: '2025-01-01' };
  const pageToken = (await listPage(one.partnerGuid, query)).body.nextPageToken;
  const refused: [string, Query][] = [
    [other.partnerGuid, { pageToken }],
    [one.partnerGuid, { pageToken: `${pageToken}A` }],
    [one.partnerGuid, { pageToken: 'x' }],
    [one.partnerGuid, { pageToken, pageSize: '2' }],
    [one.partnerGuid, { pageToken, lastModified: '2025-01-02' }],
  ];
  for (const [partnerGuid, wrong] of refused) {
    assert.equal((await listPage(partnerGuid, wrong)).status, 400, JSON.stringify(wrong));
  }
  for (const beside of [{}, query, { lastModified: '2025-01-01T00:00:00Z' }]) {
    const { body } = await listPage(one.partnerGuid, { pageToken, ...beside });
    assert.deepEqual(guidsOf(body.results), one.guids.slice(1));
  }
  const { body } = await listPage(one.partnerGuid, { pageToken: '' });
  assert.equal(body.currentPageNum, 1, 'an empty pageToken counts as absent');
});

/** The relations and addresses of a Link header (RFC 8288). */
function linksOf({ headers }: TestAnswer): Record<string, URL> {
  const links = [...(headers.link ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"(?:, )?/g)];
  assert.equal(links.map(([whole]) => whole).join(''), headers.link);
  return Object.fromEntries(
    links.map(([, address, relation]) => [relation, new URL(address ?? '')]),
  );
}

test('partners.connectedRestaurants.list 200 PTN-4: Link leads through all pages', async () => {
  const times = ['01', '02', '03'].map((day) => `2026-01-${day}T00:00:00Z`);
  const { partnerGuid, guids } = await partnerWith(times);
  const lastModified = '2026-01-01T00:00:00.000+0000';
  let answer = await listPage(partnerGuid, { pageSize: '1', lastModified });
  const firstPage = answer.body;
  const seen = guidsOf(answer.body.results);
  while (linksOf(answer).next) {
    const { next } = linksOf(answer) as { next: URL };
    assert.equal(
      next.origin + next.pathname,
      'http://127.0.0.1:4400/partners/v1/connectedRestaurants',
    );
    assert.equal(next.searchParams.get('lastModified'), lastModified);
    assert.equal(next.searchParams.get('pageToken'), answer.body.nextPageToken);
    answer = await listPage(partnerGuid, Object.fromEntries(next.searchParams));
    seen.push(...guidsOf(answer.body.results));
  }
  assert.deepEqual(seen, guids.slice(1));
  const { first } = linksOf(answer) as { first: URL };
  const again = await listPage(partnerGuid, Object.fromEntries(first.searchParams));
  assert.deepEqual(again.body, firstPage);
});

test('partners.connectedRestaurants.list 200 PTN-4: links keep lastModified', async () => {
  const { partnerGuid } = await partnerWith(['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']);
  const query = { pageSize: '1', lastModified: '2025-12-31' };
  const { body } = await listPage(partnerGuid, query);
  const second = await listPage(partnerGuid, { pageToken: body.nextPageToken });
  const { first, next } = linksOf(second);
  assert.equal(first?.searchParams.get('lastModified'), '2025-12-31T00:00:00.000000Z');
  assert.equal(next, undefined);
});

test('partners.connectedRestaurants.list 200 PTN-1: the switch makes it a list', async () => {
  const { database } = testDatabase;
  const { partnerGuid } = await partnerWith(['2026-01-01T00:00:00Z']);
  const deps = { database, vault, connectedRestaurantsShape: 'array' } as const;
  const { body } = await listPage(partnerGuid, {}, partnerHandlers(deps));
  assert.deepEqual(body, [(await listPage(partnerGuid)).body]);
});

test('partners property PTN-2 PTN-3: pages of any size hold each restaurant once, in order', async () => {
  // Few different times, so that many connections share one and the guid decides.
  const times = fc.array(fc.constantFrom('01', '02', '03'), { maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 1, max: 10 }), async (drawn, size) => {
      const { partnerGuid, guids } = await partnerWith(
        drawn.map((day) => `2026-01-${day}T00:00:00.00${Number(day)}Z`),
      );
      const order = guids.map((guid, index) => `${drawn[index]} ${guid}`).toSorted();
      const seen: string[] = [];
      let page = (await listPage(partnerGuid, { pageSize: String(size) })).body;
      for (let number = 1; ; number += 1) {
        assert.equal(page.currentPageNum, number);
        assert.equal(page.lastPageNum, Math.max(1, Math.ceil(guids.length / size)));
        seen.push(...guidsOf(page.results));
        if (page.nextPageToken === null) break;
        page = (await listPage(partnerGuid, { pageToken: page.nextPageToken })).body;
      }
      assert.deepEqual(
        seen,
        order.map((entry) => entry.slice(3)),
      );
      assert.deepEqual(guidsOf((await list(partnerGuid)).body), seen);
    }),
    { numRuns: 30 },
  );
});

test('partners.connectedRestaurants.list 200 PTN-2: numbers fit when connections go', async () => {
  const { database } = testDatabase;
  const times = ['01', '02', '03', '04'].map((day) => `2026-01-${day}T00:00:00Z`);
  const { partnerGuid, guids } = await partnerWith(times);
  const first = (await listPage(partnerGuid, { pageSize: '2' })).body;
  for (const restaurantGuid of guids.slice(0, 3)) {
    const change = { restaurantGuid, partnerGuid, employee, origin };
    await disconnect(at(database), { ...change, reason: 'Enough.' });
  }
  const { body } = await listPage(partnerGuid, { pageToken: first.nextPageToken });
  assert.deepEqual(guidsOf(body.results), guids.slice(3));
  assert.deepEqual([body.currentPageNum, body.lastPageNum, body.totalCount], [2, 2, 1]);
});
