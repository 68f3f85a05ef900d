import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv, writeCsv } from '../src/screens/menus/csv.ts';
import { guessField } from '../src/screens/menus/sheet.ts';

test('a table is read with quotes, line breaks in cells, and any line ends', () => {
  const text = '\uFEFFname,price\r\n"Soup, ""big""\nand hot", 7.50 \nPie,\r\r\n , \n';
  assert.deepEqual(readCsv(text), [
    ['name', 'price'],
    ['Soup, "big"\nand hot', ' 7.50 '],
    ['Pie', ''],
    [''],
    [' ', ' '],
  ]);
});

test('a table may separate its cells otherwise, and commas in them are text', () => {
  for (const delimiter of [';', '\t', '|']) {
    const text = `name${delimiter}price\nSoup, hot${delimiter}"7,50"`;
    assert.deepEqual(readCsv(text)[1], ['Soup, hot', '7,50'], JSON.stringify(delimiter));
  }
});

test('a long cell in quotes is read whole', () => {
  const long = 'a ""b"" '.repeat(200_000);
  assert.equal(readCsv(`name\n"${long}"`)[1]?.[0]?.length, long.length - 400_000);
});

test('what is written is read again, and no name becomes a formula', () => {
  const rows = [
    ['name', 'price'],
    ['a "b", c\n', -7.5],
    ['=1+1', ''],
    [' at the edges ', 0],
  ];
  const text = writeCsv(rows);
  assert.equal(text.split('\n')[0], 'name,price');
  assert.deepEqual(readCsv(text), [
    ['name', 'price'],
    ['a "b", c\n', '-7.5'],
    ["'=1+1", ''],
    [' at the edges ', '0'],
  ]);
});

test('a price with its currency in the heading is not left out of an import', () => {
  const headings = ['Item name', 'Price (USD)', 'Section', 'kcal', 'Allergens'];
  assert.deepEqual(headings.map(guessField), ['name', 'price', 'group', 'calories', '']);
});
