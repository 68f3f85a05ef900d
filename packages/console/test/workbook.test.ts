import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeSheet } from '../src/screens/menus/sheet.ts';
import { tableOf } from '../src/screens/menus/table.ts';
import { Workbook } from '../src/screens/menus/workbook.ts';
import { archiveFile, sheetXml, workbookFile } from './workbook-file.ts';

const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="0000"/>
  <numFmt numFmtId="165" formatCode="[Red]d&quot;. day&quot; mmm"/>
  <numFmt numFmtId="166" formatCode="&quot;days&quot; 0.00"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/>
  <xf numFmtId="166"/></cellXfs>`;

async function cellsOf(xml: string, isFrom1904 = false) {
  const texts = ['<t>Soup &amp; bread</t>', '<r><t>Rich </t></r><r><t>text</t></r>'];
  const spoken = '<t>東</t><rPh><t>ひがし</t></rPh>';
  const sheets = { Menu: `<sheetData>${xml}</sheetData>` };
  const file = { sheets, texts: [...texts, spoken], styles: STYLES, isFrom1904 };
  const workbook = await Workbook.open(workbookFile(file));
  const rows = await workbook.read('Menu');
  return rows.map(({ number, cells }) => [number, ...cells]);
}

test('texts, numbers, truth and dates are what the spreadsheet program shows', async () => {
  const xml = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>
    <c r="C1" t="s"><v>2</v></c><c t="inlineStr"><is><t>a_x000A_b</t></is></c></row>
    <row r="3"><c r="B3"><v>23.499999999999996</v></c><c r="D3" t="b"><v>1</v></c></row>
    <row r="5"><c r="A5" s="1"><v>42</v></c><c r="B5" s="2"><v>46000</v></c>
    <c r="C5" s="3"><v>46000.5</v></c><c r="D5" s="2"><v>0.75</v></c><c s="4"><v>2.5</v></c></row>`;
  assert.deepEqual(await cellsOf(xml), [
    [1, 'Soup & bread', 'Rich text', '東', 'a\nb'],
    [3, '', 23.5, '', 'TRUE'],
    [5, '0042', '2025-12-09', '2025-12-09 12:00', '18:00', 2.5],
  ]);
  const since1904 = await cellsOf('<row><c s="2"><v>1</v></c></row>', true);
  assert.deepEqual(since1904, [[1, '1904-01-02']]);
});

test('a formula has its stored result; without one, or with an error, it is told', async () => {
  const xml = `<row><c><f>A9*2</f><v>8</v></c><c t="str"><f>"a"</f><v>a</v></c>
    <c t="str"><f>""</f><v></v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c><f>B1</f></c></row>`;
  assert.deepEqual(await cellsOf(xml), [
    [1, 8, 'a', '', { fault: 'CELL_ERROR' }, { fault: 'FORMULA_EMPTY' }],
  ]);
});

test('names with prefixes are read as those without', async () => {
  const xml = '<x:row r="2"><x:c r="B2" t="n"><x:v>7</x:v></x:c></x:row>';
  assert.deepEqual(await cellsOf(xml), [[2, '', 7]]);
});

test('headings are below a title, of one row or of two, and merged cells count in each', async () => {
  const text = (at: string, value: string) =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const xml = `<sheetData><row r="1">${text('A1', 'Menu 2026')}<c r="J1"/></row>
    <row r="3">${text('A3', 'Name')}${text('B3', 'Price')}${text('D3', 'Group')}</row>
    <row r="4">${text('B4', 'small')}${text('C4', 'large')}</row>
    <row r="5">${text('A5', 'Soup')}<c r="B5"><v>3</v></c>${text('D5', 'Hot')}</row>
    <row r="6"/><row r="9">${text('A9', 'Tea')}<c r="C9"><v>4</v></c><c r="H9"/></row></sheetData>
    <mergeCells><mergeCell ref="A1:J1"/><mergeCell ref="A3:A4"/><mergeCell ref="B3:C3"/>
    <mergeCell ref="D3:D4"/><mergeCell ref="D5:D9"/></mergeCells>`;
  const workbook = await Workbook.open(workbookFile({ sheets: { Menu: xml } }));
  const table = tableOf(await workbook.read('Menu'));
  assert.deepEqual(table?.headings, ['Name', 'Price small', 'Price large', 'Group']);
  assert.deepEqual(
    table?.rows.map(({ number, cells }) => [number, ...cells]),
    [
      [5, 'Soup', 3, '', 'Hot'],
      [9, 'Tea', '', 4, 'Hot'],
    ],
  );
});

