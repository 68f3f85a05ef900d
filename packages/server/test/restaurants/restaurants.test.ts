import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import type { Principal, RestaurantContext } from '../../src/http/operation.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { restaurantHandlers } from '../../src/restaurants/partner/handlers.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation, principal } from '../request.ts';
import { insertLiveConnection, insertPartner, insertRestaurant } from '../rows.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

function handlers(groupList: 'all' | 'reachable' = 'all') {
  const { database } = testDatabase;
  const caches = idleCaches(database);
  const access = restaurantAccess({ ...caches, database });
  return restaurantHandlers({ ...caches, database, access, groupList });
}

const get = (
  restaurant: RestaurantContext,
  restaurantGUID: string,
  client: Principal,
  query: Readonly<Record<string, string>> = {},
) =>
  callOperation(handlers(), 'restaurants.get', {
    restaurant,
    principal: client,
    params: { restaurantGUID },
    query,
  });

const listGroup = (
  restaurant: RestaurantContext,
  managementGroupGUID: string,
  client: Principal = principal(),
  using = handlers(),
) =>
  callOperation(using, 'restaurants.listGroup', {
    restaurant,
    principal: client,
    params: { managementGroupGUID },
  });

const customerOf = ({ managementGroupGuid }: RestaurantContext) =>
  principal({ type: 'CUSTOMER', managementGroupGuid });

/** Sections as stored, in no particular order, none of their fields at its default. */
const sections = {
  urls: {
    checkGiftCard: 'https://a.example/check',
    website: 'https://a.example',
    facebook: 'corner',
    twitter: '@corner',
    orderOnline: 'https://a.example/order',
    purchaseGiftCard: 'https://a.example/gift',
  },
  location: {
    address1: '1 Lake St',
    address2: 'Unit 2',
    city: 'Chicago',
    stateCode: 'IL',
    administrativeArea: 'Illinois',
    zipCode: '60601',
    country: 'US',
    phone: '3125550100',
    phoneCountryCode: '1',
    latitude: 41.88,
    longitude: -87.63,
  },
  schedules: {
    weekSchedule: {
      monday: '11',
      tuesday: '11',
      wednesday: '11',
      thursday: '11',
      friday: '11',
      saturday: '11',
      sunday: null,
    },
    daySchedules: {
      '11': {
        scheduleName: 'Weekday',
        services: [
          {
            overnight: true,
            name: 'Dinner',
            hours: { startTime: '17:00:00.000', endTime: '01:00:00.000' },
          },
        ],
        openTime: '17:00:00.000',
        closeTime: '01:00:00.000',
      },
    },
  },
  delivery: { enabled: true, minimum: 12.5, area: '_p~iF~ps|U_ulLnnqC_mqNvxq`@' },
  online_ordering: {
    enabled: true,
    scheduling: true,
    specialRequests: true,
    specialRequestsMessage: 'Tell us',
    paymentOptions: {
      delivery: { cash: true, ccSameDay: true, ccFuture: true },
      takeout: { cash: true, ccSameDay: true, ccFuture: true, ccInStore: true },
      ccTip: true,
    },
  },
  prep_times: {
    deliveryPrepTime: 30,
    deliveryTimeAfterOpen: 0,
    deliveryTimeBeforeClose: 0,
    takeoutPrepTime: 15,
    takeoutTimeAfterOpen: 0,
    takeoutTimeBeforeClose: 0,
    takeoutThrottlingTime: 5,
    deliveryThrottlingTime: 6,
  },
};

test("restaurants.get 200 RST-5: every section and field, in the contract's order", async () => {
  const columns = { name: 'Corner Diner', location_name: 'Loop', ...sections };
  const restaurant = await insertRestaurant(testDatabase.database.sql, { columns });
  await testDatabase.database.sql`
    update restaurant
    set location_code = 'CHI', description = 'All day', first_business_date = 20200229
    where guid = ${restaurant.guid}`;
  const { body } = await get(restaurant, restaurant.guid.toUpperCase(), customerOf(restaurant));
  assert.deepEqual(body, {
    guid: restaurant.guid,
    general: {
      name: 'Corner Diner',
      locationName: 'Loop',
      locationCode: 'CHI',
      description: 'All day',
      timeZone: 'America/Chicago',
      closeoutHour: 4,
      managementGroupGuid: restaurant.managementGroupGuid,
      currencyCode: 'USD',
      firstBusinessDate: 20200229,
      archived: false,
    },
    urls: sections.urls,
    location: sections.location,
    schedules: sections.schedules,
    delivery: sections.delivery,
    onlineOrdering: sections.online_ordering,
    prepTimes: sections.prep_times,
  });
  assert.deepEqual(Object.keys(body), [
    'guid',
    'general',
    'urls',
    'location',
    'schedules',
    'delivery',
    'onlineOrdering',
    'prepTimes',
  ]);
  assert.deepEqual(Object.keys(body.urls).slice(0, 2), ['website', 'facebook']);
  assert.deepEqual(Object.keys(body.schedules), ['daySchedules', 'weekSchedule']);
});

