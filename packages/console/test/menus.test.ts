import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigurationObject } from '@servery/contract';
import { PHONE } from './browser.ts';
import { finish, press, pressOn, signedIn, useConsole, way, wren } from './console.ts';
import { sheetXml, workbookFile } from './workbook-file.ts';

const at = useConsole();

/** Drafts an item that only this test changes. */
async function draftItem(name: string): Promise<ConfigurationObject> {
  const operator = await at().callers.as('operator');
  const params = { restaurantGuid: wren(at()).guid, collection: 'menuItems' };
  const json = { name, calories: 100, sku: 'A-1' };
  const made = await operator.call('backOffice.configuration.objects.create', 200, {
    params,
    json,
  });
  return made.json as ConfigurationObject;
}

async function update({ guid, collection }: ConfigurationObject, json: object): Promise<void> {
  const params = { restaurantGuid: wren(at()).guid, collection, guid };
  const operator = await at().callers.as('operator');
  await operator.call('backOffice.configuration.objects.update', 200, { params, json });
}

test(`an item is found, gets a price, and is published, ${way.name}`, async () => {
  const name = 'Test Tart';
  await draftItem(name);
  const watched = await signedIn(at(), 'RESTAURANT_ADMINISTRATOR', way.view);
  const { page, visit } = watched;
  await visit(`menus?find=${encodeURIComponent(name)}`);
  const row = page.getByRole('treeitem').filter({ hasText: name });
  await row.waitFor();
  await pressOn(way.isByKeyboard ? page.getByRole('tree') : row);
  const box = page.getByRole('checkbox', { name: 'Price: It has a price of its own' });
  await pressOn(box, 'Space');
  await page.getByLabel('Price (USD)').fill('7,25');
  await press(page, 'button', 'Save draft');
  await page.getByText('Saved as a draft').waitFor();
  await visit('menus?tab=drafts');
  await page.getByText('As partners will see it').first().waitFor();
  const drafted = page.getByRole('region', { name: 'Drafts' }).getByRole('listitem');
  await pressOn(drafted.filter({ hasText: name }).getByText('What changed'));
  await drafted.getByText('$7.25').waitFor();
  await press(page, 'button', 'Publish');
  await page.getByLabel('Note').fill(`With ${name}`);
  await press(page, 'button', 'Publish now');
  await page.getByText(/^Published\. This is publication/).waitFor();
  await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  await visit('menus?tab=history');
  await page.getByText(`With ${name}`).waitFor();
  await press(page, 'link', /^Publication/);
  await page.getByText('$7.25').first().waitFor();
  await finish(watched);
});

test('the guest view shows drafts, and in each place what guests see there, at 360 px', async () => {
  const operator = await at().callers.as('operator');
  const params = { restaurantGuid: wren(at()).guid };
  const draft = async (collection: string, json: object) => {
    const sent = { params: { ...params, collection }, json };
    const made = await operator.call('backOffice.configuration.objects.create', 200, sent);
    return (made.json as ConfigurationObject).guid;
  };
  const channels = ['POS', 'ORDERING_PARTNERS'];
  const [cake, secret] = await Promise.all([
    draft('menuItems', { name: 'Guest Cake', pricing: { strategy: 'BASE_PRICE', price: 6.5 } }),
    draft('menuItems', {
      name: 'Staff Meal',
      pricing: { strategy: 'BASE_PRICE', price: 3 },
      channels: ['POS'],
    }),
  ]);
  const group = await draft('menuGroups', { name: 'Guest Cakes', items: [cake, secret] });
  const pies = await draft('menuGroups', { name: 'Guest Pies' });
  const guid = await draft('menus', { name: 'Guest Menu', channels, groups: [group, pies] });
  const watched = await signedIn(at(), 'RESTAURANT_ADMINISTRATOR', PHONE);
  const { page, visit } = watched;
  await visit('menus?tab=guests');
  // Nobody has to look for the menu that the drafts change, nor in it.
  const menu = page.getByRole('article', { name: 'Guest Menu' });
  const cakeLine = menu.locator('.guests-line').filter({ hasText: 'Guest Cake' });
  await cakeLine.getByText('New').waitFor();
  await cakeLine.getByText('$6.50').waitFor();
  assert.equal(await menu.getByText('Staff Meal').count(), 0);
  await page.getByLabel('Where guests order').selectOption({ label: 'Point of sale' });
  const choice = page.getByLabel('Menu', { exact: true });
  await choice.selectOption({ label: 'Guest Menu (changed)' });
  await menu.getByText('Staff Meal').waitFor();
  await visit('menus?tab=drafts');
  await page.getByText('The menus change. Prices that guests see now stay').waitFor();
  await visit(`menus/menus/${guid}`);
  const groups = page.getByRole('list', { name: 'Menu groups' });
  await groups.getByRole('button', { name: 'Move Guest Cakes down' }).press('Enter');
  assert.deepEqual(await groups.getByRole('link').allTextContents(), ['Guest Pies', 'Guest Cakes']);
  await page.locator(':focus').press('Enter');
  assert.deepEqual(await groups.getByRole('link').allTextContents(), ['Guest Cakes', 'Guest Pies']);
  await operator.call('backOffice.configuration.draft.discard', 200, {
    params,
    json: { all: true },
  });
  await finish(watched);
});

