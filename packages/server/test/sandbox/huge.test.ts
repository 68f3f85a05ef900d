import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault } from '@servery/support/secret.ts';
import { withAllFields } from '../../src/configuration/document/stored-object.ts';
import { writeCanonical } from '../../src/group-document/canonical.ts';
import { exportGroup } from '../../src/group-document/export.ts';
import { importGroup } from '../../src/group-document/import.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { resolveMenus } from '../../src/menus/document/resolve.ts';
import { profileContents } from '../../src/sandbox/profile.ts';
import { removeCardNumbers } from '../../src/text/card-number-removal.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const clock = new FixedClock(Date.UTC(2026, 10, 21, 9, 30));
const vault = createVault(randomBytes(32));
// The generated document is the same on every machine: who measures with it, measures the same.
const HUGE_SHA256 = '05043374a880b4f887f337ff92013387198240e47b54e0d6041a27ae7aa2387e';
// No test changes it: it takes seconds to make.
const contents = profileContents('huge');
let own: TestDatabase;

before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());

/** A document of one restaurant with these menu items, each on a line of its own. */
const documentOf = (items: readonly string[]) =>
  `{ "format": "servery.group/1", "managementGroup": { "name": "Big" },
"restaurants": [{ "info": { "general": { "name": "R", "timeZone": "UTC", "currencyCode": "USD" } },
"configuration": { "menuItems": [
${items.join(',\n')}
] } }] }`;

test('group document: the generated 50,000 items are the same everywhere', () => {
  const [restaurant] = contents.restaurants;
  const items = restaurant?.objects.filter(({ collection }) => collection === 'menuItems') ?? [];
  assert.ok(items.length >= 50_000);
  const hash = createHash('sha256').update(JSON.stringify(contents));
  const reason = 'a new field changes it: put the new hash here if profiles/huge.ts is as it was';
  assert.equal(hash.digest('hex'), HUGE_SHA256, reason);
});

test('group document: items of several batches go in and out as the same bytes', async () => {
  const items = Array.from({ length: 2_500 }, (_, index) => `{ "name": "Item ${index}" }`);
  await importGroup({ database: own.database, vault, clock }, readGroupDocument(documentOf(items)));
  let exported = '';
  await exportGroup(own.database, null, (text) => {
    exported += text;
  });
  const { restaurants, ...head } = readGroupDocument(exported);
  let again = '';
  await writeCanonical(head, restaurants, (text) => {
    again += text;
  });
  assert.equal(again, exported);
  const [restaurant] = restaurants;
  const names = restaurant?.objects.map(({ fields }) => fields.name);
  assert.deepEqual(new Set(names), new Set(items.map((_, index) => `Item ${index}`)));
});

test('MENU-31: all items of the huge menu have a price, and the document keeps the limits', (t) => {
  const [restaurant] = contents.restaurants;
  assert.ok(restaurant);
  const startedAt = performance.now();
  const resolved = resolveMenus({
    brand: 'Acme',
    restaurantGuid: restaurant.guid,
    timeZone: restaurant.info.general.timeZone,
    objects: restaurant.objects.map(withAllFields),
  });
  t.diagnostic(`resolved in ${Math.round(performance.now() - startedAt)} ms`);
  assert.equal(resolved.refusal, null);
  const groups = resolved.document?.menus.flatMap(({ menuGroups }) => menuGroups) ?? [];
  const items = groups.flatMap(({ menuItems }) => menuItems);
  assert.equal(items.length, 30_000);
  const prices = items.map(({ price }) => price ?? 0);
  assert.ok(Math.min(...prices) > 5 && Math.max(...prices) < 50);
});

for (const profile of ['demo', 'huge'] as const) {
  test(`stock.search STK-6: no multiLocationId of the profile ${profile} is a GUID`, () => {
    const { restaurants: read } = profile === 'huge' ? contents : profileContents(profile);
    const guids = new Set(read.flatMap(({ objects: found }) => found.map(({ guid }) => guid)));
    let count = 0;
    for (const { objects: found } of read) {
      const items = found.filter(({ collection }) => collection === 'menuItems');
      const identifiers = items.map(({ multiLocationId }) => String(multiLocationId));
      count += identifiers.length;
      assert.equal(new Set(identifiers).size, identifiers.length, 'unique in a restaurant');
      for (const identifier of identifiers) {
        assert.match(identifier, /^\d{18}$/);
        assert.ok(!guids.has(identifier), identifier);
        assert.equal(removeCardNumbers(identifier), identifier, 'logs show it');
      }
    }
    assert.ok(count > 600);
  });
}

test('group document: faults in a document of 5,000 items are found, in their order', () => {
  const items = Array.from({ length: 5_000 }, (_, index) =>
    index === 4_999 ? '{ "name": "Last", "calories": "few" }' : `{ "name": "Item ${index}" }`,
  );
  assert.throws(() => readGroupDocument(documentOf(items)), {
    faults: [
      {
        line: 5_003,
        column: 31,
        path: 'restaurants[0].configuration.menuItems[4999].calories',
        message: 'must be a whole number or null',
      },
    ],
  });
});
