import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FieldChange, SandboxDifference, SandboxDifferences } from '@servery/contract';
import { withDatabase } from '@servery/postgres/database-url.ts';
import { newGuid } from '@servery/support/ids.ts';
import { useServer } from '../../../postgres/test/test-database.ts';
import { allFields } from '../../src/configuration/document/stored-object.ts';
import type { Database } from '../../src/database/database.ts';
import { compareEnvironments } from '../../src/sandboxes/diff/compare-environments.ts';
import { cloneTestDatabase, type TestDatabase } from '../database.ts';
import { openPaymentFixture, type PaymentFixture } from '../payments/fixture.ts';
import { beginLife, type Life } from '../payments/life.ts';
import { insertLiveConnection, insertObject, insertPartner, insertRestaurant } from '../rows.ts';
import {
  deleteStock,
  findDatabaseName,
  insertItems,
  insertStockOfAll,
  updateConnectionEnded,
  updateObjectArchived,
  updateObjectFields,
  updateRestaurantName,
  upsertStock,
} from './fixture-store.ts';

const UNTIL = new Date('2026-03-02T04:00:00.000Z');
const NOTHING = { added: [], removed: [], changed: [], truncated: false };
const SAME = { configuration: NOTHING, stock: NOTHING, payments: NOTHING, connections: NOTHING };

/** A platform with something of everything, and copies of it. */
interface Original {
  readonly fixture: PaymentFixture;
  readonly restaurantGuid: string;
  readonly items: Readonly<Record<'soup' | 'bread' | 'tea' | 'milk', string>>;
  readonly partners: Readonly<Record<'staying' | 'leaving' | 'new', string>>;
  readonly payment: Life;
  copy(): Promise<Database>;
}

let original: Original;
const copies: TestDatabase[] = [];
before(async () => {
  original = await makeOriginal();
});
after(async () => {
  for (const copy of copies) await copy.drop();
  await original.fixture.close();
});

async function makeOriginal(): Promise<Original> {
  const fixture = await openPaymentFixture();
  const { database, merchant } = fixture;
  const { sql } = database;
  const item = (name: string, guid = newGuid()) =>
    insertObject(sql, merchant.guid, 'menuItems', { guid, fields: { name } });
  const items = {
    soup: await item('Soup'),
    bread: await item('Bread'),
    // Compared together first, as their GUIDs end alike.
    tea: await item('Tea', '01990000-0000-4000-8000-000000000001'),
    milk: await item('Milk', '01990000-0000-4000-8000-000000000101'),
  };
  await insertObject(sql, merchant.guid, 'taxRates', { fields: { name: 'City' } });
  await upsertStock(sql, merchant.guid, items.soup, { status: 'QUANTITY', quantity: 4.5 });
  await upsertStock(sql, merchant.guid, items.tea, { status: 'OUT_OF_STOCK' });
  const partners = {
    staying: await insertPartner(sql),
    leaving: await insertPartner(sql),
    new: await insertPartner(sql),
  };
  await insertLiveConnection(sql, merchant.guid, partners.staying);
  await insertLiveConnection(sql, merchant.guid, partners.leaving);
  const payment = beginLife(fixture);
  assert.equal((await payment.put()).paymentState, 'AUTHORIZED');
  await payment.apply();
  const url = withDatabase(await useServer(), await findDatabaseName(sql));
  const copy = async () => {
    await database.hold();
    try {
      const made = await cloneTestDatabase(url);
      copies.push(made);
      return made.database;
    } finally {
      database.resume();
    }
  };
  return { fixture, restaurantGuid: merchant.guid, items, partners, payment, copy };
}

/** What the comparison the other way around has to say. */
function reversed({ added, removed, changed, truncated }: SandboxDifferences): SandboxDifferences {
  const back = (fields: readonly FieldChange[]) =>
    fields.map((each) => ({ field: each.field, before: each.after, after: each.before }));
  return {
    added: removed,
    removed: added,
    changed: changed.map((each) => ({ ...each, fields: back(each.fields) })),
    truncated,
  };
}

const byGuid = (one: SandboxDifference, other: SandboxDifference) =>
  one.guid < other.guid ? -1 : 1;

test('backOffice.sandboxes.diff 200: a copy does not differ, however its objects are written', async () => {
  const { fixture, items, copy } = original;
  const copied = await copy();
  assert.deepEqual(plain(await compareEnvironments(fixture.database, copied)), SAME);
  // A later version wrote it, with a field that the other one has not heard of yet.
  await updateObjectFields(copied.sql, items.bread, allFields('menuItems', { name: 'Bread' }));
  assert.deepEqual(plain(await compareEnvironments(fixture.database, copied)), SAME);
});

