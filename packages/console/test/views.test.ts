import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from './browser.ts';
import { findBarriers, PHONE } from './browser.ts';
import { finish, press, signedIn, useConsole, way, wren } from './console.ts';

const at = useConsole();

const SAVED = /is saved\.$/;

async function openMenu(page: Page) {
  await press(page, 'button', 'Saved views');
  return page.getByRole('group', { name: 'Saved views' });
}

async function saveAs(page: Page, name: string): Promise<void> {
  await press(await openMenu(page), 'button', 'Save these filters');
  const dialog = page.getByRole('dialog', { name: 'Save these filters' });
  await dialog.getByLabel('Name').fill(name);
  await press(dialog, 'button', /^(Save|Replace the view with this name)$/);
  await page.getByText(SAVED).last().waitFor();
}

test(`filters are saved, opened on a phone, and deleted, ${way.name}`, async () => {
  const name = 'Denied';
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR');
  const { page, visit } = watched;
  await visit('payments');
  await (await openMenu(page)).getByText('Set a filter first.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('State').selectOption('DENIED');
  await page.getByLabel('Card ends in').fill('1234');
  await page.waitForURL(/last4=1234/);
  await saveAs(page, name);

  const phone = await signedIn(at(), 'GROUP_ADMINISTRATOR', PHONE);
  await phone.visit('payments?state=CAPTURED');
  const amount = phone.page.getByLabel('Amount');
  await phone.page.getByRole('table').waitFor();
  assert.equal(await amount.isVisible(), false);
  await press(phone.page, 'button', 'Filters: 1 in use');
  await amount.waitFor();
  assert.deepEqual(await findBarriers(phone.page), []);
  await press(await openMenu(phone.page), 'button', name);
  await phone.page.waitForURL(/\/payments\?state=DENIED&last4=1234$/);
  const opened = await openMenu(phone.page);
  await opened.getByRole('button', { name: `Delete “${name}”` }).waitFor();
  await phone.page.getByRole('button', { name: 'Filters: 2 in use' }).waitFor();
  await amount.waitFor({ state: 'hidden' });
  assert.equal(await phone.page.getByLabel('Card ends in').inputValue(), '1234');
  await press(opened, 'button', `Delete “${name}”`);
  await phone.page.getByText(`${name} is deleted.`).waitFor();
  await press(phone.page, 'button', 'Undo');
  await phone.page.getByText(`${name} is deleted.`).waitFor({ state: 'detached' });
  await press(await openMenu(phone.page), 'button', `Delete “${name}”`);
  await phone.page.getByText(`${name} is deleted.`).waitFor();
  await finish(phone);

  await page.reload();
  const menu = await openMenu(page);
  await menu.getByRole('button', { name: 'Save these filters' }).waitFor();
  assert.equal(await menu.getByRole('button', { name }).count(), 0);
  await page.keyboard.press('Escape');
  await finish(watched);
});

test('each list has its own views, and a name that is taken replaces', async () => {
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  const lists = [
    ['requests', 'status=4xx', /status=4xx/],
    ['audit', 'operation=backOffice.menus', /operation=backOffice.menus/],
    ['webhooks', 'tab=deliveries&state=DEAD', /tab=deliveries&state=DEAD/],
    ['orders', `restaurant=${wren(at()).guid}&state=ready`, /state=ready/],
  ] as const;
  for (const [list, query, address] of lists) {
    await visit(`${list}?${query}`);
    await saveAs(page, 'Mine');
    await visit(`${list}?restaurant=${wren(at()).guid}`);
    if (list === 'webhooks') await page.getByRole('tab', { name: 'Deliveries' }).click();
    const menu = await openMenu(page);
    await menu.getByRole('button', { name: 'Mine', exact: true }).click();
    await page.waitForURL(address);
    assert.equal(new URL(page.url()).search.slice(1), query);
  }
  await visit('requests?status=5xx');
  await saveAs(page, 'Mine');
  await visit('requests');
  const menu = await openMenu(page);
  await menu.getByRole('button', { name: 'Mine', exact: true }).click();
  await page.waitForURL(/requests\?status=5xx$/);
  await finish(watched);
});
