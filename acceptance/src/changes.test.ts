import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, logIn } from './client.ts';
import type { DemoClient } from './demo.ts';
import { type ConfigurationObject, type Inventory, page, wholeCollection } from './fixtures.ts';
import {
  ALL_SCOPES,
  GROUPS,
  type GroupVariant,
  groupDocument,
  ITEM_COUNT,
  MODIFIED,
  otherGroupDocument,
  RESTAURANTS,
} from './group-document.ts';
import { PRODUCTION, runCommand, startProduction } from './platform.ts';
import { messageOf } from './values.ts';

// A production platform into which another process imports: what it changes must be in force here
// within a second (AUTH-9). The tests run in their order, each on what the one before has imported.
const platform = await startProduction();
after(() => platform.stop());

const REACH_LIMIT_MS = 1000;
const { alpha, beta, closed, delta } = RESTAURANTS;
const first: GroupVariant = {
  connected: ['alpha', 'beta'],
  scopes: ALL_SCOPES,
  hasGroupAccount: true,
  menuName: 'Lunch',
};
const anonymous = new Client(platform);
let importedAt = 0;

interface ImportResult {
  newClients: { name: string; clientId: string; clientSecret: string }[];
}

async function importDocument(document: unknown, ...flags: string[]): Promise<ImportResult> {
  const file = join(platform.dataDir, '..', 'group.json');
  await writeFile(file, JSON.stringify(document));
  const result = await runCommand(
    platform.dataDir,
    ['import', file, '--json', ...flags],
    PRODUCTION,
  );
  importedAt = performance.now();
  assert.equal(result.code, 0, result.errors);
  return JSON.parse(result.output);
}

/** Asks until the check holds; a request sent over a second after the import must hold. */
async function inForce(check: () => Promise<void>): Promise<void> {
  for (;;) {
    const isLate = performance.now() - importedAt > REACH_LIMIT_MS;
    try {
      return await check();
    } catch (error) {
      if (isLate) throw error;
      await wait(20);
    }
  }
}

const { newClients } = await importDocument(groupDocument(first));
await importDocument(otherGroupDocument());

function account(name: string): DemoClient {
  const found = newClients.find((client) => client.name === name);
  assert.ok(found, `no account ${name} among ${newClients.map((client) => client.name)}`);
  const { clientId, clientSecret } = found;
  return { clientId, clientSecret, userAccessType: 'PLATFORM_MACHINE_CLIENT', scopes: [] };
}

const ring = new Client(platform, await logIn(platform, account('Ring account')));
const groupAccount = new Client(platform, await logIn(platform, account('Group account')));

const named = (objects: readonly ConfigurationObject[], name: string) =>
  objects.find((object) => object.name === name);

async function connectedGuids(): Promise<string[][]> {
  const listed = await ring.call('partners.restaurants.list', 200);
  const paged = await ring.call('partners.connectedRestaurants.list', 200);
  const guids = (list: unknown) =>
    (list as { restaurantGuid: string }[]).map(({ restaurantGuid }) => restaurantGuid).sort();
  return [guids(listed.json), guids((paged.json as { results: unknown }).results)];
}

test('partners.restaurants.list 200 PTN-5: a connection is described as made', async () => {
  const answer = await ring.call('partners.restaurants.list', 200);
  const list = answer.json as { restaurantGuid: string }[];
  assert.deepEqual(
    list.find(({ restaurantGuid }) => restaurantGuid === alpha),
    {
      restaurantGuid: alpha,
      managementGroupGuid: GROUPS.ring,
      deleted: false,
      restaurantName: 'Alpha',
      locationName: null,
      createdByEmailAddress: 'ana.gil@ring.example',
      externalGroupRef: 'ring-group',
      externalRestaurantRef: 'ring-alpha',
      modifiedDate: Date.parse('2026-02-02T09:30:00.250Z'),
      createdDate: Date.parse('2026-02-01T08:00:00.000Z'),
      isoModifiedDate: '2026-02-02T09:30:00.250Z',
      isoCreatedDate: '2026-02-01T08:00:00.000Z',
    },
  );
  assert.deepEqual(await connectedGuids(), [
    [alpha, beta, delta],
    [alpha, beta, delta],
  ]);
});

