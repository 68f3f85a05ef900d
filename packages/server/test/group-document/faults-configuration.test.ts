import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { documentText, testFault } from './fault-case.ts';

/** A rule, JSON of `configuration` with a mark, the path below it, and the message. */
type Case = readonly [string, string, string, RegExp];

function testCases(cases: readonly Case[]): void {
  for (const [title, configuration, path, message] of cases) {
    testFault(title, { configuration }, `restaurants[0].configuration.${path}`, message);
  }
}

const GUID = '0b6f3d60-5c0e-4d7c-9f39-2a1f6f3f9f01';

const identities: readonly Case[] = [
  [
    'a collection that there is not is refused',
    '«"menuItem": []',
    'menuItem',
    /is no field here; perhaps "menuItems" is meant/,
  ],
  [
    'two objects of one name need keys, because their GUIDs would be the same',
    '"menuItems": [{ "name": "Soup" },\n «{ "name": "Soup" }]',
    'menuItems[1]',
    /another of the menuItems is called "Soup" too; give this one a key/,
  ],
  [
    'two objects of one key are refused',
    `"menuItems": [{ "key": "soup", "name": "Soup" },
      { "guid": "${GUID}", "key": «"soup", "name": "Broth" }]`,
    'menuItems[1].key',
    /has the key "soup"; change one/,
  ],
  [
    'two objects of one GUID are refused, also when they are of two collections',
    `"menus": [{ "guid": «"${GUID.toUpperCase()}", "name": "Lunch" }],
     "menuItems": [{ "guid": "${GUID}", "name": "Soup" }]`,
    'menus[0].guid',
    /is the guid of something else here/,
  ],
  [
    'an object without a name needs a key',
    '"cashDrawers": [«{}]',
    'cashDrawers[0]',
    /needs a key or a guid/,
  ],
  [
    'an object with an empty name is refused',
    '"printers": [{ "name": «" " }]',
    'printers[0].name',
    /is empty; write a name/,
  ],
  [
    'STK-6: two items of one multiLocationId are refused',
    `"menuItems": [{ "name": "Soup", "multiLocationId": "7" },
      { "name": "Broth", "multiLocationId": «"7" }]`,
    'menuItems[1].multiLocationId',
    /multiLocationId of another of the menuItems here/,
  ],
  [
    'a multiLocationId on what has none is refused',
    '"printers": [{ "name": "Bar", «"multiLocationId": "7" }]',
    'printers[0].multiLocationId',
    /is no field here/,
  ],
  [
    'a date of change without an offset is refused',
    '"printers": [{ "name": "Bar", "modifiedDate": «"2026-01-31T12:00:00" }]',
    'printers[0].modifiedDate',
    /must be an instant/,
  ],
  [
    'a date of change that is not in the calendar is refused',
    '"printers": [{ "name": "Bar", "modifiedDate": «"2026-02-30T12:00:00Z" }]',
    'printers[0].modifiedDate',
    /must be an instant/,
  ],
];
testCases(identities);

const references: readonly Case[] = [
  [
    'a reference to a name that there is not is refused',
    '"menus": [{ "name": "Lunch", "groups": [«"Soups"] }]',
    'menus[0].groups[0]',
    /none among the menuGroups with the name or key "Soups"; add it/,
  ],
  [
    'a reference to a GUID that there is not is refused',
    `"cashDrawers": [{ "key": "front", "printer": «"${GUID}" }]`,
    'cashDrawers[0].printer',
    /none among the printers with the GUID/,
  ],
  [
    'a reference into another collection is refused',
    '"printers": [{ "name": "Bar" }], "menus": [{ "name": "Lunch", "groups": [«"Bar"] }]',
    'menus[0].groups[0]',
    /none among the menuGroups/,
  ],
  [
    'a reference to a name that two have is refused',
    `"menuItems": [{ "key": "a", "name": "Soup" }, { "key": "b", "name": "Soup" }],
     "menuOptionGroups": [{ "name": "First", "options": ["a",\n «"Soup"] }]`,
    'menuOptionGroups[0].options[1]',
    /2 of the menuItems are named "Soup"; give the one that is meant a key/,
  ],
  [
    'a reference that is in a list already is refused, by whatever it is called',
    `"menuItems": [{ "key": "a", "name": "Soup" }],
     "menuOptionGroups": [{ "name": "First", "options": ["a", «"Soup"] }]`,
    'menuOptionGroups[0].options[1]',
    /in this list already/,
  ],
  [
    'a reference that is an object is refused',
    '"cashDrawers": [{ "key": "front", "printer": «{ "name": "Bar" } }]',
    'cashDrawers[0].printer',
    /must be a string/,
  ],
  [
    'CFG-4: an unknown tax of a service charge is refused',
    `"serviceCharges": [{ "name": "Party", "amountType": "OPEN", "criteria": {},
      "applicableTaxes": [«"VAT"] }]`,
    'serviceCharges[0].applicableTaxes[0]',
    /none among the taxRates/,
  ],
];
testCases(references);