test('two people edit one item: each field is chosen, and nothing else is lost', async () => {
  const item = await draftItem('Contested Cobbler');
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, faults, visit } = watched;
  const query = `restaurant=${wren(at()).guid}`;
  await visit(`menus/menuItems/${item.guid}?${query}`);
  await page.getByLabel('Calories').fill('200');
  await page.getByLabel('SKU').fill('MINE');
  await update(item, { calories: 300, plu: '77' });
  await page.getByText(/has changed this in the meantime/).waitFor();
  assert.equal(await page.getByLabel('Calories').inputValue(), '200', 'what was typed stays');
  await page.getByRole('button', { name: 'Save draft' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('300').waitFor();
  assert.equal(await dialog.getByRole('group').count(), 1, 'only the field that both changed');
  await dialog.getByRole('radio', { name: /By/ }).check();
  await dialog.getByRole('button', { name: 'Save these' }).click();
  await page.getByText('Saved as a draft').waitFor();
  const values = ['Calories', 'SKU', 'PLU'].map((label) => page.getByLabel(label).inputValue());
  assert.deepEqual(await Promise.all(values), ['300', 'MINE', '77']);
  // The refusals, which the browser writes down.
  assert.match(faults.splice(0).join(), /409/);
  await finish(watched);
});

test('every fault is told at its field, and what was typed stays', async () => {
  await draftItem('Faulty Flan');
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, faults, visit } = watched;
  await visit(`menus?restaurant=${wren(at()).guid}&find=Faulty+Flan`);
  await page.getByRole('treeitem').filter({ hasText: 'Faulty Flan' }).click();
  await page.getByLabel('Calories').fill('many');
  await page.getByLabel('SKU').fill('x'.repeat(255));
  await page.getByText(/^\d+ more fields$/).click();
  await page.getByLabel('Prep time').fill('soon');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('2 fields need other values.').waitFor();
  assert.equal(await page.getByText('Must be a whole number').count(), 2);
  assert.equal(await page.getByLabel('Calories').inputValue(), 'many');
  assert.match(faults.splice(0).join(), /4(00|22)/);
  await finish(watched);
});

