import assert from 'node:assert/strict';
import { test } from 'node:test';
import { header } from './answer.ts';
import { type CallOptions, Client, DemoCallers, logIn } from './client.ts';
import { platformUnderTest } from './platform.ts';
import { messageOf } from './values.ts';

// A group of its own on the platform that all files share: nobody else reads its restaurants.
const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const operator = await callers.as('operator');

/** A BackOfficeRestaurant as the tests read it. */
interface ManagedRestaurant {
  guid: string;
  version: number;
  general: { name: string; archived: boolean };
}

async function ask<Json>(id: string, options: CallOptions, by = operator): Promise<Json> {
  return (await by.call(`backOffice.${id}`, 200, options)).json as Json;
}

/** Makes an account for a group and logs it in. */
async function accountOf(
  managementGroupGuid: string,
  type: string,
  scopes: readonly string[],
): Promise<Client> {
  const json = { name: 'Ring account', type, managementGroupGuid, scopes };
  const { client, clientSecret } = await ask<{
    client: { clientId: string };
    clientSecret: string;
  }>('clients.create', { json });
  const userAccessType = `${platform.brand.toUpperCase()}_MACHINE_CLIENT`;
  const account = { clientId: client.clientId, clientSecret, userAccessType, scopes: [] };
  return new Client(platform, await logIn(platform, account));
}

const newGroup = async (name: string) =>
  (await ask<{ guid: string }>('managementGroups.create', { json: { name } })).guid;

const newRestaurant = (managementGroupGuid: string, name: string, by = operator) => {
  const general = { name, timeZone: 'Europe/Lisbon', currencyCode: 'EUR', managementGroupGuid };
  return ask<ManagedRestaurant>('restaurants.create', { json: { general } }, by);
};

const scopes = ['restaurants.admin:read', 'restaurants.admin:write'];
const [group, other] = [await newGroup('Ring tavern group'), await newGroup('Ring other group')];
const administrator = await accountOf(group, 'BACK_OFFICE', scopes);
const reader = await accountOf(group, 'CUSTOMER', ['restaurants:read']);

test('backOffice.restaurants.update 200 409: what is changed is read at once', async () => {
  const { guid, version } = await newRestaurant(group, 'Tavern', administrator);
  const look = { restaurant: guid, params: { restaurantGUID: guid } };
  const before = await reader.call('restaurants.get', 200, look);
  const headers = { 'if-none-match': String(header(before, 'etag')) };
  await reader.call('restaurants.get', 304, { ...look, headers });
  const params = { restaurantGuid: guid };
  const json = { version, general: { name: 'Tavern by the sea' }, location: { city: 'Porto' } };
  await ask('restaurants.update', { params, json }, administrator);
  const after = await reader.call('restaurants.get', 200, { ...look, headers });
  const { general, location } = after.json as { general: object; location: object };
  assert.deepEqual(Reflect.get(general, 'name'), 'Tavern by the sea');
  assert.deepEqual(Reflect.get(location, 'city'), 'Porto');
  const stale = await administrator.call('backOffice.restaurants.update', 409, { params, json });
  assert.match(messageOf(stale), /its version is 2, and you sent version 1/);
});

test('backOffice.restaurants.archive 200: who is archived is told of on request', async () => {
  const [open, closed] = [
    await newRestaurant(group, 'Open', administrator),
    await newRestaurant(group, 'Closed', administrator),
  ];
  const params = { restaurantGUID: closed.guid };
  const look = { restaurant: open.guid, params };
  await reader.call('restaurants.get', 200, look);
  const path = { params: { restaurantGuid: closed.guid } };
  await ask('restaurants.archive', path, administrator);
  await reader.call('restaurants.get', 404, look);
  const query = { includeArchived: true };
  const told = await reader.call('restaurants.get', 200, { ...look, query });
  assert.equal((told.json as ManagedRestaurant).general.archived, true);
  const ofGroup = { restaurant: open.guid, params: { managementGroupGUID: group } };
  const listed = async () =>
    ((await reader.call('restaurants.listGroup', 200, ofGroup)).json as { guid: string }[])
      .map(({ guid }) => guid)
      .includes(closed.guid);
  assert.equal(await listed(), false);
  await ask('restaurants.unarchive', path, administrator);
  assert.equal(await listed(), true);
  await reader.call('restaurants.get', 200, look);
});

test('backOffice.restaurants.get 404: a group reaches its own restaurants only', async () => {
  const theirs = await newRestaurant(other, 'Theirs');
  const params = { restaurantGuid: theirs.guid };
  await administrator.call('backOffice.restaurants.get', 404, { params });
  const json = { general: { name: 'Ours now' } };
  await administrator.call('backOffice.restaurants.update', 404, { params, json });
  await administrator.call('backOffice.restaurants.archive', 404, { params });
  const { results } = await ask<{ results: { guid: string }[] }>(
    'restaurants.list',
    { query: { pageSize: 200 } },
    administrator,
  );
  assert.ok(results.every(({ guid }) => guid !== theirs.guid));
  const create = { json: { name: 'Upstarts' } };
  await administrator.call('backOffice.managementGroups.create', 403, create);
  const foreign = { params: { managementGroupGuid: other } };
  await administrator.call('backOffice.managementGroups.get', 404, foreign);
  const { general } = await ask<ManagedRestaurant>('restaurants.get', { params });
  assert.equal(general.name, 'Theirs');
});