test('prices have the digits of the currency, and a fault names the row of the sheet', () => {
  const rows = [
    { number: 4, cells: ['Soup', 23.5] },
    { number: 5, cells: ['Pie', 10 / 3] },
    { number: 6, cells: ['Tart', 1.005] },
    { number: 9, cells: ['Tea', { fault: 'CELL_ERROR' as const }] },
    { number: 10, cells: [{ fault: 'FORMULA_EMPTY' as const }, 'free'] },
  ];
  const { document, faults } = mergeSheet(rows, ['name', 'price'], {}, 2);
  const prices = document.configuration.menuItems?.map(({ pricing }) => pricing);
  assert.deepEqual(
    prices,
    [23.5, 3.33, 1.01].map((price) => ({ strategy: 'BASE_PRICE', price })),
  );
  assert.deepEqual(faults, [
    { row: 9, column: 1, message: 'CELL_ERROR', text: '' },
    { row: 10, column: 0, message: 'FORMULA_EMPTY', text: '' },
    { row: 10, column: 1, message: 'PRICE_WRONG', text: 'free' },
  ]);
  const yen = mergeSheet([{ number: 2, cells: ['Tea', 450.4] }], ['name', 'price'], {}, 0);
  assert.deepEqual(yen.document.configuration.menuItems?.[0]?.pricing, {
    strategy: 'BASE_PRICE',
    price: 450,
  });
});

test('a price is read as people write it, and two prices in a cell are none', () => {
  const texts = ['$1,234.50', '12,50 €', 'Fr. 7.-', '.5', '1 000,5', '5 or 7', '$5/$7', '-3'];
  const rows = texts.map((text, number) => ({ number, cells: [text, text] }));
  const { document, faults } = mergeSheet(rows, ['name', 'price'], {}, 2);
  const prices = document.configuration.menuItems?.map(
    ({ pricing }) => (pricing as { readonly price: number }).price,
  );
  assert.deepEqual(prices, [1234.5, 12.5, 7, 0.5, 1000.5]);
  assert.deepEqual(
    faults.map(({ text }) => text),
    texts.slice(5),
  );
});

test('groups on no menu go to the only one, and what guests can not see is told', () => {
  const published = {
    menuItems: [{ guid: 'i', name: 'Tea' }],
    menuGroups: [
      { guid: 'h', name: 'Hot', menu: 'm', items: ['i'] },
      { guid: 'o', name: 'Old', menu: null, items: [], pricing: { price: 2 } },
      { guid: 'x', name: 'New', archived: true, items: [] },
    ],
    menus: [{ guid: 'm', name: 'Lunch', groups: ['h'] }],
  };
  const rows = ['Tea/Hot', 'Pie/Old', 'Jam/New', 'Ham/'].map((row, at) => ({
    number: at + 2,
    cells: row.split('/'),
  }));
  const merged = (menu?: string) => mergeSheet(rows, ['name', 'group'], published, 2, menu);
  const { document, groups, menu, ungrouped, unpriced } = merged();
  assert.deepEqual(
    { groups, menu, ungrouped, unpriced },
    { groups: ['Old', 'New'], menu: 'm', ungrouped: ['Ham'], unpriced: ['Jam', 'Ham'] },
  );
  assert.deepEqual(document.configuration.menus, [
    { guid: 'm', name: 'Lunch', groups: ['h', 'o', 'New'] },
  ]);
  assert.deepEqual(
    document.configuration.menuGroups?.map((group) => group.menu),
    ['m', 'm', 'm'],
  );
  assert.equal(merged('').document.configuration.menus, undefined);
  assert.deepEqual(merged('Menu').document.configuration.menus, [
    { name: 'Menu', groups: ['o', 'New'] },
  ]);
});

test('rows of one item put it into several groups, and may not differ otherwise', () => {
  const published = { menuItems: [{ guid: 't', name: 'Tea' }] };
  const mapping = ['name', 'price', 'group', 'guid'];
  const merged = (rows: readonly (readonly string[])[]) =>
    mergeSheet(
      rows.map((cells, at) => ({ number: at + 3, cells })),
      mapping,
      published,
      2,
    );
  const both = merged([
    ['Pizza Bianca', '7.50', 'Lunch'],
    ['Pizza Bianca', '$7.50', 'Dinner'],
    ['Pizza Bianca', '', 'Late'],
    ['Tea', '2', 'Lunch'],
    ['tea', '2', 'Dinner'],
    ['Tea', '2', 'Late', 't'],
  ]);
  assert.deepEqual(both.faults, []);
  assert.deepEqual(
    both.document.configuration.menuGroups?.map(({ items }) => items),
    Array.from({ length: 3 }, () => ['Pizza Bianca', 't']),
  );
  const { faults } = merged([
    ['Pizza Bianca', '', 'Lunch'],
    ['Pizza Bianca', '7.50', 'Lunch'],
    ['Pizza Bianca', '8.50', 'Lunch'],
    ['Tea', '2', ''],
    ['tea', '3', ''],
    ['Black tea', '2', '', 't'],
    ['Green tea', '2', '', 't'],
  ]);
  const message = 'ROWS_DIFFER';
  assert.deepEqual(faults, [
    { row: 5, column: 0, message, text: 'Pizza Bianca', firstRow: 3 },
    { row: 7, column: 0, message, text: 'tea', firstRow: 6 },
    { row: 8, column: 3, message, text: 't', firstRow: 6 },
    { row: 9, column: 3, message, text: 't', firstRow: 6 },
  ]);
});

