import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE } from './browser.ts';
import { finish, press, signedIn, useConsole, way, wren } from './console.ts';

const at = useConsole();

test(`an item is out in two taps and back by undo, ${way.name}`, async () => {
  const watched = await signedIn(at(), 'RESTAURANT_ADMINISTRATOR', way.view);
  const { page, visit } = watched;
  await visit('stock?find=lemon+meringue');
  await press(page, 'button', /Lemon Meringue Pie.*In stock/);
  await press(page, 'button', 'Out until close');
  await page
    .getByRole('button', { name: /Lemon Meringue Pie.*Out until/ })
    .first()
    .waitFor();
  await press(page, 'button', 'Undo');
  await page.getByRole('button', { name: /Lemon Meringue Pie.*In stock/ }).waitFor();
  await finish(watched);
});

test('what others change appears by itself, and a quantity is asked for in words', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, visit } = watched;
  await visit(`stock?restaurant=${wren(at()).guid}&find=pecan+pie`);
  await page.getByRole('button', { name: /^Pecan Pie.*In stock/ }).waitFor();
  const params = { restaurantGuid: wren(at()).guid };
  const changes = [{ name: 'Pecan Pie', status: 'QUANTITY', quantity: 3 }];
  await (await at().callers.as('operator')).call('backOffice.stock.set', 200, {
    params,
    json: { changes },
  });
  await page.getByRole('button', { name: /^Pecan Pie.*3 left/ }).click();
  await page.getByRole('button', { name: 'Only so many left' }).click();
  await page.getByLabel('How many are left').fill('-1');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('A number greater than 0.').waitFor();
  assert.equal(await page.getByLabel('How many are left').inputValue(), '-1');
  await page.getByLabel('How many are left').fill('2.5');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Pecan Pie.*2.5 left/ }).waitFor();
  await finish(watched);
});

test('what was said is not in a sheet that opens, and is undone after it, at 360 px', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', PHONE);
  const { page, visit } = watched;
  await visit(`stock?restaurant=${wren(at()).guid}`);
  const tile = page.locator('.tile').filter({ hasText: 'Apple Pie with Cheddar' });
  await tile.click();
  await page.getByRole('button', { name: 'Out until close' }).click();
  await page
    .locator('.tile')
    .filter({ hasText: /^Sour Cherry Pie/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Sour Cherry Pie' });
  await dialog.waitFor();
  const undo = page.getByRole('button', { name: 'Undo' });
  assert.equal(await undo.count(), 0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await undo.click();
  await page.getByText('Apple Pie with Cheddar: undone').waitFor();
  await tile.getByText('In stock').waitFor();
  await finish(watched);
});

test('only so many left: a phone asks at once how many', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', PHONE);
  const { page, visit } = watched;
  await visit(`stock?restaurant=${wren(at()).guid}&find=pecan+pie`);
  await page.getByRole('button', { name: /^Pecan Pie/ }).click();
  await page.getByRole('button', { name: 'Only so many left' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('7');
  assert.match(await page.getByLabel('How many are left').inputValue(), /7$/);
  await finish(watched);
});

test('a time that is past is refused at its field, beside the date', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, visit } = watched;
  await visit(`stock?restaurant=${wren(at()).guid}&find=lemon+meringue`);
  await page.getByRole('button', { name: /^Lemon Meringue Pie/ }).click();
  await page.getByRole('button', { name: 'Out until a time' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Date').fill('2001-01-01');
  await dialog.getByRole('button', { name: 'Set', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  const [date, time] = await Promise.all(
    ['Date', 'Time'].map((label) => dialog.getByLabel(label, { exact: true }).boundingBox()),
  );
  assert.equal(date?.y, time?.y);
  await finish(watched);
});

test('a page without a network says that it is not live, and is live again after', async () => {
  const watched = await signedIn(at(), 'READ_ONLY');
  const { page, context, faults, visit } = watched;
  await visit(`stock?restaurant=${wren(at()).guid}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByText('Not live').waitFor();
  await page.getByText('The platform does not respond').waitFor();
  await context.setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
  // What the browser writes down of its own network.
  faults.splice(0);
  await finish(watched);
});
