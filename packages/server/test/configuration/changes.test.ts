import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CollectionName, collectionReferences, collections } from '@servery/contract';
import { type Configuration, type DraftFixture, openDraftFixture } from './fixture.ts';

let fixture: DraftFixture;
before(async () => {
  fixture = await openDraftFixture();
});
after(() => fixture.drop());

/** Every field that refers to other objects refers to one. */
const LINKED: Configuration = {
  menus: [{ name: 'Dinner', groups: ['Mains'] }],
  menuGroups: [
    { name: 'Mains', items: ['Risotto'], subgroups: ['Rice'], optionGroups: ['Toppings'] },
    { name: 'Rice', parent: 'Mains' },
  ],
  menuItems: [{ name: 'Risotto', optionGroups: ['Toppings'] }, { name: 'Truffle' }],
  menuOptionGroups: [{ name: 'Toppings', options: ['Truffle'] }],
  taxRates: [{ name: 'VAT', rate: 0.1, roundingType: 'HALF_UP' }],
  serviceCharges: [
    {
      name: 'Cover',
      amountType: 'FIXED',
      amount: 2,
      taxable: true,
      applicableTaxes: ['VAT'],
      criteria: { dineIn: true },
    },
  ],
  printers: [{ name: 'Kitchen' }],
  cashDrawers: [{ key: 'till', printer: 'Kitchen' }],
  preModifierGroups: [{ name: 'Amounts' }],
  preModifiers: [{ name: 'Extra', parent: 'Amounts', basePrice: 1 }],
  revenueCenters: [{ name: 'Dining room' }],
  serviceAreas: [{ name: 'Terrace', revenueCenter: 'Dining room' }],
  tables: [{ name: 'T1', serviceArea: 'Terrace', revenueCenter: 'Dining room' }],
};

const instant = () => new Date(fixture.clock.nowMs()).toISOString();

test('configuration CFG-12: nothing that archiving changes is missing from lastModified', async () => {
  const [restaurant] = await fixture.open(LINKED);
  assert.ok(restaurant);
  const unseen = new Set(
    collections.flatMap(({ name }) =>
      collectionReferences[name].map(({ field, target }) => `${name}.${field} ${target}`),
    ),
  );
  const objects = [...(await fixture.servedObjects(restaurant)).keys()];
  for (const key of objects.filter((each) => !each.startsWith('tipWithholding/'))) {
    const [collection = '', guid = ''] = key.split('/');
    for (const step of ['archive', 'unarchive']) {
      const old = await fixture.servedObjects(restaurant);
      const since = instant();
      fixture.clock.advance(60_000);
      await fixture.done(restaurant, `objects.${step}`, { collection, guid });
      await fixture.done(restaurant, 'publications.publish', { body: {} });
      const young = await fixture.servedObjects(restaurant);
      const different = [...young].filter(([each, text]) => old.get(each) !== text);
      for (const [each, text] of different) {
        const name = each.split('/')[0] as CollectionName;
        const [one, other] = [JSON.parse(old.get(each) ?? '{}'), JSON.parse(text)];
        for (const { field, target } of collectionReferences[name]) {
          if (target !== collection) continue;
          if (JSON.stringify(one[field]) === JSON.stringify(other[field])) continue;
          unseen.delete(`${name}.${field} ${target}`);
        }
      }
      const listed = await fixture.servedObjects(restaurant, since);
      const places = [...listed.keys()].filter((each) => !each.startsWith('tipWithholding/'));
      assert.deepEqual(
        places.toSorted(),
        different.map(([each]) => each).toSorted(),
        `${step} ${key}`,
      );
    }
  }
  assert.deepEqual([...unseen], [], 'each field that refers to an object changed once');
});