test('a table of items is mapped, planned, and applied once, and then rolled back', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, visit } = watched;
  const address = `menus?restaurant=${wren(at()).guid}`;
  await visit(`${address}&tab=files`);
  const table = 'Speise,Price,Section\nZuppa,"$1,004.50",Specials\n=Sum Sundae,,Specials\nIce,3,\n';
  const file = { name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
  await page.getByLabel(/^File/).setInputFiles(file);
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByText('One column must be the name or the GUID').waitFor();
  await page.getByLabel('Speise').selectOption('Name');
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByText('4 new, 0 changed').waitFor();
  const plan = page.getByRole('region', { name: 'Plan' });
  const names = await plan.locator('summary strong').allTextContents();
  assert.deepEqual(names, ['Zuppa', '=Sum Sundae', 'Ice', 'Specials'], 'as in the table');
  await plan.getByText('1 new item has no price: =Sum Sundae').waitFor();
  await plan.getByText('1 new item is in no group, and so on no menu: Ice').waitFor();
  await plan.getByText('Without a menu, guests will not see').waitFor();
  await plan.getByRole('button', { name: 'Back to the columns' }).click();
  assert.equal(await page.getByLabel('Speise').inputValue(), 'name', 'what was chosen is kept');
  await page.getByRole('button', { name: 'Make a plan' }).click();
  const menu = plan.getByLabel('Menu for 1 group that is on none: Specials');
  await menu.waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/configuration/plan', async (route) => {
    await released;
    await route.continue();
  });
  const chosen = await menu.selectOption({ index: 1 });
  await plan.getByRole('button', { name: 'Save as drafts', disabled: true }).waitFor();
  assert.deepEqual([await menu.inputValue()], chosen, 'it stays while the plan is made');
  release();
  await page.getByText('4 new, 1 changed').waitFor();
  assert.equal(await plan.getByText('Without a menu').count(), 0);
  const zuppa = plan.locator('summary').filter({ hasText: 'Zuppa' });
  assert.match((await zuppa.textContent()) ?? '', /Specials · \$1,004\.50$/);
  await zuppa.click();
  await plan.locator('dd').getByText('$1,004.50').waitFor();
  await plan.locator('summary').last().click();
  await plan.getByText('1 added: Specials').waitFor();
  await plan.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Publish now' }).dblclick();
  const said = page.getByText(/^Published\. This is publication/);
  await said.waitFor();
  const number = Number(/publication (\d+)/.exec((await said.textContent()) ?? '')?.[1]);
  await visit(`${address}&tab=history&publication=${number - 1}`);
  await page.getByRole('button', { name: 'Roll back to this' }).click();
  await page.getByRole('button', { name: 'Roll back now' }).click();
  await page.getByText(`This is publication ${number + 1}.`).waitFor();
  await page.getByRole('link', { name: `Publication ${number + 1}` }).waitFor();
  await visit(`${address}&tab=files`);
  await page.getByLabel(/^File/).setInputFiles(file);
  await page.getByText('As you chose for a file with the same columns.').waitFor();
  assert.equal(await page.getByLabel('Speise').inputValue(), 'name');
  await finish(watched);
});

