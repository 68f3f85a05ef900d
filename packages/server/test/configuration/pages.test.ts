import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import fc from 'fast-check';
import { openCaches } from '../../src/boot/caches.ts';
import { configurationHandlers } from '../../src/configuration/partner/handlers.ts';
import {
  type CollectionPosition,
  type PageRequest,
  readPage,
} from '../../src/configuration/partner/read-page.ts';
import { renderer } from '../../src/configuration/render.ts';
import { readingAnywhere } from '../../src/database/read-anywhere.ts';
import { StatementNotes } from '../../src/database/statement-times.ts';
import { bucketOf } from '../../src/freshness/subjects.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { pageTokens } from '../../src/http/paging.ts';
import { alongOf } from '../../src/http/read-along.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { alwaysFresh, idleCaches } from '../freshness/caches.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import {
  insertLiveConnection,
  insertObject,
  insertPartner,
  insertRestaurant,
  publish,
} from '../rows.ts';

const vault = createVault(Buffer.alloc(32, 1));

let testDatabase: TestDatabase;
let handlers: ReturnType<typeof configurationHandlers>;
before(async () => {
  testDatabase = await createTestDatabase();
  handlers = configurationHandlers({
    ...idleCaches(testDatabase.database),
    database: testDatabase.database,
    vault,
    brand: 'Acme',
  });
});
after(() => testDatabase.drop());

type Query = Readonly<Record<string, string>>;

/** Calls the list of printers (or another collection) of a restaurant. */
function list(restaurant: RestaurantContext, query: Query = {}, collection = 'printers') {
  const id = `configuration.${collection}.list` as 'configuration.printers.list';
  return callOperation(handlers, id, { restaurant, query });
}

/** A restaurant with so many printers, whose guids it gives in order, and an archived one. */
async function restaurantWith(count: number) {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql);
  const guids = Array.from({ length: count }, newGuid).toSorted();
  const archived = newGuid();
  await sql`
    insert into configuration_object (restaurant_guid, collection, guid, fields, archived,
      modified_at)
    select ${restaurant.guid}, 'printers', guid, '{"name": "Bar"}', guid = ${archived}::uuid,
      '2026-01-01T00:00:00Z'
    from unnest(${[archived, ...guids]}::uuid[]) as printer (guid)`;
  return { restaurant, guids };
}

const tokenOf = ({ headers }: TestAnswer): string => headers['acme-next-page-token'] ?? '';
const guidsOf = ({ body }: TestAnswer): string[] => body.map(({ guid }: { guid: string }) => guid);

test('configuration.printers.list 200 CFG-9: 300 fit in one answer; none is a list too', async () => {
  const { restaurant } = await restaurantWith(300);
  const full = await list(restaurant);
  assert.equal(full.body.length, 300);
  assert.deepEqual(full.headers, {});
  assert.deepEqual((await list(restaurant, {}, 'menuItems')).body, []);
});

test('configuration.printers.list 200 CFG-9: an empty pageToken counts as absent', async () => {
  const { restaurant, guids } = await restaurantWith(2);
  assert.deepEqual(guidsOf(await list(restaurant, { pageToken: '' })), guids);
});

/** A process that remembers nothing yet, and a restaurant with one printer. */
async function openCold() {
  const { database } = testDatabase;
  const caches = openCaches(alwaysFresh(database), 1_000_000, readingAnywhere(database));
  const access = restaurantAccess({ database, ...caches });
  const handlers = configurationHandlers({ ...caches, database, vault, brand: 'Acme' });
  const id = 'configuration.printers.list';
  const { restaurant, guids } = await restaurantWith(1);
  const sentQuery = {};
  const asked = () => alongOf(handlers[id], { restaurantGuid: restaurant.guid, sentQuery });
  const statements = new StatementNotes();
  const counted = <T>(work: () => T) => database.statementTimes.during(statements, work);
  /** As the pipeline does: access first, then the handler. */
  const ask = async (partnerGuid: string, meanwhile = async () => {}) => {
    const caller = principal({ partnerGuid });
    const decision = await counted(() => access(caller, restaurant.guid, asked));
    if (decision.outcome !== 'granted') return decision.outcome;
    await meanwhile();
    const { restaurant: admitted, along } = decision;
    const parts = { restaurant: admitted, ...(along && { along }) };
    return guidsOf(await counted(() => callOperation(handlers, id, parts)));
  };
  const partnerGuid = await insertPartner(database.sql);
  await insertLiveConnection(database.sql, restaurant.guid, partnerGuid);
  return { restaurant, guids, ask, statements, partnerGuid };
}

