import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectionReferences, collections, partnerCollections } from '@servery/contract';
import { decodePolyline } from '@servery/contract/polyline.ts';
import type { DocumentObject } from '../../configuration/document/document.ts';
import { valuesAt } from '../../configuration/document/reference-paths.ts';
import type { DocumentRestaurant } from '../../group-document/document.ts';
import { readGroupDocument } from '../../group-document/read-document.ts';
import { demoGroupDocument } from './demo-group.ts';

const document = demoGroupDocument();
const restaurants = document.restaurants ?? [];
const isArchived = (restaurant: DocumentRestaurant) => restaurant.info.general.archived === true;
const operating = restaurants.filter((restaurant) => !isArchived(restaurant));
const diner = byKey('early-wren');

function byKey(key: string): DocumentRestaurant {
  const found = restaurants.find((restaurant) => restaurant.key === key);
  assert.ok(found, `there is no restaurant ${key}`);
  return found;
}

type CollectionName = (typeof collections)[number]['name'];

function objects(restaurant: DocumentRestaurant, name: CollectionName): readonly DocumentObject[] {
  return restaurant.configuration?.[name] ?? [];
}

function live(restaurant: DocumentRestaurant, name: CollectionName): readonly DocumentObject[] {
  return objects(restaurant, name).filter(({ archived }) => archived !== true);
}

function everywhere(name: CollectionName): readonly DocumentObject[] {
  return operating.flatMap((restaurant) => live(restaurant, name));
}

function called(object: DocumentObject): string {
  return String(object.key ?? object.name);
}

function distinct(values: Iterable<unknown>): unknown[] {
  return [...new Set(values)].sort();
}

function general(field: string): unknown[] {
  return distinct(operating.map((restaurant) => restaurant.info.general[field]));
}

test('restaurants.listGroup: four restaurants operate and one is archived', () => {
  assert.equal(operating.length, 4);
  assert.equal(restaurants.length - operating.length, 1);
});

test('restaurants.get: four time zones, and currencies of 0, 2 and 3 decimals', () => {
  assert.equal(general('timeZone').length, 4);
  assert.deepEqual(general('currencyCode'), ['EUR', 'JPY', 'KWD', 'USD']);
});

test('restaurants.get RST-5: the bar serves past midnight up to its closeout hour of 4', () => {
  const bar = byKey('nachtschwalbe');
  assert.equal(bar.info.general.closeoutHour, 4);
  const schedules = JSON.stringify(bar.info.schedules);
  assert.match(schedules, /"endTime":"03:30:00\.000"\},"overnight":true/);
});

test('restaurants.get RST-5: days of several services, closed days and overnight services', () => {
  const weeks = operating.map(({ info }) => info.schedules as Record<string, object>);
  const text = JSON.stringify(weeks);
  assert.match(text, /:null/);
  assert.match(text, /"overnight":true/);
  for (const { daySchedules } of weeks) {
    const days = Object.entries(daySchedules ?? {});
    assert.ok(days.every(([key]) => /^\d+$/.test(key)));
    assert.ok(days.some(([, day]) => day.services.length > 1));
  }
});

test('restaurants.get: a delivery area decodes to a closed polygon around its kitchen', () => {
  const delivering = operating.filter(({ info }) => (info.delivery as { area?: unknown }).area);
  assert.ok(delivering.some(({ key }) => key === 'hudhud-kitchens'));
  for (const { info } of delivering) {
    const polygon = decodePolyline((info.delivery as { area: string }).area) ?? [];
    const { latitude, longitude } = info.location as { latitude: number; longitude: number };
    assert.ok(polygon.length > 6);
    assert.deepEqual(polygon.at(0), polygon.at(-1));
    assert.ok(surrounds(polygon, latitude, longitude), `${info.general.name} is outside`);
  }
});

/** Whether a ray from the point to the east crosses the polygon an odd number of times. */
function surrounds(
  polygon: readonly (readonly [number, number])[],
  latitude: number,
  longitude: number,
): boolean {
  let inside = false;
  polygon.forEach(([north, east], index) => {
    const [northBefore, eastBefore] = polygon.at(index - 1) ?? [north, east];
    if (north > latitude === northBefore > latitude) return;
    const share = (latitude - northBefore) / (north - northBefore);
    if (eastBefore + share * (east - eastBefore) > longitude) inside = !inside;
  });
  return inside;
}

