import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCount, parseAmount } from '../src/platform/format.ts';
import { readCsv, writeCsv } from '../src/screens/menus/csv.ts';
import { guessFields } from '../src/screens/menus/sheet.ts';

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
  assert.deepEqual(guessFields(headings), ['name', 'price', 'group', 'calories', '']);
});

test('headings of everyday tables are known, and a cost beside a price is not one more price', () => {
  const headings = ['Dish', 'What is it?', 'Cost $', 'Category'];
  assert.deepEqual(guessFields(headings), ['name', 'description', 'price', 'group']);
  assert.deepEqual(guessFields(['Cost', 'Product', 'Price €']), ['', 'name', 'price']);
  assert.deepEqual(guessFields(['Price', 'Price']), ['price', 'price'], 'a person chooses');
});

test('a heading that speaks of a price is one if no other is surer', () => {
  const headings = ['Dish', 'Cost to guest', 'Notes'];
  assert.deepEqual(guessFields(headings), ['name', 'price', '']);
  assert.deepEqual(guessFields(['Dish', 'Price', 'Cost to us']), ['name', 'price', '']);
  for (const other of ['Size price', 'Food cost', 'Costume', 'Amount in stock']) {
    assert.deepEqual(guessFields(['Dish', other]), ['name', ''], other);
  }
  const sizes = ['Lunch price', 'Dinner price'];
  assert.deepEqual(guessFields(sizes), ['', ''], 'a person chooses');
});

test('an amount is read as people type it', () => {
  const amounts = {
    ...{ '41.2': 41.2, '4747,25': 4747.25, '$41.20': 41.2, 'USD 41.20': 41.2, '41,20 €': 41.2 },
    ...{ '1,041.20': 1041.2, '1.041,20': 1041.2, '1 041,20': 1041.2, "1'041": 1041, CA$5: 5 },
    // Whatever the language of this machine is.
    ...{ '1.041.200': 1_041_200, '1,041,200': 1_041_200, [formatCount(1041)]: 1041 },
    ...{ '': null, 'a lot': null, '-5': null, '1.2.3': null, '23x50': null, '1.23456': null },
  };
  for (const [text, amount] of Object.entries(amounts)) {
    assert.equal(parseAmount(text), amount, text);
  }
});