test('configuration.printers.list 200: a cold page and the access to it are one statement', async () => {
  const { guids, ask, statements, partnerGuid } = await openCold();
  const { freshness, sql } = testDatabase.database;
  // From the first look on, what is read without its counters takes a statement more.
  await freshness.look(sql);
  assert.deepEqual(await ask(partnerGuid), guids);
  assert.equal(statements.count, 1);
  assert.deepEqual(await ask(partnerGuid), guids);
  assert.equal(statements.count, 1);
  assert.equal(await ask(await insertPartner(testDatabase.database.sql)), 'notGranted');
});

test('configuration.printers.list 200: what changes after the access is seen', async () => {
  const { sql, freshness } = testDatabase.database;
  const { restaurant, guids, ask, partnerGuid } = await openCold();
  const read = await ask(partnerGuid, async () => {
    guids.push(await insertObject(sql, restaurant.guid, 'printers'));
    freshness.changed([bucketOf(`configuration:${restaurant.guid}`)]);
  });
  assert.deepEqual(read, guids.toSorted());
});

/** Reads all pages of the given size; gives the guids of each. */
async function walk(request: Omit<PageRequest, 'pageToken'>, pageSize: number) {
  const tokens = pageTokens<CollectionPosition>(vault, 'configuration');
  const render = renderer(request.collection, 'Platform');
  const { sql, freshness } = testDatabase.database;
  const deps = { sql, freshness, tokens, render, pageSize };
  const pages: string[][] = [];
  let pageToken: string | null | undefined;
  do {
    const page = await readPage(deps, { ...request, pageToken: pageToken ?? undefined });
    pages.push(page.objects.map((object) => (object as { guid: string }).guid));
    pageToken = page.nextPageToken;
    assert.ok(pages.length < 100, 'the pages come to an end');
  } while (pageToken !== null);
  return pages;
}

test('configuration property CFG-9: pages of any size hold every object once, in order', async () => {
  const counts = fc.nat({ max: 12 });
  const sizes = fc.integer({ min: 1, max: 13 });
  await fc.assert(
    fc.asyncProperty(counts, sizes, async (count, pageSize) => {
      const { restaurant, guids } = await restaurantWith(count);
      const request = { restaurantGuid: restaurant.guid, collection: 'printers' } as const;
      const pages = await walk({ ...request, lastModified: undefined }, pageSize);
      assert.deepEqual(pages.flat(), guids);
      assert.equal(pages.length, Math.max(1, Math.ceil(count / pageSize)));
      const none = await walk({ ...request, lastModified: '2026-01-01T00:00:00Z' }, pageSize);
      assert.deepEqual(none, [[]]);
      const recent = await walk({ ...request, lastModified: '2025-12-31T00:00:00Z' }, pageSize);
      assert.deepEqual(recent.flat(), guids);
    }),
    { numRuns: 40 },
  );
});

test('configuration CFG-9: pages of what changed hold everything, also after much changed', async () => {
  const { restaurant, guids } = await restaurantWith(1_001);
  const address = { restaurantGuid: restaurant.guid, collection: 'printers' } as const;
  const changed = await walk({ ...address, lastModified: '2025-12-31T00:00:00Z' }, 300);
  assert.deepEqual(changed.flat(), guids);
});

test('configuration CFG-8 CFG-9: no page mixes two publications, however they fall', async () => {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql);
  const target = await insertObject(sql, restaurant.guid, 'menus', { externalId: 'v1' });
  const group = { name: 'v1', menu: target };
  await insertObject(sql, restaurant.guid, 'menuGroups', { fields: group });
  const publishNext = (version: number) =>
    testDatabase.database.transaction(async (transaction) => {
      await transaction`
        update configuration_object
        set fields = ${transaction.json({ ...group, name: `v${version}` })}
        where restaurant_guid = ${restaurant.guid} and collection = 'menuGroups'`;
      await transaction`
        update configuration_object set external_id = ${`v${version}`}
        where restaurant_guid = ${restaurant.guid} and collection = 'menus'`;
      await publish(transaction, restaurant.guid);
    });
  for (let version = 2; version <= 20; version += 1) {
    const reads = Array.from({ length: 4 }, () => list(restaurant, {}, 'menuGroups'));
    const [answers] = await Promise.all([Promise.all(reads), publishNext(version)]);
    for (const { body } of answers) assert.equal(body[0].name, body[0].menu.externalId);
  }
});

test('configuration.printers.list 400 CFG-9: a token that this list did not give', async () => {
  const { restaurant } = await restaurantWith(301);
  const other = await restaurantWith(301);
  const token = tokenOf(await list(restaurant));
  const changed = token.slice(0, -3) + (token.endsWith('AAA') ? 'BBB' : 'AAA');
  const foreign = tokenOf(await list(other.restaurant));
  for (const pageToken of [changed, foreign, 'x', `${token} `, token.slice(1), '%00']) {
    const answer = await list(restaurant, { pageToken });
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /^pageToken does not come from this list/);
  }
  const elsewhere = await list(restaurant, { pageToken: token }, 'menuItems');
  assert.equal(elsewhere.status, 400);
});