test('restaurants.get 200 RST-5 API-10: the least of a restaurant, with defaults and nulls', async () => {
  const params = { restaurantGUID: alpha };
  const { json } = await ring.call('restaurants.get', 200, { restaurant: alpha, params });
  const { general, prepTimes, urls } = json as Record<string, Record<string, unknown>>;
  assert.deepEqual(general, {
    name: 'Alpha',
    locationName: null,
    locationCode: null,
    description: null,
    timeZone: 'Europe/Madrid',
    closeoutHour: 4,
    managementGroupGuid: GROUPS.ring,
    currencyCode: 'EUR',
    firstBusinessDate: null,
    archived: false,
  });
  assert.deepEqual(prepTimes, {
    deliveryPrepTime: 35,
    deliveryTimeAfterOpen: 0,
    deliveryTimeBeforeClose: 0,
    takeoutPrepTime: 15,
    takeoutTimeAfterOpen: 7,
    takeoutTimeBeforeClose: 0,
    takeoutThrottlingTime: null,
    deliveryThrottlingTime: null,
  });
  assert.ok(Object.values(urls ?? {}).every((value) => value === null));
});

test('configuration.tipWithholding.get 200 CFG-11: never configured, nothing is held', async () => {
  const answer = await ring.call('configuration.tipWithholding.get', 200, { restaurant: beta });
  const { guid: _, ...rest } = answer.json as Record<string, unknown>;
  assert.deepEqual(rest, { entityType: 'TipWithholding', enabled: false, percentage: 0 });
});

test('configuration.menuItems.list 200 CFG-10: what is archived is not there', async () => {
  const items = await wholeCollection(ring, alpha, 'menuItems');
  assert.equal(items.length, ITEM_COUNT + 2);
  assert.equal(named(items, 'Archived plate'), undefined);
  assert.equal((await page(ring, alpha, 'cashDrawers')).objects.length, 2);
  assert.equal((await page(ring, alpha, 'printers')).objects.length, 1);
});

test('configuration.menuGroups.list 200 CFG-7: references to the archived', async () => {
  const [group] = (await page(ring, alpha, 'menuGroups')).objects;
  assert.deepEqual((group?.items as unknown[] | undefined)?.length, 2);
  const drawers = (await page(ring, alpha, 'cashDrawers')).objects;
  const printers = drawers.map(
    ({ printer }) => (printer as { entityType: string } | null)?.entityType,
  );
  assert.deepEqual(printers.sort(), ['Printer', undefined]);
});

test('configuration.menuItems.list 200 API-8: lastModified is strictly after', async () => {
  const since = async (lastModified: string) => {
    const { objects } = await page(ring, alpha, 'menuItems', { lastModified });
    return objects.map(({ name }) => name);
  };
  const afterFirst = await since(MODIFIED.first);
  assert.ok(afterFirst.includes('Late plate') && !afterFirst.includes('Plate 0'));
  const afterSecond = await since(MODIFIED.second);
  assert.ok(!afterSecond.includes('Late plate') && afterSecond.includes('Shared plate'));
  assert.equal((await since('2025-12-31T23:59:59.999Z')).length, 300);
});

test('stock.list stock.search 200 STK-3 STK-9: an archived item is INVALID', async () => {
  const listed = (await ring.call('stock.list', 200, { restaurant: alpha })).json as Inventory[];
  assert.deepEqual(
    listed.map(({ status, quantity }) => [status, quantity]),
    [['QUANTITY', 2.5]],
  );
  const json = { multiLocationIds: ['gone-everywhere', 'shared-everywhere'] };
  const found = (await ring.call('stock.search', 200, { restaurant: alpha, json })).json;
  const [gone, shared] = found as Inventory[];
  assert.deepEqual([gone?.itemGuidValidity, gone?.guid], ['INVALID', null]);
  assert.deepEqual([shared?.itemGuidValidity, shared?.status], ['VALID', 'IN_STOCK']);
});