test('a name finds what has other capitals, and no second item or group is made', () => {
  const published = {
    menuItems: [
      { guid: 'p', name: 'Pierogi' },
      { guid: 's', name: 'Pie by the Slice ' },
      { guid: 't', name: 'Tea' },
      { guid: 'u', name: 'TEA' },
    ],
    menuGroups: [{ guid: 'g', name: 'Hot Dishes', menu: 'm', items: ['p'] }],
  };
  const names = ['pierogi', ' Pie by the slice', 'TEA', 'tea', 'Bigos'];
  const rows = names.map((name, number) => ({ number, cells: [name, 'hot dishes'] }));
  const { document, faults } = mergeSheet(rows, ['name', 'group'], published, 2);
  assert.deepEqual(document.configuration, {
    menuItems: [
      { guid: 'p', name: 'Pierogi' },
      { guid: 's', name: 'Pie by the Slice ' },
      { guid: 'u', name: 'TEA' },
      { name: 'Bigos' },
    ],
    menuGroups: [{ guid: 'g', name: 'Hot Dishes', menu: 'm', items: ['p', 's', 'u', 'Bigos'] }],
  });
  assert.deepEqual(faults, [{ row: 3, column: 0, message: 'NAME_AMBIGUOUS', text: 'tea' }]);
});

test('sheets keep their order, and hidden ones are not offered', async () => {
  const sheets = { Food: '', Sums: '', 'Drinks &amp; more': '' };
  const workbook = await Workbook.open(workbookFile({ sheets, hidden: ['Sums'] }));
  assert.deepEqual(workbook.sheetNames, ['Food', 'Drinks & more']);
});

test('what can be no workbook is refused by what it is', async () => {
  const whyOf = async (bytes: Buffer<ArrayBuffer>) => {
    try {
      const workbook = await Workbook.open(bytes);
      await workbook.read('Menu');
      return 'read';
    } catch (error) {
      return (error as { why?: string }).why;
    }
  };
  const good = workbookFile({ sheets: { Menu: sheetXml([['name'], ['Soup']]) } });
  assert.equal(await whyOf(good), 'read');
  const container = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const named = (name: string) => Buffer.concat([container, Buffer.from(name, 'utf16le')]);
  assert.equal(await whyOf(named('Workbook')), 'oldKind');
  assert.equal(await whyOf(named('EncryptedPackage')), 'password');
  const locked = archiveFile([{ name: 'a', text: 'a', isEncrypted: true }]);
  assert.equal(await whyOf(locked), 'password');
  assert.equal(await whyOf(archiveFile([{ name: 'content.xml', text: '<a/>' }])), 'otherKind');
  assert.equal(await whyOf(good.subarray(0, good.length / 2)), 'damaged');
  assert.equal(await whyOf(Buffer.from('PK')), 'damaged');
  const torn = workbookFile({ sheets: { Menu: '<sheetData><row></c></row></sheetData>' } });
  assert.equal(await whyOf(torn), 'damaged');
  for (let at = 0; at < good.length; at += 7) {
    const bent = Buffer.from(good);
    bent[at] = (bent[at] ?? 0) ^ 0xff;
    assert.match(String(await whyOf(bent)), /^(read|damaged|otherKind|password|tooMuch)$/, `${at}`);
  }
});

test('what unpacks to too much is refused before it takes the memory', async () => {
  const whyOf = async (menu: string, size?: number) => {
    const file = workbookFile({ sheets: { Menu: '' } });
    const rest = ['_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'];
    const { Archive } = await import('../src/screens/menus/archive.ts');
    const archive = new Archive(file);
    const kept = await Promise.all(
      rest.map(async (name) => ({ name, text: (await archive.read(name)) ?? '' })),
    );
    const sheet = { name: 'xl/worksheets/0.xml', text: menu, ...(size !== undefined && { size }) };
    const workbook = await Workbook.open(archiveFile([...kept, sheet]));
    return await workbook.read('Menu').then(
      () => 'read',
      (error: { why?: string }) => error.why,
    );
  };
  const nothing = ' '.repeat(70_000_000);
  assert.equal(await whyOf(`<a>${nothing}</a>`), 'tooMuch');
  assert.equal(await whyOf(`<a>${nothing}</a>`, 1_000), 'damaged');
  assert.equal(await whyOf('<a><row><c r="XFD1"><v>1</v></c></row></a>'), 'tooMuch');
  const rows = '<row><c><v>1</v></c></row>'.repeat(1_500);
  const area = '<mergeCell ref="A1:XFD1048576"/>'.repeat(50);
  assert.equal(await whyOf(`<a>${rows}${area}</a>`), 'tooMuch');
});
