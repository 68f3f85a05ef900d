import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type CollectionName,
  collectionByName,
  type OperationId,
  partnerCollections,
  partnerReferences,
} from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import { tipWithholdingGuid } from '../../src/configuration/document/identity.ts';
import { configurationHandlers } from '../../src/configuration/partner/handlers.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { callOperation } from '../request.ts';
import { insertObject, insertRestaurant } from '../rows.ts';
import { sampleFields } from './sample-fields.ts';

let testDatabase: TestDatabase;
let handlers: ReturnType<typeof configurationHandlers>;
let restaurant: RestaurantContext;
before(async () => {
  testDatabase = await createTestDatabase();
  const vault = createVault(Buffer.alloc(32, 1));
  handlers = configurationHandlers({
    ...idleCaches(testDatabase.database),
    database: testDatabase.database,
    vault,
    brand: 'Platform',
  });
});
test.beforeEach(async () => {
  restaurant = await insertRestaurant(testDatabase.database.sql);
});
after(() => testDatabase.drop());

const insert = (collection: CollectionName, parts = {}) =>
  insertObject(testDatabase.database.sql, restaurant.guid, collection, parts);

function get(collection: CollectionName, guid: string, at = restaurant) {
  const id = `configuration.${collection}.get` as OperationId;
  return callOperation(handlers, id, { restaurant: at, params: { guid } });
}

async function onlyOf(collection: CollectionName) {
  const id = `configuration.${collection}.list` as OperationId;
  const { body } = await callOperation(handlers, id, { restaurant });
  assert.equal(body.length, 1);
  return body[0];
}

for (const { name: collection, object, reference } of partnerCollections) {
  test(`configuration.${collection}.get 200 CFG-1 CFG-7: every field, as in the list`, async () => {
    const targets = new Map<CollectionName, string>();
    for (const { target } of partnerReferences(collection)) {
      const parts = { externalId: 'demo:target', fields: sampleFields[target] };
      if (target !== collection && !targets.has(target)) {
        targets.set(target, await insert(target, parts));
      }
    }
    const guid = newGuid();
    const fields: Record<string, unknown> = { ...sampleFields[collection] };
    for (const { field, target, many } of partnerReferences(collection)) {
      const targetGuid = targets.get(target) ?? guid;
      fields[field] = many ? [targetGuid] : targetGuid;
    }
    await insert(collection, { guid, fields, externalId: 'demo:this' });

    const { status, body } = await get(collection, guid.toUpperCase());
    assert.equal(status, 200);
    assert.deepEqual(await onlyOf(collection), body);
    const { properties } = collectionByName(collection).schema as unknown as {
      properties: Record<string, unknown>;
    };
    assert.deepEqual(Object.keys(body), Object.keys(properties));
    assert.equal(body.guid, guid);
    assert.equal(body.entityType, object);
    assert.equal(body.externalId, reference === 'ExternalReference' ? 'demo:this' : undefined);
    for (const { field, many } of partnerReferences(collection)) {
      assert.equal(many ? body[field].length : typeof body[field], many ? 1 : 'object', field);
    }
    for (const [field, value] of Object.entries(sampleFields[collection])) {
      assert.deepEqual(body[field], field in properties ? value : undefined, field);
    }
  });

  test(`configuration.${collection}.get 404 CFG-10: what is not there`, async () => {
    const { sql } = testDatabase.database;
    const other = await insertRestaurant(sql);
    const fields = sampleFields[collection];
    const elsewhere = await insertObject(sql, other.guid, collection, { fields });
    const archived = await insert(collection, { archived: true, fields });
    const neighbour = collection === 'printers' ? 'priceGroups' : 'printers';
    const ofAnother = await insert(neighbour, { fields: sampleFields[neighbour] });
    for (const guid of [newGuid(), elsewhere, archived, ofAnother, 'menu', '', "'; --"]) {
      const { status, body } = await get(collection, guid);
      assert.equal(status, 404);
      assert.match(body.message, new RegExp(`names no object of ${collection}|must be a GUID`));
    }
    assert.equal((await get(collection, elsewhere, other)).status, 200);
  });
}

test('configuration.menuGroups.get 200 CFG-7: references tell kind and external id', async () => {
  const menu = await insert('menus', { externalId: 'demo:menu' });
  const group = await insert('menuGroups', { fields: { name: 'Mains', menu } });
  assert.deepEqual((await get('menuGroups', group)).body.menu, {
    guid: menu,
    entityType: 'Menu',
    externalId: 'demo:menu',
  });
});