test('configuration.menuItems.list CFG-9: the diner has more live items than a page of 300', () => {
  assert.ok(live(diner, 'menuItems').length > 300, `${live(diner, 'menuItems').length}`);
});

test('configuration.menuItems.list: over 600 items in the group, some also modifiers', () => {
  assert.ok(everywhere('menuItems').length > 600);
  for (const restaurant of operating) {
    const grouped = new Set(objects(restaurant, 'menuGroups').flatMap(({ items }) => items));
    const options = objects(restaurant, 'menuOptionGroups').flatMap((group) => group.options);
    assert.ok(
      options.some((option) => grouped.has(option)) || restaurant.key === 'hudhud-kitchens',
    );
    assert.ok(options.length > 40, `${restaurant.key} has ${options.length} modifiers`);
  }
});

test('configuration CFG-1: the operating restaurants have no empty collection', () => {
  for (const restaurant of operating) {
    const empty = partnerCollections.filter(({ name }) => live(restaurant, name).length === 0);
    const names = empty.map(({ name }) => name);
    assert.deepEqual(names, [], `${restaurant.key}`);
  }
});

test("configuration CFG-7: references lead to the restaurant's objects, some archived", () => {
  let toArchived = 0;
  for (const restaurant of restaurants) {
    for (const { name } of collections) {
      for (const field of collectionReferences[name]) {
        const targets = new Map(objects(restaurant, field.target).map((to) => [called(to), to]));
        for (const object of objects(restaurant, name)) {
          for (const reference of valuesAt(object, field)) {
            if (reference === undefined || reference === null) continue;
            const to = targets.get(String(reference));
            const place = `${restaurant.key} ${name} ${called(object)} ${field.field}`;
            assert.ok(to, `${place}: ${reference}`);
            if (to.archived) toArchived += 1;
          }
        }
      }
    }
  }
  assert.ok(toArchived >= 3);
});

test('configuration: every live item is in a group, a modifier or a portion', () => {
  for (const restaurant of restaurants) {
    const groups = objects(restaurant, 'menuGroups').flatMap(({ items }) => items);
    const options = objects(restaurant, 'menuOptionGroups').flatMap((group) => group.options);
    const portions = objects(restaurant, 'menuItems').flatMap((item) => item.portions ?? []);
    const placed = new Set([...groups, ...options, ...portions]);
    for (const item of live(restaurant, 'menuItems')) {
      assert.ok(placed.has(called(item)), `${restaurant.key} ${called(item)} is nowhere`);
    }
    const used = ['menuGroups', 'menuItems'] as const;
    const offered = new Set(
      used.flatMap((name) => objects(restaurant, name).flatMap((to) => to.optionGroups ?? [])),
    );
    for (const group of live(restaurant, 'menuOptionGroups')) {
      assert.ok(
        offered.has(called(group)),
        `${restaurant.key} ${called(group)} is offered nowhere`,
      );
    }
  }
});

test('configuration.discounts.list: all six types, promo codes of all three usages (CFG-6)', () => {
  const six = ['BOGO', 'FIXED', 'FIXED_TOTAL', 'OPEN_FIXED', 'OPEN_PERCENT', 'PERCENT'];
  assert.deepEqual(distinct(live(diner, 'discounts').map(({ type }) => type)), six);
  const codes = everywhere('discounts').flatMap(
    ({ promoCodes }) => (promoCodes ?? []) as { usageType: string }[],
  );
  const usages = ['MULTI_USE', 'SINGLE_USE_PHONE', 'SINGLE_USE_UNIQUE_CODE'];
  assert.deepEqual(distinct(codes.map(({ usageType }) => usageType)), usages);
});