test('restaurants.get 200 RST-5 API-10: what was never set is null, empty or the default', async () => {
  const restaurant = await insertRestaurant(testDatabase.database.sql);
  const { body } = await get(restaurant, restaurant.guid, customerOf(restaurant));
  assert.equal(body.general.description, null);
  assert.equal(body.general.firstBusinessDate, null);
  assert.ok(Object.values(body.urls).every((value) => value === null));
  assert.equal(Object.keys(body.location).length, 11);
  assert.deepEqual(body.schedules.daySchedules, {});
  assert.equal(body.schedules.weekSchedule.monday, null);
  assert.deepEqual(body.delivery, { enabled: false, minimum: null, area: null });
  assert.deepEqual(body.onlineOrdering.paymentOptions.delivery, {
    cash: false,
    ccSameDay: false,
    ccFuture: false,
  });
  assert.ok(Object.values(body.prepTimes).every((minutes) => minutes === null));
});

test('restaurants.get 404 RST-1: malformed; unknown and out of reach are the same', async () => {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql);
  const elsewhere = await insertRestaurant(sql);
  const messages = new Set<string>();
  for (const guid of ['diner', '']) {
    const { status, body } = await get(restaurant, guid, customerOf(restaurant));
    assert.equal(status, 404);
    assert.match(body.message, /restaurantGUID must be a GUID/);
  }
  for (const guid of [newGuid(), elsewhere.guid]) {
    const { status, body } = await get(restaurant, guid, customerOf(restaurant));
    assert.equal(status, 404);
    messages.add(body.message);
  }
  assert.equal(messages.size, 1);
});

test('restaurants.get 200 RST-3: the path may name another one in reach', async () => {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql);
  const [connected, other] = [await insertRestaurant(sql), await insertRestaurant(sql)];
  const partnerGuid = await insertPartner(sql);
  for (const { guid } of [restaurant, connected])
    await insertLiveConnection(sql, guid, partnerGuid);
  const partner = principal({ partnerGuid });
  assert.equal((await get(restaurant, connected.guid, partner)).body.guid, connected.guid);
  assert.equal((await get(restaurant, other.guid, partner)).status, 404);
});

test('restaurants.get 200 404 RST-1 RST-2: an archived restaurant needs includeArchived', async () => {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql);
  const group = restaurant.managementGroupGuid;
  const archived = await insertRestaurant(sql, { group, archived: true });
  const client = customerOf(restaurant);
  assert.equal((await get(restaurant, archived.guid, client)).status, 404);
  const no = await get(restaurant, archived.guid, client, { includeArchived: 'false' });
  assert.equal(no.status, 404);
  const yes = await get(restaurant, archived.guid, client, { includeArchived: 'true' });
  assert.equal(yes.body.general.archived, true);
  const live = await get(restaurant, restaurant.guid, client, { includeArchived: 'true' });
  assert.equal(live.body.general.archived, false);
});

test('restaurants.get 200 403 RST-2: an archived restaurant may only name itself', async () => {
  const { sql } = testDatabase.database;
  const archived = await insertRestaurant(sql, { archived: true });
  const live = await insertRestaurant(sql, { group: archived.managementGroupGuid });
  const client = customerOf(archived);
  const query = { includeArchived: 'true' };
  assert.equal((await get(archived, archived.guid, client, query)).status, 200);
  assert.equal((await get(archived, archived.guid, client)).status, 404);
  assert.equal((await get(archived, live.guid, client, query)).status, 403);
});

test('restaurants.get 400 RST-2: includeArchived that is not a boolean', async () => {
  const restaurant = await insertRestaurant(testDatabase.database.sql);
  for (const includeArchived of ['', 'yes', '1', 'truee', 'null']) {
    const answer = await get(restaurant, restaurant.guid, customerOf(restaurant), {
      includeArchived,
    });
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /^includeArchived must be true or false/);
  }
});

test('restaurants.listGroup 200 RST-4: every non-archived member, ordered by guid', async () => {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql);
  const group = restaurant.managementGroupGuid;
  const sister = await insertRestaurant(sql, { group });
  await insertRestaurant(sql, { group, archived: true });
  await insertRestaurant(sql);
  const { status, body } = await listGroup(restaurant, group.toUpperCase());
  assert.equal(status, 200);
  const guids = [restaurant.guid, sister.guid].toSorted();
  assert.deepEqual(
    body,
    guids.map((guid) => ({ guid })),
  );
});

test('restaurants.listGroup 404 RST-4: an unknown or malformed group', async () => {
  const restaurant = await insertRestaurant(testDatabase.database.sql);
  for (const group of [newGuid(), 'group', '']) {
    const { status, body } = await listGroup(restaurant, group);
    assert.equal(status, 404);
    assert.match(body.message, /names no management group|managementGroupGUID must be a GUID/);
  }
});

test('restaurants.listGroup 403 RST-4: the restaurant of the header is not in the group', async () => {
  const { sql } = testDatabase.database;
  const [restaurant, other] = [await insertRestaurant(sql), await insertRestaurant(sql)];
  const { status, body } = await listGroup(restaurant, other.managementGroupGuid);
  assert.equal(status, 403);
  assert.match(body.message, /does not belong to the management group/);
});

test('restaurants.listGroup 200 RST-4: the switch reachable limits partners', async () => {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql);
  const group = restaurant.managementGroupGuid;
  const sister = await insertRestaurant(sql, { group });
  const partnerGuid = await insertPartner(sql);
  await insertLiveConnection(sql, restaurant.guid, partnerGuid);
  const using = handlers('reachable');
  const partner = await listGroup(restaurant, group, principal({ partnerGuid }), using);
  assert.deepEqual(partner.body, [{ guid: restaurant.guid }]);
  const customer = await listGroup(restaurant, group, customerOf(restaurant), using);
  assert.deepEqual(
    customer.body.map(({ guid }: { guid: string }) => guid),
    [restaurant.guid, sister.guid].toSorted(),
  );
});
