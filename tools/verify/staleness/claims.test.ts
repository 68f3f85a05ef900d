import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Claim, Misfit } from './claim.ts';
import { FLICKER, guidOf, markedItems, nameAt, percentageAt } from './contents.ts';
import type { House, Partner, Place } from './house.ts';
import { infoPatch } from './info.ts';
import { claimsOfList, claimsOfNoFlicker, claimsOfTips } from './read-configuration.ts';
import { claimsOfConnections, claimsOfGroup, claimsOfInfo, claimsOfStock } from './read-others.ts';
import { settingsAt } from './stock-levels.ts';
import { Subject } from './subject.ts';

const GROUP = 'group one';

/** A restaurant whose configuration and stock have the content 4, and whose label is 9. */
function place(): Place {
  return {
    ...{ tag: 'r1', guid: 'restaurant', number: 1, itemCount: 12 },
    info: new Subject('info', 1, { label: 9, groupGuid: GROUP, isArchived: false }),
    configuration: new Subject('configuration', 1, { label: 3, content: 4 }),
    stock: new Subject('stock', 1, { content: 4, isOut: false }),
  };
}

/** Whether the histories of a restaurant have a moment for every claim. */
const isExplained = (claims: readonly Claim[]) =>
  claims.every((each) => each.judge(each.subject.look(0, 10, 'page'), 20).fault === null);

/** Items as a page has them, each with a content of its own; null leaves the flicker out. */
function items(of: Place, contents: readonly number[], hasFlicker: boolean) {
  const marked = markedItems(of).map((index, at) => ({
    guid: guidOf(of, 'menuItems', index),
    name: nameAt(of, 'menuItems', contents[at] ?? 0, index),
  }));
  const flicker = { guid: guidOf(of, 'menuItems', FLICKER), name: `${of.tag} Flicker` };
  return hasFlicker ? [...marked.slice(0, 1), flicker, ...marked.slice(1)] : marked;
}

test('staleness: a page of one publication is explained, and only by that one', () => {
  const of = place();
  assert.ok(isExplained(claimsOfList(of, 'menuItems', items(of, [4, 4, 4], true), false)));
  assert.ok(!isExplained(claimsOfList(of, 'menuItems', items(of, [6, 6, 6], true), false)));
  assert.ok(isExplained(claimsOfTips(of, { percentage: percentageAt(4) })));
  assert.ok(!isExplained(claimsOfNoFlicker(of)));
});

test('staleness: a page of two publications is none, whatever the history says', () => {
  const of = place();
  const read = (body: unknown) => () => claimsOfList(of, 'menuItems', body, false);
  assert.throws(read(items(of, [4, 6, 4], true)), { name: 'Misfit', kind: 'mixed' });
  // While the content is even, the item that comes and goes is there.
  assert.throws(read(items(of, [4, 4, 4], false)), { name: 'Misfit', kind: 'mixed' });
});

test('staleness: what is embedded belongs to the publication of what it is in', () => {
  const of = place();
  const service = (content: number, tax: number) => [
    {
      guid: guidOf(of, 'serviceCharges', 1),
      name: nameAt(of, 'serviceCharges', content),
      applicableTaxes: [{ guid: guidOf(of, 'taxRates', 1), name: nameAt(of, 'taxRates', tax) }],
    },
  ];
  assert.ok(isExplained(claimsOfList(of, 'serviceCharges', service(4, 4), false)));
  const mixed = () => claimsOfList(of, 'serviceCharges', service(4, 3), false);
  assert.throws(mixed, { name: 'Misfit', kind: 'mixed' });
});

test('staleness: objects of another restaurant are noticed', () => {
  const of = place();
  const other = { ...of, tag: 'r2', number: 2 };
  const foreign = () => claimsOfList(of, 'menuItems', items(other, [4, 4, 4], true), false);
  assert.throws(foreign, { name: 'Misfit', kind: 'foreign' });
});

test('staleness: a stock list is one that was set, as a whole', () => {
  const of = place();
  const flicker = { guid: guidOf(of, 'menuItems', FLICKER), status: 'OUT_OF_STOCK' };
  const listed = (content: number) =>
    [...settingsAt(of, content), flicker].filter(({ status }) => status !== 'IN_STOCK');
  assert.ok(isExplained(claimsOfStock(of, 'all', listed(4))));
  assert.ok(!isExplained(claimsOfStock(of, 'all', listed(5))));
  const [first, ...others] = listed(4);
  const mixed = [{ ...first, quantity: 5 }, ...others];
  assert.throws(() => claimsOfStock(of, 'all', mixed), { name: 'Misfit', kind: 'mixed' });
});

test('staleness: a document of a restaurant is of one label', () => {
  const of = place();
  const document = (label: number, website = label) => {
    const { general, location } = infoPatch('r1', label);
    const { urls } = infoPatch('r1', website);
    const state = { managementGroupGuid: GROUP, archived: false };
    return { guid: 'restaurant', general: { ...general, ...state }, urls, location };
  };
  assert.ok(isExplained(claimsOfInfo(of, document(9))));
  assert.ok(!isExplained(claimsOfInfo(of, document(8))));
  assert.throws(() => claimsOfInfo(of, document(9, 8)), Misfit);
});

test('staleness: what a whole list leaves out is not there', () => {
  const of = place();
  const connection = new Subject('connection', 1, { isOn: true, label: 1 });
  const partner: Partner = {
    ...{ name: 'one', guid: 'partner' },
    connections: new Map([[of.guid, connection]]),
  };
  const house = { places: [of] } as unknown as House;
  const { name, locationName } = infoPatch('r1', 9).general;
  const element = {
    ...{ restaurantGuid: of.guid, restaurantName: name, locationName, deleted: false },
    ...{ managementGroupGuid: GROUP, externalRestaurantRef: '1' },
  };
  assert.ok(isExplained(claimsOfConnections(house, partner, [element], true)));
  assert.ok(isExplained(claimsOfConnections(house, partner, [], false)));
  assert.ok(!isExplained(claimsOfConnections(house, partner, [], true)));
  assert.ok(isExplained(claimsOfGroup(house, GROUP, [{ guid: of.guid }])));
  assert.ok(!isExplained(claimsOfGroup(house, GROUP, [])));
});