test('configuration.taxRates.list CFG-5: all types and roundings, conditional rates, a table', () => {
  const taxes = live(diner, 'taxRates');
  const types = ['EXTERNAL', 'FIXED', 'NONE', 'PERCENT', 'TABLE'];
  assert.deepEqual(distinct(taxes.map(({ type }) => type)), types);
  const roundings = taxes.flatMap(({ roundingType }) => roundingType ?? []);
  assert.deepEqual(distinct(roundings), ['ALWAYS_DOWN', 'ALWAYS_UP', 'HALF_EVEN', 'HALF_UP']);
  assert.match(JSON.stringify(taxes), /"condition":"Takeout"/);
  const rows = taxes.flatMap(({ taxTable }) => (taxTable ?? []) as { pattern: boolean }[]);
  assert.deepEqual(distinct(rows.map(({ pattern }) => pattern)), [false, true]);
});

test('configuration.serviceCharges.list CFG-4: all amount types and destinations, with taxes', () => {
  const charges = live(diner, 'serviceCharges');
  const types = charges.map(({ amountType }) => amountType);
  assert.deepEqual(distinct(types), ['FIXED', 'OPEN', 'PERCENT']);
  const destinations = ['PLATFORM', 'RESTAURANT', 'SERVER', 'THIRD_PARTY'];
  assert.deepEqual(distinct(charges.map(({ destination }) => destination)), destinations);
  assert.ok(charges.some(({ applicableTaxes }) => (applicableTaxes as string[]).length > 1));
});

test('configuration.preModifiers.list: prefix and suffix, factor and amount, extra or not', () => {
  const words = live(diner, 'preModifiers');
  assert.deepEqual(distinct(words.map(({ displayMode }) => displayMode)), ['PREFIX', 'SUFFIX']);
  assert.deepEqual(distinct(words.map(({ scalePrice }) => scalePrice)), [false, true]);
  assert.equal(distinct(words.map(({ chargeAsExtra }) => chargeAsExtra)).length, 3);
  const defaults = live(diner, 'preModifierGroups').filter(({ isDefault }) => isDefault);
  assert.equal(defaults.length, 1);
});

test('configuration.diningOptions.list: every behavior, and curbside', () => {
  const options = live(diner, 'diningOptions');
  const behaviors = options.map(({ behavior }) => behavior);
  assert.deepEqual(distinct(behaviors), ['DELIVERY', 'DINE_IN', 'TAKE_OUT']);
  assert.ok(options.some(({ curbside }) => curbside));
});

test('configuration.menuItems.list: portions, open items, units and visibility vary', () => {
  const items = everywhere('menuItems');
  const types = distinct(items.flatMap(({ type }) => type ?? []));
  assert.deepEqual(types, ['OPEN_ITEM', 'PORTION', 'SPECIAL_REQUEST']);
  const measured = [...items, ...everywhere('menuGroups')];
  const units = measured.flatMap(({ unitOfMeasure }) => unitOfMeasure ?? []);
  assert.deepEqual(distinct(units), ['G', 'KG', 'L', 'LB', 'ML']);
  assert.deepEqual(distinct(items.flatMap((item) => item.visibility ?? [])), ['NONE', 'POS_ONLY']);
  assert.ok(items.some(({ orderableOnline }) => orderableOnline === 'NO'));
  assert.ok(items.some(({ calories }) => calories === 0));
  assert.ok(items.some(({ calories }) => Number(calories) < 0));
  assert.ok(items.some(({ sku, plu }) => sku && plu));
  assert.ok(everywhere('menuGroups').some(({ subgroups }) => subgroups));
});

test('configuration.tipWithholding.get CFG-11: on, off, and never configured', () => {
  const settings = operating.map(
    ({ configuration }) => configuration?.tipWithholding?.enabled ?? null,
  );
  assert.deepEqual(distinct(settings), [false, null, true].sort());
});

test('configuration: names are chosen by hand, no filler and none twice', () => {
  for (const restaurant of restaurants) {
    for (const { name } of collections) {
      const names = objects(restaurant, name).map((object) => object.name ?? object.key);
      assert.equal(distinct(names).length, names.length, `${restaurant.key} ${name}`);
      for (const text of names) {
        assert.doesNotMatch(String(text), /\b(item|group|test|sample|lorem|foo)s? ?\d+/i);
        assert.equal(text, String(text).normalize('NFC').trim());
      }
    }
  }
  const all = everywhere('menuItems').map(({ name }) => name);
  assert.ok(distinct(all).length / all.length > 0.95);
});