test('restaurants.listGroup 403 RST-4: the restaurant of the header is not in the group', async () => {
  for (const [restaurant, managementGroupGUID] of [
    [delta, GROUPS.ring],
    [alpha, GROUPS.other],
  ] as const) {
    const params = { managementGroupGUID };
    await ring.call('restaurants.listGroup', 403, { restaurant, params });
  }
});

test('restaurants.get 404 RST-1: a group account reaches no restaurant of another group', async () => {
  const params = { restaurantGUID: delta };
  await groupAccount.call('restaurants.get', 404, { restaurant: alpha, params });
  await groupAccount.call('stock.list', 403, { restaurant: delta });
  await groupAccount.call('partners.restaurants.list', 403);
});

test('configuration.menuItems.list 409 CFG-9 CFG-8: a publication between two pages', async () => {
  const { next } = await page(ring, alpha, 'menuItems');
  assert.ok(next);
  const going = await page(ring, alpha, 'menuItems', { pageToken: next });
  assert.equal(going.objects.length, ITEM_COUNT + 2 - 300);
  const scopes = ALL_SCOPES.filter((scope) => scope !== 'stock:read');
  const changed = { ...first, connected: ['alpha', 'closed'], scopes, menuName: 'Dinner' };
  await importDocument(groupDocument(changed), '--replace');
  await inForce(async () => {
    const query = { pageToken: next };
    const options = { restaurant: alpha, query };
    const refused = await ring.call('configuration.menuItems.list', 409, options);
    assert.match(messageOf(refused), /first page|again/i);
  });
  assert.equal((await wholeCollection(ring, alpha, 'menuItems')).length, ITEM_COUNT + 2);
});

test('configuration.menus.list 200 CFG-8: what was published is served', async () => {
  await inForce(async () => {
    const [menu] = (await page(ring, alpha, 'menus')).objects;
    assert.equal(menu?.name, 'Dinner');
  });
});

test('configuration.menus.list 403 AUTH-9: a removed connection is closed', async () => {
  await inForce(async () => {
    await ring.call('configuration.menus.list', 403, { restaurant: beta });
  });
  await groupAccount.call('configuration.menus.list', 200, { restaurant: beta });
});

test('stock.list 403 AUTH-9: a scope taken away is gone for a live token', async () => {
  await inForce(async () => {
    const refused = await ring.call('stock.list', 403, { restaurant: alpha });
    assert.match(messageOf(refused), /stock:read/);
  });
});

test('partners.connectedRestaurants.list 200 PTN-5: both lists follow', async () => {
  await inForce(async () => {
    const expected = [alpha, closed, delta];
    assert.deepEqual(await connectedGuids(), [expected, expected]);
  });
  const answer = await ring.call('partners.restaurants.list', 200);
  const list = answer.json as { restaurantGuid: string; deleted: boolean }[];
  const deleted = list.filter((entry) => entry.deleted).map(({ restaurantGuid }) => restaurantGuid);
  assert.deepEqual(deleted, [closed]);
});

test('restaurants.get 200 403 RST-2: a connected archived restaurant', async () => {
  const options = { restaurant: closed, params: { restaurantGUID: closed } };
  const query = { includeArchived: true };
  const { json } = await ring.call('restaurants.get', 200, { ...options, query });
  assert.equal((json as { general: { archived: boolean } }).general.archived, true);
  await ring.call('configuration.menus.list', 403, { restaurant: closed });
});

test('stock.list 200 AUTH-9: what is granted anew is open at once', async () => {
  await groupAccount.call('stock.list', 200, { restaurant: alpha });
  await importDocument(groupDocument({ ...first, hasGroupAccount: false }), '--replace');
  await inForce(async () => {
    await ring.call('configuration.menus.list', 200, { restaurant: beta });
  });
  await inForce(async () => {
    await ring.call('stock.list', 200, { restaurant: alpha });
  });
});

test('stock.list auth.login 401 AUTH-9: a revoked client is out at once', async () => {
  await inForce(async () => {
    await groupAccount.call('stock.list', 401, { restaurant: alpha });
  });
  const { clientId, clientSecret, userAccessType } = account('Group account');
  const json = { clientId, clientSecret, userAccessType };
  await inForce(async () => {
    await anonymous.call('auth.login', 401, { json });
  });
});
