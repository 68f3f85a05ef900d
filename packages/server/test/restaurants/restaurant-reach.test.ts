import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import type { Caller } from '../../src/http/operation.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { partnerHandlers } from '../../src/partners/partner/handlers.ts';
import type { Place } from '../../src/reach/reach.ts';
import { restaurantHandlers } from '../../src/restaurants/partner/handlers.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, principal, type TestAnswer } from '../request.ts';
import { insertLiveConnection, insertPartner } from '../rows.ts';
import {
  ofGroup,
  ofRestaurant,
  openRestaurantFixture,
  operator,
  person,
  type RestaurantFixture,
} from './fixture.ts';

let fixture: RestaurantFixture;
before(async () => {
  fixture = await openRestaurantFixture();
});
after(() => fixture.drop());

const change = { general: { description: 'Changed' } };
const operations: readonly (readonly [name: string, body?: object])[] = [
  ['get'],
  ['update', change],
  ['archive'],
  ['unarchive'],
];

async function statusesOf(by: Caller, guid: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const [name, body] of operations) {
    statuses.push((await fixture.call(`restaurants.${name}`, { by, guid, body })).status);
  }
  return statuses;
}

test('backOffice.restaurants 200 403 404: what each kind of caller may do, and where', async () => {
  const [group, otherGroup] = [await fixture.newGroup(), await fixture.newGroup()];
  const { guid: own } = await fixture.newRestaurant(group);
  const { guid: sibling } = await fixture.newRestaurant(group);
  const { guid: foreign } = await fixture.newRestaurant(otherGroup);
  const reader = (place: Place): Caller => ({
    ...(person(place) as Extract<Caller, { type: 'PERSON' }>),
    grants: [{ scopes: new Set(['restaurants.admin:read']), place }],
  });
  const all = [200, 200, 200, 200];
  const none = [404, 404, 404, 404];
  const fields = [200, 200, 403, 403];
  const looks = [200, 403, 403, 403];
  for (const [who, by, expected] of [
    ['the platform', operator, [all, all, all]],
    ["a group's account", ofGroup(group), [all, all, none]],
    ["a group's administrator", person({ kind: 'group', guid: group }), [all, all, none]],
    ["a restaurant's administrator", ofRestaurant(own), [fields, none, none]],
    ['a reader of a group', reader({ kind: 'group', guid: group }), [looks, looks, none]],
    ['a reader of a restaurant', reader({ kind: 'restaurant', guid: own }), [looks, none, none]],
    ['nobody in particular', person(), [none, none, none]],
    [
      'who reads a group and administers one restaurant of it',
      {
        ...(ofRestaurant(own) as Extract<Caller, { type: 'PERSON' }>),
        grants: [
          ...(ofRestaurant(own) as Extract<Caller, { type: 'PERSON' }>).grants,
          {
            scopes: new Set(['restaurants.admin:read']),
            place: { kind: 'group', guid: group },
          },
        ],
      } as Caller,
      [fields, looks, none],
    ],
  ] as const) {
    const found = [await statusesOf(by, own), await statusesOf(by, sibling)];
    assert.deepEqual([...found, await statusesOf(by, foreign)], expected, who);
  }
  assert.deepEqual(await statusesOf(operator, newGuid()), none);
});

test('backOffice.restaurants.list 200: only what is reached, by any filter', async () => {
  const [group, otherGroup] = [await fixture.newGroup(), await fixture.newGroup()];
  const word = newGuid();
  const made = async (inGroup: string, general: object) =>
    (await fixture.newRestaurant(inGroup, general)).guid as string;
  const own = await made(group, { name: `Anchor ${word}`, locationCode: 'ANC' });
  const sibling = await made(group, { name: 'Bay', locationName: `Pier ${word}` });
  const foreign = await made(otherGroup, { name: 'Cove', locationCode: word.slice(0, 30) });
  await fixture.call('restaurants.archive', { guid: sibling });
  const guids = async (query: Readonly<Record<string, string>>, by = operator) => {
    const { status, body } = await fixture.call('restaurants.list', { query, by });
    assert.equal(status, 200);
    return body.results.map(({ guid }: { guid: string }) => guid);
  };
  const search = word.slice(0, 30).toUpperCase();
  assert.deepEqual(await guids({ search }), [own, sibling, foreign]);
  assert.deepEqual(await guids({ search, archived: 'true' }), [sibling]);
  assert.deepEqual(await guids({ search, archived: 'false' }), [own, foreign]);
  assert.deepEqual(await guids({ search, managementGroupGuid: group }), [own, sibling]);
  assert.deepEqual(await guids({ search: 'anc', managementGroupGuid: group }), [own]);
  assert.deepEqual(await guids({}, ofGroup(group)), [own, sibling]);
  assert.deepEqual(await guids({}, ofRestaurant(sibling)), [sibling]);
  assert.deepEqual(await guids({ managementGroupGuid: otherGroup }, ofGroup(group)), []);
  const mixed = person({ kind: 'restaurant', guid: own }, { kind: 'group', guid: otherGroup });
  assert.deepEqual(await guids({ search }, mixed), [own, foreign]);
  const refused = await fixture.call('restaurants.list', { query: { managementGroupGuid: 'x' } });
  assert.equal(refused.status, 400);
});

test('backOffice.restaurants.list 200: pages hold every restaurant once, by name', async () => {
  const group = await fixture.newGroup();
  const names = ['Same', 'Same', 'Same', 'Zander', 'Aal', 'x'.repeat(255), `${'x'.repeat(254)}y`];
  for (const name of names) await fixture.newRestaurant(group, { name });
  const seen: string[] = [];
  for (let pageToken: string | null = ''; pageToken !== null; ) {
    const query = { pageSize: '3', ...(pageToken ? { pageToken } : {}) };
    const { body }: TestAnswer = await fixture.call('restaurants.list', {
      by: ofGroup(group),
      query,
    });
    seen.push(...body.results.map(({ guid }: { guid: string }) => guid));
    pageToken = body.nextPageToken;
  }
  assert.equal(new Set(seen).size, names.length);
  assert.equal(seen.length, names.length);
});