test('configuration.menuGroups.get 200 CFG-7: missing targets are null or left out', async () => {
  const [soup, bread] = [await insert('menuItems'), await insert('menuItems')];
  const gone = await insert('menuItems', { archived: true });
  const fields = {
    name: 'Mains',
    menu: await insert('menus', { archived: true }),
    parent: newGuid(),
    // A guid that is there, but of another collection, is no target either.
    items: [bread, gone, newGuid(), soup, await insert('menus')],
  };
  const { body } = await get('menuGroups', await insert('menuGroups', { fields }));
  assert.equal(body.menu, null);
  assert.equal(body.parent, null);
  const item = (guid: string) => ({ guid, entityType: 'MenuItem', externalId: null });
  assert.deepEqual(body.items, [item(bread), item(soup)]);
});

test('configuration.tables.get 200 CFG-2 CFG-3: both kinds of reference', async () => {
  const revenueCenter = await insert('revenueCenters');
  const serviceArea = await insert('serviceAreas', { fields: { name: 'Patio', revenueCenter } });
  const fields = { name: '12', serviceArea, revenueCenter };
  const { body } = await get('tables', await insert('tables', { fields }));
  const center = { guid: revenueCenter, entityType: 'RevenueCenter', externalId: null };
  assert.deepEqual(body.serviceArea, { guid: serviceArea, entityType: 'ServiceArea' });
  assert.deepEqual(body.revenueCenter, center);
  assert.deepEqual((await get('serviceAreas', serviceArea)).body.revenueCenter, center);
});

test('configuration.serviceCharges.get 200 CFG-4 CFG-5: applicable taxes stand there whole', async () => {
  const tax = await insert('taxRates', { fields: sampleFields.taxRates });
  const gone = await insert('taxRates', { fields: sampleFields.taxRates, archived: true });
  const fields = { ...sampleFields.serviceCharges, applicableTaxes: [gone, tax] };
  const { body } = await get('serviceCharges', await insert('serviceCharges', { fields }));
  assert.deepEqual(body.applicableTaxes, [(await get('taxRates', tax)).body]);
  assert.equal(body.applicableTaxes[0].conditionalTaxRates[0].condition, 'TAKE_OUT');
});

test('configuration.discounts.get 200 CFG-6: promo codes are references of their own', async () => {
  const promoCode = { guid: newGuid(), usageType: 'MULTI_USE', name: 'Spring', code: 'SPRING' };
  const fields = { ...sampleFields.discounts, promoCodes: [promoCode] };
  const { body } = await get('discounts', await insert('discounts', { fields }));
  assert.equal(
    JSON.stringify(body.promoCodes),
    JSON.stringify([
      {
        guid: promoCode.guid,
        entityType: 'PromoCode',
        code: 'SPRING',
        name: 'Spring',
        usageType: 'MULTI_USE',
      },
    ]),
  );
});

test('configuration.menuItems.get 200 API-10: what was never set is null or the default', async () => {
  const guid = await insert('menuItems', { fields: { name: 'Soup', unheardOf: 1 } });
  assert.deepEqual((await get('menuItems', guid)).body, {
    guid,
    entityType: 'MenuItem',
    externalId: null,
    name: 'Soup',
    calories: null,
    sku: null,
    plu: null,
    orderableOnline: 'YES',
    visibility: 'ALL',
    type: 'NONE',
    optionGroups: [],
    inheritOptionGroups: false,
    images: [],
    unitOfMeasure: 'NONE',
    inheritUnitOfMeasure: false,
  });
});

test('configuration.tipWithholding.get 200 CFG-11: always one object', async () => {
  const call = () => callOperation(handlers, 'configuration.tipWithholding.get', { restaurant });
  const never = {
    guid: tipWithholdingGuid(restaurant.guid),
    entityType: 'TipWithholding',
    enabled: false,
    percentage: 0,
  };
  assert.deepEqual((await call()).body, never);
  assert.deepEqual((await call()).body, never);
  const guid = newGuid();
  await insertObject(testDatabase.database.sql, restaurant.guid, 'tipWithholding', {
    guid,
    fields: { enabled: true, percentage: 0.03 },
  });
  assert.deepEqual((await call()).body, { ...never, guid, enabled: true, percentage: 0.03 });
  const elsewhere = await insertRestaurant(testDatabase.database.sql);
  assert.notEqual(tipWithholdingGuid(elsewhere.guid), never.guid);
});
