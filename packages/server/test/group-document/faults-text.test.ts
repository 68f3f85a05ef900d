import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { documentText, refusal, testFault } from './fault-case.ts';

const notJson: readonly [string, string, string, RegExp][] = [
  ['nothing at all', '«', '', /the document is empty/],
  ['a comment', '«// mine\n{}', '', /JSON has no comments/],
  ['a comma too many', '{\n  "format": "servery.group/1",\n«}', '', /property name .* is needed/],
  ['a missing comma', '{\n  "format": "servery.group/1"\n  «"x": 1 }', '', /a "," is needed/],
  ['a missing colon', '{ "format" «"servery.group/1" }', '', /a ":" is needed/],
  ['a missing brace', '{ "format": "servery.group/1"«', '', /a "}" is missing/],
  ['a missing bracket', '{ "partners": [1«', '', /a "]" is missing/],
  ['text without quotes', '{ «format: 1 }', '', /text goes in double quotes/],
  ['text without an end', '{ "format": «"servery\n}', '', /no closing double quote/],
  ['a backslash that escapes nothing', '{ "format": «"a\\x" }', '', /write \\\\ for a backslash/],
  ['more after the end', '{}\n«{}', '', /more after the end|is not JSON/],
];
for (const [title, text, path, message] of notJson) {
  testFault(`${title} is told with its place`, { text }, path, message);
}

testFault(
  'a name that an object has twice is refused at the second',
  { managementGroup: '{ "name": "One",\n    «"name": "Two" }' },
  'managementGroup.name',
  /given twice in this object; keep one/,
);
testFault(
  'a NUL character is refused, because PostgreSQL cannot keep it',
  { managementGroup: '{ "name": «"One\\u0000" }' },
  'managementGroup.name',
  /NUL character/,
);
testFault(
  'a card number is refused, because it is stored nowhere (PAY-I7)',
  { managementGroup: '{ "name": «"Call 4111 1111 1111 1111" }' },
  'managementGroup.name',
  /has the number of a payment card; remove it$/,
);
testFault(
  'half of a surrogate pair is refused, because UTF-8 cannot write it',
  { managementGroup: '{ "name": «"One\\ud83c" }' },
  'managementGroup.name',
  /half of a surrogate pair/,
);
testFault(
  'a number with more digits than a double keeps is refused',
  { info: ', "location": { "latitude": «41.96874000000000000001, "longitude": -87.5 }' },
  'restaurants[0].info.location.latitude',
  /more digits than a double keeps/,
);
testFault(
  'a number beyond double precision is refused',
  { info: ', "delivery": { "minimum": «1e999 }' },
  'restaurants[0].info.delivery.minimum',
  /must be a number/,
);

test('group document: nesting beyond any need is refused without a stack overflow', () => {
  const { faults } = refusal(`{ "x": ${'['.repeat(100_000)}`);
  assert.match(faults[0]?.message ?? '', /nested deeper than 64 levels/);
  assert.equal(faults[0]?.line, 1);
});

test('group document: bytes that are not UTF-8 are told with their line', () => {
  const [before = '', after = ''] = documentText({
    managementGroup: '{ "name": "Caf¦" }',
  }).split('¦');
  const { faults } = refusal(
    Buffer.concat([Buffer.from(before), Buffer.of(0xe9), Buffer.from(after)]),
  );
  assert.deepEqual(
    faults.map(({ line }) => line),
    [4],
  );
  assert.match(faults[0]?.message ?? '', /not UTF-8 on this line/);
});

test('group document: a byte order mark and CRLF line ends are no fault', () => {
  const text = documentText({});
  const plain = readGroupDocument(text);
  assert.deepEqual(readGroupDocument(`\ufeff${text}`), plain);
  assert.deepEqual(readGroupDocument(Buffer.from(`\ufeff${text}`)), plain);
  assert.deepEqual(readGroupDocument(text.replaceAll('\n', '\r\n')), plain);
});

test('group document: 50 faults are shown, the others counted', () => {
  const items = Array.from(
    { length: 80 },
    (_, index) => `{ "name": "Item ${index}", "calorie": 1 }`,
  );
  const error = refusal(documentText({ configuration: `"menuItems": [\n${items.join(',\n')}]` }));
  assert.equal(error.faultCount, 80);
  assert.equal(error.faults.length, 50);
  assert.match(error.message, /\n… and 30 more$/);
  assert.match(
    error.message,
    /^\d+:\d+ .*menuItems\[0\]\.calorie: .*is no field here; perhaps "calories" is meant/,
  );
});

test('group document: all faults are told at once, in the order of the document', () => {
  const { faults } = refusal(
    documentText({
      managementGroup: '{ "name": "" }',
      general: ', "closeoutHour": 13',
      configuration: `"menuItems": [{ "name": "Soup" }, { "name": "Soup" }],
        "menus": [{ "name": "Lunch", "groups": ["Nowhere"] }]`,
      stock: '[{ "item": "Bread", "status": "OUT_OF_STOCK" }]',
      connections: '[{ "partner": "nobody", "restaurant": "corner" }]',
    }),
  );
  assert.deepEqual(
    faults.map(({ path }) => path),
    [
      'managementGroup.name',
      'restaurants[0].info.general.closeoutHour',
      'restaurants[0].configuration.menuItems[1]',
      'restaurants[0].configuration.menus[0].groups[0]',
      'restaurants[0].stock[0].item',
      'connections[0].partner',
    ],
  );
});
