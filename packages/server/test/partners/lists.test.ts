import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createVault } from '@servery/support/secret.ts';
import fc from 'fast-check';
import { disconnect } from '../../src/partners/connections.ts';
import { partnerHandlers } from '../../src/partners/partner/handlers.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
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

/** The relations and addresses of a Link header (RFC 8288). */
function linksOf({ headers }: TestAnswer): Record<string, URL> {
  const links = [...(headers.link ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"(?:, )?/g)];
  assert.equal(links.map(([whole]) => whole).join(''), headers.link);
  return Object.fromEntries(
    links.map(([, address, relation]) => [relation, new URL(address ?? '')]),
  );
}

test('partners.connectedRestaurants.list 200 PTN-4: links keep lastModified', async () => {
  const { partnerGuid } = await partnerWith(['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']);
  const query = { pageSize: '1', lastModified: '2025-12-31' };
  const { body } = await listPage(partnerGuid, query);
  const second = await listPage(partnerGuid, { pageToken: body.nextPageToken });
  const { first, next } = linksOf(second);
  assert.equal(first?.searchParams.get('lastModified'), '2025-12-31T00:00:00.000000Z');
  assert.equal(next, undefined);
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
