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
import { createTestDatabase, type TestDatabase } from '../database.ts';

const clock = new FixedClock(Date.UTC(2026, 10, 21, 9, 30));
const vault = createVault(randomBytes(32));
// The generated document is the same on every machine: who measures with it, measures the same.
const HUGE_SHA256 = 'c03e9e65c1bd7f74cee8fad1599a5e8b13e353499ac5e3e2a36e8c83269d861f';
// No test changes it: it takes seconds to make.
const contents = profileContents('huge');
let own: TestDatabase;

before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());

/** Takes a document's text piece by piece and keeps only what comparing needs. */
function digest() {
  const hash = createHash('sha256');
  const write = (text: string) => {
    hash.update(text);
  };
  return { write, sha256: () => hash.digest('hex') };
}

test('group document: 50,000 items are imported and exported as the same bytes', async (t) => {
  const [restaurant] = contents.restaurants;
  const items = restaurant?.objects.filter(({ collection }) => collection === 'menuItems') ?? [];
  assert.ok(items.length >= 50_000);
  const { restaurants, ...head } = contents;
  const generated = digest();
  await writeCanonical(head, restaurants, generated.write);

  const startedAt = performance.now();
  await importGroup({ database: own.database, vault, clock }, contents);
  t.diagnostic(`imported in ${Math.round(performance.now() - startedAt)} ms`);

  assert.equal(generated.sha256(), HUGE_SHA256);

  const exported = digest();
  await exportGroup(own.database, null, exported.write);
  assert.equal(exported.sha256(), HUGE_SHA256);
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

test('group document: faults in a document of 50,000 items are found, in their order', () => {
  const items = Array.from({ length: 50_000 }, (_, index) =>
    index === 49_999 ? '{ "name": "Last", "calories": "few" }' : `{ "name": "Item ${index}" }`,
  );
  const text = `{ "format": "servery.group/1", "managementGroup": { "name": "Big" },
"restaurants": [{ "info": { "general": { "name": "R", "timeZone": "UTC", "currencyCode": "USD" } },
"configuration": { "menuItems": [
${items.join(',\n')}
] } }] }`;
  assert.throws(() => readGroupDocument(text), {
    faults: [
      {
        line: 50_003,
        column: 31,
        path: 'restaurants[0].configuration.menuItems[49999].calories',
        message: 'must be a whole number or null',
      },
    ],
  });
});
