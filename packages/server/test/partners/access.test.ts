import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { restaurantAccess } from '../../src/partners/access.ts';
import { connect, disconnect, updateReferences } from '../../src/partners/connections.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { principal } from '../request.ts';
import { insertLiveConnection, insertPartner, insertRestaurant, publish } from '../rows.ts';
import { at, origin } from './test-origin.ts';

let testDatabase: TestDatabase;
let access: ReturnType<typeof restaurantAccess>;
before(async () => {
  testDatabase = await createTestDatabase();
  access = restaurantAccess({
    ...idleCaches(testDatabase.database),
    database: testDatabase.database,
  });
});
after(() => testDatabase.drop());

const employee = { firstName: 'Ada', lastName: 'Cook', email: 'ada@example.com', phone: null };
const references = { externalGroupRef: 'G-1', externalRestaurantRef: null };

/** A restaurant and a partner that are not connected. */
async function strangers(archived = false) {
  const { sql } = testDatabase.database;
  const restaurant = await insertRestaurant(sql, { archived });
  const partnerGuid = await insertPartner(sql);
  const change = { restaurantGuid: restaurant.guid, partnerGuid, employee, origin };
  return { restaurant, partnerGuid, change, partner: principal({ partnerGuid }) };
}

const granted = (restaurant: RestaurantContext) => ({ outcome: 'granted', restaurant });

test('access AUTH-7: a PARTNER reaches exactly the restaurants that are connected to it', async () => {
  const { sql } = testDatabase.database;
  const { restaurant, partnerGuid, partner } = await strangers();
  const other = await strangers();
  await insertLiveConnection(sql, restaurant.guid, partnerGuid);
  assert.deepEqual(await access(partner, restaurant.guid), granted(restaurant));
  assert.deepEqual(await access(partner, other.restaurant.guid), { outcome: 'notGranted' });
  assert.deepEqual(await access(other.partner, restaurant.guid), { outcome: 'notGranted' });
  assert.deepEqual(await access(partner, newGuid()), { outcome: 'unknown' });
});

test('access AUTH-7: a CUSTOMER reaches exactly the restaurants of its group', async () => {
  const { sql } = testDatabase.database;
  const one = await insertRestaurant(sql);
  const sister = await insertRestaurant(sql, { group: one.managementGroupGuid });
  const stranger = await insertRestaurant(sql);
  const { managementGroupGuid } = one;
  const customer = principal({ type: 'CUSTOMER', managementGroupGuid });
  assert.deepEqual(await access(customer, one.guid), granted(one));
  assert.deepEqual(await access(customer, sister.guid), granted(sister));
  assert.deepEqual(await access(customer, stranger.guid), { outcome: 'notGranted' });
  assert.deepEqual(await access(customer, newGuid()), { outcome: 'unknown' });
});

test('access: a BACK_OFFICE client reaches its group, or without one everything', async () => {
  const { sql } = testDatabase.database;
  const one = await insertRestaurant(sql);
  const stranger = await insertRestaurant(sql);
  const { managementGroupGuid } = one;
  const orders = principal({ type: 'BACK_OFFICE', managementGroupGuid });
  assert.deepEqual(await access(orders, one.guid), granted(one));
  assert.deepEqual(await access(orders, stranger.guid), { outcome: 'notGranted' });
  const operator = principal({ type: 'BACK_OFFICE' });
  for (const restaurant of [one, stranger]) {
    assert.deepEqual(await access(operator, restaurant.guid), granted(restaurant));
  }
  assert.deepEqual(await access(operator, newGuid()), { outcome: 'unknown' });
  assert.deepEqual(await access(principal(), one.guid), { outcome: 'notGranted' }, 'no owner');
});

test('access RST-2: an archived restaurant is granted and marked', async () => {
  const { restaurant, partnerGuid, partner } = await strangers(true);
  await insertLiveConnection(testDatabase.database.sql, restaurant.guid, partnerGuid);
  assert.deepEqual(
    await access(partner, restaurant.guid),
    granted({ ...restaurant, archived: true }),
  );
});

test('access CFG-8: the publish number is that of this moment', async () => {
  const { restaurant, partnerGuid, partner } = await strangers();
  await insertLiveConnection(testDatabase.database.sql, restaurant.guid, partnerGuid);
  await publish(testDatabase.database.sql, restaurant.guid);
  const expected = granted({ ...restaurant, publishNumber: restaurant.publishNumber + 1 });
  assert.deepEqual(await access(partner, restaurant.guid), expected);
});

test('access AUTH-9: connecting and disconnecting are in force at once', async () => {
  const { restaurant, change, partner } = await strangers();
  const { database } = testDatabase;
  const outcome = async () => (await access(partner, restaurant.guid)).outcome;
  assert.equal(await outcome(), 'notGranted');
  await connect(at(database), { ...change, ...references });
  assert.equal(await outcome(), 'granted');
  await updateReferences(at(database), { ...change, ...references });
  assert.equal(await outcome(), 'granted');
  await disconnect(at(database), { ...change, reason: 'Enough.' });
  assert.equal(await outcome(), 'notGranted');
  await connect(at(database), { ...change, ...references });
  assert.equal(await outcome(), 'granted');
});

test('connections: what does not fit the state of the connection is refused', async () => {
  const { change } = await strangers();
  const archived = await strangers(true);
  const deps = at(testDatabase.database);
  const full = { ...change, ...references };
  const end = { ...change, reason: 'Enough.' };
  await assert.rejects(disconnect(deps, end), { errorClass: 'notFound' });
  await assert.rejects(updateReferences(deps, full), { errorClass: 'notFound' });
  await connect(deps, full);
  await assert.rejects(connect(deps, full), { errorClass: 'conflict' });
  await assert.rejects(connect(deps, { ...archived.change, ...references }), {
    errorClass: 'conflict',
  });
  for (const unknown of [{ partnerGuid: newGuid() }, { restaurantGuid: newGuid() }]) {
    await assert.rejects(connect(deps, { ...full, ...unknown }), {
      errorClass: 'unprocessable',
    });
  }
});

test('connections: of several at once exactly one connects', async () => {
  const { change } = await strangers();
  const attempts = Array.from({ length: 8 }, () =>
    connect(at(testDatabase.database), { ...change, ...references }),
  );
  const results = await Promise.allSettled(attempts);
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
});
