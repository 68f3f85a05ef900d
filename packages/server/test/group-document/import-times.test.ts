import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type GroupDocumentFixture, openGroupDocumentFixture } from './fixture.ts';

let fixture: GroupDocumentFixture;

before(async () => {
  fixture = await openGroupDocumentFixture();
});
after(() => fixture.drop());

type Named = Readonly<Record<string, unknown>> & { readonly name: string };

const group = (name: string, menuItems: readonly Named[], connection: object = {}) => ({
  format: 'servery.group/1',
  managementGroup: { name },
  partners: [{ name: `${name} Courier` }],
  restaurants: [
    {
      info: { general: { name: `${name} Grill`, timeZone: 'Europe/Rome', currencyCode: 'EUR' } },
      configuration: { menuItems },
    },
  ],
  connections: [{ partner: `${name} Courier`, restaurant: `${name} Grill`, ...connection }],
});

/** An import during which half a minute passes. */
const slowly = (document: object) =>
  fixture.load(document, { replace: true, onProgress: () => fixture.clock.advance(30_000) });

const now = () => new Date(fixture.clock.nowMs()).toISOString();

/** When each item of the group's one restaurant changed, and what is said of its connection. */
async function exported(name: string) {
  const { restaurants, connections } = JSON.parse(await fixture.dump(name));
  const items: (Named & { modifiedDate: string })[] = restaurants[0].configuration.menuItems;
  const itemTimes = Object.fromEntries(items.map((item) => [item.name, item.modifiedDate]));
  return { itemTimes, connection: connections[0] };
}

test('import API-8: what changed is dated when it shows, not when the import began', async () => {
  const Given = '2025-01-02T03:04:05.678Z';
  const given = { name: 'Given', modifiedDate: Given };
  await slowly(group('Late', [{ name: 'Same' }, { name: 'Edited' }, { name: 'Gone' }, given]));
  const first = now();
  const before = await exported('Late');
  assert.deepEqual(before.itemTimes, { Same: first, Edited: first, Gone: first, Given });
  const { createdDate, modifiedDate } = before.connection;
  assert.deepEqual([createdDate, modifiedDate], [first, first]);

  fixture.clock.advance(60_000);
  const items = [{ name: 'Same' }, { name: 'Edited', calories: 9 }, given, { name: 'New' }];
  await slowly(group('Late', items, { externalGroupRef: 'edited' }));
  const second = now();
  const after = await exported('Late');
  assert.deepEqual(after.itemTimes, {
    Same: first,
    Edited: second,
    Gone: second,
    Given,
    New: second,
  });
  assert.equal(after.connection.createdDate, first);
  assert.equal(after.connection.modifiedDate, second);
});

test('import --replace API-8: a slow import of what is there already dates nothing anew', async () => {
  // Without an advance in between: what is stored has the instant at which the second one begins.
  const document = group('Calm', [{ name: 'Same' }]);
  await slowly(document);
  const before = await fixture.dump('Calm');
  const { changedObjects } = await slowly(document);
  assert.equal(changedObjects, 0);
  assert.equal(await fixture.dump('Calm'), before);
});

test('import --replace CFG-12: what an edited export archives or changes is dated anew', async () => {
  const named = (name: string, fields: object) => [{ name, ...fields }];
  const document = group('Export', [{ name: 'Soup' }, { name: 'Same' }]);
  const [restaurant] = document.restaurants;
  const configuration = {
    menuItems: [...(restaurant?.configuration.menuItems ?? []), { name: 'Moved' }],
    menuGroups: named('Soups', { items: ['Soup'] }),
    taxRates: named('VAT', { rate: 0.1, roundingType: 'HALF_UP' }),
    serviceCharges: named('Cover', { amountType: 'FIXED', amount: 2, applicableTaxes: ['VAT'] }),
  };
  const whole = { ...document, restaurants: [{ ...restaurant, configuration }] };
  await fixture.load(whole);
  const first = now();
  const edited = JSON.parse(await fixture.dump('Export'));
  const own = edited.restaurants[0].configuration;
  const object = (collection: string, name: string) =>
    own[collection].find((each: Named) => each.name === name);
  Object.assign(object('menuItems', 'Soup'), { archived: true });
  Object.assign(object('taxRates', 'VAT'), { rate: 0.22 });
  const moved = '2025-01-02T03:04:05.678Z';
  Object.assign(object('menuItems', 'Moved'), { calories: 9, modifiedDate: moved });
  fixture.clock.advance(60_000);
  await fixture.load(edited, { replace: true });
  const { restaurants } = JSON.parse(await fixture.dump('Export'));
  const times = (collection: string) =>
    Object.fromEntries(
      restaurants[0].configuration[collection].map((each: Named) => [each.name, each.modifiedDate]),
    );
  assert.deepEqual(times('menuItems'), { Soup: now(), Same: first, Moved: moved });
  assert.deepEqual(times('menuGroups'), { Soups: now() });
  assert.deepEqual(times('taxRates'), { VAT: now() });
  assert.deepEqual(times('serviceCharges'), { Cover: now() });
});

test('import: no connection comes out as edited before it was made', async () => {
  const past = '2020-01-01T00:00:00.000Z';
  const future = '2040-01-01T00:00:00.000Z';
  for (const times of [{ modifiedDate: past }, { createdDate: future }]) {
    await fixture.load(group('Order', [], times), { replace: true });
    const { connection } = await exported('Order');
    const { createdDate, modifiedDate } = connection;
    assert.ok(createdDate <= modifiedDate, `${createdDate} is after ${modifiedDate}`);
    const text = await fixture.dump('Order');
    await fixture.load(JSON.parse(text), { replace: true });
    assert.equal(await fixture.dump('Order'), text);
  }
  await fixture.load(group('Order', [], { createdDate: past }), { replace: true });
  await fixture.load(group('Order', [], { modifiedDate: future }), { replace: true });
  assert.equal((await exported('Order')).connection.createdDate, past);
});

test('import --replace: a connection that goes is removed when the import ends', async () => {
  await slowly(group('Parted', []));
  await slowly({ ...group('Parted', [{ name: 'Any' }]), connections: [] });
  const removed = await fixture.database.sql<{ removedAt: Date; modifiedAt: Date }[]>`
    select removed_at as "removedAt", modified_at as "modifiedAt" from connection
    where removed_at is not null`;
  const times = removed.map(({ removedAt, modifiedAt }) => [removedAt, modifiedAt]);
  assert.deepEqual(times, [[new Date(now()), new Date(now())]]);
});