test('backOffice.sandboxes.diff 200: tells each change, in both directions', async () => {
  const { fixture, restaurantGuid, items, partners, payment, copy } = original;
  const { sql } = fixture.database;
  const copied = await copy();
  const restaurantName = 'Corner Diner';
  const at = { restaurantGuid, restaurantName };

  await updateObjectFields(sql, items.soup, { name: 'Soup of the day' });
  await updateObjectArchived(sql, items.bread);
  const fries = await insertObject(sql, restaurantGuid, 'menuItems', { fields: { name: 'Fries' } });
  const other = await insertRestaurant(sql, { group: fixture.merchant.managementGroupGuid });
  await updateRestaurantName(sql, other.guid, 'Harbor Grill');
  await upsertStock(sql, restaurantGuid, items.soup, { status: 'QUANTITY', quantity: 3 });
  await upsertStock(sql, restaurantGuid, items.bread, { status: 'OUT_OF_STOCK', until: UNTIL });
  await deleteStock(sql, items.tea);
  await upsertStock(sql, restaurantGuid, items.milk, { status: 'OUT_OF_STOCK' });
  await upsertStock(sql, restaurantGuid, fries, { status: 'QUANTITY', quantity: 10 });
  await payment.tip(100);
  await payment.fulfil();
  const second = beginLife(fixture);
  await second.put();
  await insertLiveConnection(sql, restaurantGuid, partners.new);
  await updateConnectionEnded(sql, partners.leaving, 'Too slow');

  const { tipMinor } = await payment.row();
  const stock = (item: string, name: string, fields: FieldChange[]) => {
    return { kind: 'stock', guid: item, name, ...at, fields };
  };
  const harbor = { restaurantGuid: other.guid, restaurantName: 'Harbor Grill' };
  const expected = {
    configuration: {
      added: [
        { kind: 'restaurant', guid: other.guid, name: 'Harbor Grill', ...harbor, fields: [] },
        { kind: 'menuItem', guid: fries, name: 'Fries', ...at, fields: [] },
      ],
      removed: [],
      changed: [
        {
          ...{ kind: 'menuItem', guid: items.soup, name: 'Soup of the day', ...at },
          fields: [{ field: 'name', before: 'Soup', after: 'Soup of the day' }],
        },
        {
          ...{ kind: 'menuItem', guid: items.bread, name: 'Bread', ...at },
          fields: [{ field: 'archived', before: false, after: true }],
        },
      ].sort(byGuid),
      truncated: false,
    },
    stock: {
      added: [stock(fries, 'Fries', [])],
      removed: [],
      changed: [
        stock(items.soup, 'Soup of the day', [{ field: 'quantity', before: 4.5, after: 3 }]),
        stock(items.bread, 'Bread', [
          { field: 'status', before: 'IN_STOCK', after: 'OUT_OF_STOCK' },
          { field: 'until', before: null, after: UNTIL.toISOString() },
        ]),
        stock(items.tea, 'Tea', [{ field: 'status', before: 'OUT_OF_STOCK', after: 'IN_STOCK' }]),
        stock(items.milk, 'Milk', [{ field: 'status', before: 'IN_STOCK', after: 'OUT_OF_STOCK' }]),
      ].sort(byGuid),
      truncated: false,
    },
    payments: {
      added: [{ kind: 'payment', guid: second.key.paymentUuid, name: null, ...at, fields: [] }],
      removed: [],
      changed: [
        {
          ...{ kind: 'payment', guid: payment.key.paymentUuid, name: null, ...at },
          fields: [
            { field: 'paymentState', before: 'APPLIED', after: 'CAPTURE_SCHEDULED' },
            { field: 'tipAmount', before: tipMinor / 100, after: 1 },
          ],
        },
      ],
      truncated: false,
    },
    connections: {
      added: [{ kind: 'connection', guid: partners.new, name: 'Partner', ...at, fields: [] }],
      removed: [],
      changed: [
        {
          ...{ kind: 'connection', guid: partners.leaving, name: 'Partner', ...at },
          fields: [
            { field: 'state', before: 'CONNECTED', after: 'DISCONNECTED' },
            { field: 'disconnectReason', before: null, after: 'Too slow' },
          ],
        },
      ],
      truncated: false,
    },
  };
  assert.deepEqual(plain(await compareEnvironments(copied, fixture.database)), expected);

  const back = plain(await compareEnvironments(fixture.database, copied));
  // It is called what it is called afterwards.
  const namedBefore = (differences: SandboxDifferences): SandboxDifferences => ({
    ...differences,
    changed: differences.changed.map((each) =>
      each.guid === items.soup ? { ...each, name: 'Soup' } : each,
    ),
  });
  assert.deepEqual(back, {
    configuration: namedBefore(reversed(expected.configuration)),
    stock: namedBefore(reversed(expected.stock)),
    payments: reversed(expected.payments),
    connections: reversed(expected.connections),
  });
});

test('backOffice.sandboxes.diff 200: a full list does not hide what the others have', async () => {
  const { fixture, restaurantGuid, copy } = original;
  const { sql } = fixture.database;
  await insertItems(sql, restaurantGuid, 'ffffffff', 5);
  const copied = await copy();
  await insertItems(sql, restaurantGuid, 'a0000000', 200);
  const full = (await compareEnvironments(copied, fixture.database)).configuration;
  assert.equal(full.added.length, 200);
  assert.equal(full.truncated, false, 'exactly as many as there is space for');

  await insertItems(sql, restaurantGuid, 'b0000000', 500);
  await updateObjectFields(sql, 'ffffffff-0000-4000-8000-000000000005', { name: 'Renamed' });
  await insertStockOfAll(sql, restaurantGuid);
  const { configuration, stock } = await compareEnvironments(copied, fixture.database);
  assert.deepEqual(plain(configuration.added), plain(full.added), 'the first ones');
  assert.deepEqual(
    configuration.changed.map(({ name }) => name),
    ['Renamed'],
  );
  assert.equal(configuration.truncated, true);
  assert.deepEqual([stock.added.length, stock.truncated], [200, true]);
  const last = stock.changed.slice(-5).map(({ name }) => name);
  assert.deepEqual(last, ['Item 1', 'Item 2', 'Item 3', 'Item 4', 'Renamed']);
});

/** As it is sent. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}