test('a table is saved as drafts, and what is drafted otherwise is for the person to decide', async () => {
  const item = await draftItem('Drafted Daube');
  const operator = await at().callers.as('operator');
  const params = { restaurantGuid: wren(at()).guid };
  const publish = { params, json: {} };
  await operator.call('backOffice.configuration.publications.publish', 200, publish);
  await update(item, { sku: 'B-2', plu: '7' });
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', PHONE);
  const { page, faults, visit } = watched;
  const query = `restaurant=${params.restaurantGuid}`;
  await visit(`menus?${query}&tab=files`);
  const buffer = Buffer.from('Name,SKU,Calories\nDrafted Daube,C-3,500\n');
  await page.getByLabel(/^File/).setInputFiles({ name: 'd.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByRole('button', { name: 'Save as drafts' }).click();
  await page.getByText(/^Drafted Daube, SKU: has another value in the draft of/).waitFor();
  await page.getByRole('button', { name: 'Keep the drafts' }).click();
  await page.getByText('Saved as drafts.').waitFor();
  await visit(`menus/menuItems/${item.guid}?${query}`);
  await page.getByRole('heading', { name: 'Drafted Daube' }).waitFor();
  const values = ['Calories', 'SKU', 'PLU'].map((label) => page.getByLabel(label).inputValue());
  assert.deepEqual(await Promise.all(values), ['500', 'B-2', '7']);
  assert.match(faults.splice(0).join(), /409/);
  await finish(watched);
});

test('a table goes into a new menu with its name, and its drafts are in its order', async () => {
  await draftItem('Early Daube');
  const operator = await at().callers.as('operator');
  const publish = { params: { restaurantGuid: wren(at()).guid }, json: {} };
  await operator.call('backOffice.configuration.publications.publish', 200, publish);
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', PHONE);
  const { page, visit } = watched;
  const { guid } = wren(at());
  await visit(`menus?restaurant=${guid}&tab=files`);
  await page.getByLabel(/^File/).waitFor();
  const names = ['Late Radish', 'Late Apple', 'Late Plum', 'Late Beet', 'Late Fig'];
  const rows = [...names, 'Early Daube'].map((name) => `${name},4,Late Plates,`);
  const open = async (lines: readonly string[]) => {
    const buffer = Buffer.from(`Name,Cost to guest,Group,Notes\n${lines.join('\n')}\n`);
    const file = { name: 'Night Menu.csv', mimeType: 'text/csv', buffer };
    await page.getByLabel(/^File/).setInputFiles(file);
    await page.getByRole('button', { name: 'Make a plan' }).click();
  };
  await open([...rows, 'Late Fig,5,Late Plates,Rare']);
  await page.getByText('Rows 6 and 8, Name: “Late Fig” is in both rows').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save as drafts' }).count(), 0);
  await open(rows);
  const plan = page.getByRole('region', { name: 'Plan' });
  const choice = plan.getByLabel('Menu for 1 group that is on none: Late Plates');
  const [taken] = (await choice.locator('option').allTextContents()).slice(1);
  await choice.selectOption('A new menu');
  await page.getByText('7 new, 1 changed').waitFor();
  await plan.getByText('Left out: Notes').waitFor();
  await plan.getByText('1 item is in the menus already: Early Daube.').waitFor();
  const name = plan.getByLabel('Name of the new menu');
  assert.equal(await name.inputValue(), 'Night Menu');
  await name.fill(taken ?? '');
  await name.press('Enter');
  await page.getByText('A name that no other menu has.').waitFor();
  await name.fill('Late Menu');
  await name.press('Enter');
  await plan.locator('summary').filter({ hasText: 'Late Menu' }).waitFor();
  await page.getByRole('button', { name: 'Save as drafts' }).click();
  const drafts = page.getByRole('region', { name: 'Drafts' });
  await drafts.getByRole('link', { name: 'Late Menu' }).waitFor();
  const shown = await drafts.getByRole('link', { name: /^Late (?!Menu|Plates)/ }).allTextContents();
  assert.deepEqual(shown, names);
  await page.getByText('Without a change there: Early Daube.').waitFor();
  const changes = await page.locator('.change summary strong').allTextContents();
  const listed = await drafts.getByRole('link').allTextContents();
  assert.deepEqual(
    changes,
    listed.filter((each) => each !== 'Early Daube'),
  );
  await finish(watched);
});

test('choices of columns that were kept and are damaged are as none', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, visit } = watched;
  const { guid } = wren(at());
  const buffer = Buffer.from('Name,Damaged\nTea,3\n');
  for (const damaged of ['{"Name', 'null', '{"Name\\nDamaged":"name"}', '{"Name\\nDamaged":[1]}']) {
    await visit(`menus?restaurant=${guid}&tab=files`);
    await page.evaluate(
      `localStorage.setItem('console-columns-${guid}', ${JSON.stringify(damaged)})`,
    );
    await page.getByLabel(/^File/).setInputFiles({ name: 'd.csv', mimeType: 'text/csv', buffer });
    await page.getByText('d.csv: 1 row. What is in the columns?').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'name');
    assert.equal(await page.getByText('As you chose for a file').count(), 0);
  }
  await finish(watched);
});