/** What partners see of the restaurants of the fixture. */
function partnerSide() {
  const { database } = fixture;
  const access = restaurantAccess({ ...idleCaches(database), database });
  const vault = createVault(Buffer.alloc(32, 7));
  return {
    ...restaurantHandlers({ ...idleCaches(database), database, access, groupList: 'all' }),
    ...partnerHandlers({ database, vault, connectedRestaurantsShape: 'object' } as never),
  };
}

test('restaurants.get partners.restaurants.list PTN-5 RST-2: partners see a change at once', async () => {
  const group = await fixture.newGroup();
  const partnerGuid = await insertPartner(fixture.database.sql);
  const client = principal({ partnerGuid });
  const [first, second] = [await fixture.newRestaurant(group), await fixture.newRestaurant(group)];
  for (const { guid } of [first, second]) {
    await insertLiveConnection(fixture.database.sql, guid, partnerGuid);
  }
  const handlers = partnerSide();
  const since = async (ms: number) => {
    const lastModified = new Date(ms).toISOString();
    const query = { lastModified };
    const { body } = await callOperation(handlers, 'partners.restaurants.list', {
      principal: client,
      query,
    });
    return body.map(
      (each: { restaurantGuid: string; restaurantName: string; deleted: boolean }) => [
        each.restaurantGuid,
        each.restaurantName,
        each.deleted,
      ],
    );
  };
  const info = (guid: string, query = {}) =>
    callOperation(handlers, 'restaurants.get', {
      principal: client,
      restaurant: contextOf(second.guid, group),
      params: { restaurantGUID: guid },
      query,
    });
  fixture.clock.advance(3_600_000);
  let readMs = fixture.clock.nowMs() - 1;
  assert.deepEqual(await since(readMs), []);
  await fixture.call('restaurants.update', {
    guid: first.guid,
    body: { general: { name: 'New' } },
  });
  assert.equal((await info(first.guid)).body.general.name, 'New');
  assert.deepEqual(await since(readMs), [[first.guid, 'New', false]]);

  readMs = fixture.clock.nowMs();
  fixture.clock.advance(1_000);
  const body = { prepTimes: { takeoutPrepTime: 9 } };
  await fixture.call('restaurants.update', { guid: first.guid, body });
  assert.equal((await info(first.guid)).body.prepTimes.takeoutPrepTime, 9);
  assert.deepEqual(await since(readMs), [], 'what the list does not tell dates nothing');

  await fixture.call('restaurants.archive', { guid: first.guid });
  assert.deepEqual(await since(readMs), [[first.guid, 'New', true]]);
  assert.equal((await info(first.guid)).status, 404);
  const archived = await info(first.guid, { includeArchived: 'true' });
  assert.equal(archived.body.general.archived, true);
  const inGroup = async () =>
    (
      await callOperation(handlers, 'restaurants.listGroup', {
        principal: client,
        restaurant: contextOf(second.guid, group),
        params: { managementGroupGUID: group },
      })
    ).body;
  assert.deepEqual(await inGroup(), [{ guid: second.guid }]);
  fixture.clock.advance(1_000);
  readMs = fixture.clock.nowMs() - 1;
  await fixture.call('restaurants.unarchive', { guid: first.guid });
  assert.deepEqual(await since(readMs), [[first.guid, 'New', false]]);
  assert.equal((await inGroup()).length, 2);
});

function contextOf(guid: string, managementGroupGuid: string) {
  const rest = { timeZone: 'UTC', currencyCode: 'USD', archived: false, publishNumber: 1 };
  return { guid, managementGroupGuid, ...rest };
}

test('backOffice.restaurants.archive 200: repeats are harmless, and it is recorded', async () => {
  const group = await fixture.newGroup();
  const made = await fixture.newRestaurant(group);
  const by = ofGroup(group);
  fixture.clock.advance(1_000);
  const archived = await fixture.call('restaurants.archive', { by, guid: made.guid });
  const general = { ...made.general, archived: true };
  const modifiedAt = new Date(fixture.clock.nowMs()).toISOString();
  assert.deepEqual(archived.body, { ...made, general, version: 2, modifiedAt });
  fixture.clock.advance(1_000);
  const repeated = await fixture.call('restaurants.archive', { by, guid: made.guid });
  assert.deepEqual(repeated.body, archived.body);
  // What is archived can still be corrected, and says so itself when it is sent back.
  const corrected = await fixture.call('restaurants.update', {
    by,
    guid: made.guid,
    body: { ...archived.body, general: { ...general, description: 'Made in error' } },
  });
  assert.deepEqual([corrected.status, corrected.body.general.archived], [200, true]);
  await fixture.call('managementGroups.archive', { guid: group });
  const refused = await fixture.call('restaurants.unarchive', { by, guid: made.guid });
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /is archived: unarchive it first/);
  await fixture.call('managementGroups.unarchive', { guid: group });
  const back = await fixture.call('restaurants.unarchive', { by, guid: made.guid });
  assert.deepEqual([back.body.general.archived, back.body.version], [false, 4]);
  const recorded = await fixture.changesOf(made.guid);
  assert.deepEqual(
    recorded.map(({ operation }) => operation.replace('backOffice.restaurants.', '')),
    ['create', 'archive', 'update', 'unarchive'],
  );
});