test('configuration: no picture and no address leads to a name that someone may own', () => {
  const addresses = JSON.stringify(document).match(/https?:\/\/[^/"]+/g) ?? [];
  assert.ok(addresses.length > 50);
  for (const address of addresses) assert.match(address, /^https:\/\/[a-z.-]+\.example$/);
  const mails = JSON.stringify(document).match(/"email":"[^"]+"/g) ?? [];
  for (const mail of mails) assert.match(mail, /@[a-z.-]+\.example\.com"$/);
});

test('stock.list STK-9: each restaurant lacks some live items and has little left of others', () => {
  for (const restaurant of operating) {
    const items = new Set(live(restaurant, 'menuItems').map(called));
    const stock = restaurant.stock ?? [];
    for (const { item } of stock) assert.ok(items.has(item), `${restaurant.key} ${item}`);
    assert.deepEqual(distinct(stock.map(({ status }) => status)), ['OUT_OF_STOCK', 'QUANTITY']);
    assert.ok(stock.length >= 6);
  }
});

test('stock.search STK-6: items that locations share have the same identifier of digits', () => {
  const shared = new Map<string, number>();
  for (const restaurant of operating) {
    const identifiers = objects(restaurant, 'menuItems').flatMap((to) => to.multiLocationId ?? []);
    assert.equal(distinct(identifiers).length, identifiers.length, `${restaurant.key}`);
    for (const identifier of identifiers) {
      assert.match(identifier, /^\d+$/);
      shared.set(identifier, (shared.get(identifier) ?? 0) + 1);
    }
  }
  assert.ok([...shared.values()].filter((count) => count > 1).length >= 10);
  assert.ok([...shared.values()].includes(4));
});

test('partners.connectedRestaurants.list: one partner has all, one has two, one has none', () => {
  const counts = (document.partners ?? []).map(
    ({ key }) => (document.connections ?? []).filter(({ partner }) => partner === key).length,
  );
  assert.deepEqual(counts, [restaurants.length, 2, 0]);
  for (const connection of document.connections ?? []) {
    assert.ok(byKey(connection.restaurant));
    assert.ok(connection.externalGroupRef && connection.externalRestaurantRef);
    assert.ok(connection.createdBy?.email?.endsWith('.example.com'));
    assert.ok(String(connection.createdDate) <= String(connection.modifiedDate));
  }
  const edited = document.connections?.filter(({ createdDate, modifiedDate }) => {
    return createdDate !== modifiedDate;
  });
  assert.ok((edited?.length ?? 0) > 2);
});

test('sandbox: every start has the same document, and every date is in it', () => {
  assert.deepEqual(demoGroupDocument(), document);
  assert.notEqual(demoGroupDocument().restaurants, document.restaurants);
  const dates = restaurants.flatMap((restaurant) =>
    collections.flatMap(({ name }) =>
      objects(restaurant, name).map(({ modifiedDate }) => modifiedDate),
    ),
  );
  assert.ok(dates.every((date) => /^2026-.*Z$/.test(String(date))));
  assert.ok(distinct(dates).length > 20);
});

test('sandbox: an import finds no fault, no date to fill in, and the same GUIDs everywhere', () => {
  const { group, restaurants: read } = readGroupDocument(JSON.stringify(document));
  assert.equal(group.guid, 'b9a86c39-5f85-5186-92d4-99d505cf3f2a');
  const guids = [
    '7a00cc1d-18eb-523f-b691-e860a507bb02',
    'f6fb399f-1b8f-5290-b5ce-dab30e8878e6',
    'dda10e2f-6e62-5a62-b65c-eeb18a617356',
    'e36855e5-039e-542e-bec0-aaab9adf51b1',
    '4c12241f-b73b-569a-b319-facb1f25968b',
  ];
  assert.deepEqual(
    read.map(({ guid }) => guid),
    guids,
  );
  for (const { objects: found } of read) {
    assert.ok(found.every(({ modifiedAt }) => modifiedAt !== null));
  }
  const firstItem = read[0]?.objects.find(({ collection }) => collection === 'menuItems');
  assert.equal(firstItem?.multiLocationId, '106267598027543831');
});