test('a sheet of a workbook is chosen, planned, and published by keyboard alone', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', way.view);
  const { page, visit } = watched;
  await visit(`menus?restaurant=${wren(at()).guid}&tab=files`);
  const name = 'Sheet Sundae';
  const prices = sheetXml([['Prices 2026'], ['Name', 'Price'], [name, 23.499999999999996]]);
  const buffer = workbookFile({
    sheets: { Notes: sheetXml([['Nothing here']]), Prices: prices },
  });
  await page.getByLabel(/^File/).setInputFiles({ name: 'menu.xlsx', mimeType: '', buffer });
  const sheets = page.getByLabel('menu.xlsx has several sheets. Which one has the items?');
  await sheets.selectOption('Notes');
  await page.getByText('This is neither a table with a row of headings').waitFor();
  await sheets.selectOption('Prices');
  await page.getByText('Prices: 1 row. What is in the columns?').waitFor();
  await press(page, 'button', 'Make a plan');
  await page.getByText('1 new, 0 changed').waitFor();
  await page.getByText(name).first().waitFor();
  await page.locator('dd').getByText('$23.50').waitFor();
  await press(page, 'button', 'Publish');
  await press(page.getByRole('dialog'), 'button', 'Publish now');
  await page.getByText(/^Published\. This is publication/).waitFor();
  await finish(watched);
});

test('a file that can not be read says why in one sentence, and the next one is read', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, faults, visit } = watched;
  const query = `restaurant=${wren(at()).guid}&tab=files`;
  await visit(`menus?${query}`);
  const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const good = workbookFile({
    sheets: {
      Menu: sheetXml([
        ['Name', 'Price'],
        ['Tea', 3],
      ]),
    },
  });
  const formula =
    '<sheetData><row><c t="str"><v>Name</v></c><c t="str"><v>Price</v></c></row>' +
    '<row r="7"><c t="str"><v>Tea</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row></sheetData>';
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const files = [
    [picture, 'This is not an XLSX workbook'],
    [Buffer.from('<html><table><tr><td>'), 'This is not an XLSX workbook'],
    [old, 'This is an old kind of workbook (XLS).'],
    [Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')]), 'The file has a password.'],
    [good.subarray(0, 300), 'The file is damaged.'],
    [Buffer.alloc(9_000_000), 'The file is larger than 8 MB.'],
    [
      workbookFile({ sheets: { Menu: '<row><c r="XFD1"><v>1</v></c></row>' } }),
      'The workbook is too large',
    ],
  ] as const;
  for (const [buffer, sentence] of files) {
    await page.getByLabel(/^File/).setInputFiles({ name: 'menu.xlsx', mimeType: '', buffer });
    await page.getByRole('alert').getByText(sentence).waitFor();
  }
  const faulty = workbookFile({ sheets: { Menu: formula } });
  await page.getByLabel(/^File/).setInputFiles({ name: 'a.xlsx', mimeType: '', buffer: faulty });
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByText('Row 7, Price: a formula has an error').waitFor();
  await page.getByLabel(/^File/).setInputFiles({ name: 'b.xlsx', mimeType: '', buffer: good });
  await page.getByText('b.xlsx: 1 row. What is in the columns?').waitFor();
  // As a spreadsheet program without Unicode writes it; the platform refuses the name.
  const long = Buffer.from(`Caf\xe9,Cost\n${'x'.repeat(300)},5 or 7\n`, 'latin1');
  await page.getByLabel(/^File/).setInputFiles({ name: 'c.csv', mimeType: '', buffer: long });
  await page.getByLabel('Café').selectOption('Name');
  await page.getByLabel('Cost').selectOption('Price');
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByText('Row 2, Cost: “5 or 7” is not a price').waitFor();
  const corrected = Buffer.from(long.toString('latin1').replace(' or ', '.'), 'latin1');
  await page.getByLabel(/^File/).setInputFiles({ name: 'c.csv', mimeType: '', buffer: corrected });
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByText('Row 2, Café: has 300 characters; at most').waitFor();
  assert.match(faults.splice(0).join(), /422/);
  await finish(watched);
});