const tree: readonly Case[] = [
  [
    'a group that is its own parent is refused',
    '"menuGroups": [{ "name": "A", "parent": «"A" }]',
    'menuGroups[0].parent',
    /inside itself; break the cycle/,
  ],
  [
    'a group whose parent does not list it is refused',
    `"menuGroups": [{ "name": "A", "subgroups": [] }, { "name": "B", "parent": «"A" }]`,
    'menuGroups[1].parent',
    /menuGroups\[0\]\.subgroups does not list this group/,
  ],
  [
    'a subgroup that names another parent is refused',
    `"menuGroups": [{ "name": "A", "subgroups": [«"B"] }, { "name": "B", "parent": null }]`,
    'menuGroups[0].subgroups[0]',
    /menuGroups\[1\]\.parent names another group, or none/,
  ],
  [
    'a group in two groups is refused',
    `"menuGroups": [{ "name": "A", "subgroups": [«"C"] }, { "name": "B", "subgroups": ["C"] },
      { "name": "C" }]`,
    'menuGroups[0].subgroups[0]',
    /menuGroups\[1\]\.subgroups lists it too/,
  ],
  [
    'a group on two menus is refused',
    `"menus": [{ "name": "Lunch", "groups": [«"A"] }, { "name": "Dinner", "groups": ["A"] }],
     "menuGroups": [{ "name": "A" }]`,
    'menus[0].groups[0]',
    /menus\[1\]\.groups lists it too/,
  ],
  [
    'a group below another one that a menu lists is refused',
    `"menus": [{ "name": "Lunch", "groups": ["A", «"B"] }],
     "menuGroups": [{ "name": "A", "subgroups": ["B"] }, { "name": "B" }]`,
    'menus[0].groups[1]',
    /a menu lists its top level only/,
  ],
  [
    'a group whose menu does not list it is refused',
    `"menus": [{ "name": "Lunch", "groups": [] }],
     "menuGroups": [{ "name": "A", "menu": «"Lunch" }]`,
    'menuGroups[0].menu',
    /menus\[0\]\.groups does not list this group/,
  ],
  [
    'a menu that lists the group of another menu is refused',
    `"menus": [{ "name": "Lunch", "groups": [«"A"] }, { "name": "Dinner" }],
     "menuGroups": [{ "name": "A", "menu": "Dinner" }]`,
    'menus[0].groups[0]',
    /menuGroups\[0\]\.menu names another menu/,
  ],
];
testCases(tree);

test('group document: each group of a circle of parents is told', () => {
  const text = documentText({
    configuration: `"menuGroups": [{ "name": "A", "parent": "C" }, { "name": "B", "parent": "A" },
      { "name": "C", "parent": "B" }, { "name": "D", "parent": "C" }]`,
  });
  assert.throws(
    () => readGroupDocument(text),
    (error: Error) => {
      assert.equal(error.message.match(/break the cycle/g)?.length, 3);
      return true;
    },
  );
});

test('group document: the way back of menus and groups is filled in', () => {
  const down = `"menus": [{ "name": "Lunch", "groups": ["A"] }],
    "menuGroups": [{ "name": "A", "subgroups": ["B"] }, { "name": "B" }]`;
  const up = `"menus": [{ "name": "Lunch" }],
    "menuGroups": [{ "name": "A", "menu": "Lunch" },
      { "name": "B", "parent": "A", "menu": "Lunch" }]`;
  const [first, second] = [down, up].map((configuration) =>
    readGroupDocument(documentText({ configuration })),
  );
  assert.deepEqual(first, second);
  const [menu, a, b] = ['menus', 'menuGroups', 'menuGroups'].map((kind, index) => {
    const ofKind = first?.restaurants[0]?.objects.filter((object) => object.collection === kind);
    return ofKind?.[Math.max(0, index - 1)];
  });
  assert.deepEqual(menu?.fields.groups, [a?.guid]);
  assert.deepEqual([a?.fields.menu, a?.fields.parent], [menu?.guid, null]);
  assert.deepEqual(a?.fields.subgroups, [b?.guid]);
  assert.deepEqual([b?.fields.menu, b?.fields.parent], [menu?.guid, a?.guid]);
});
