import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiClient, ApiClientPage, IssuedApiClientSecret } from '@servery/contract';
import { finish, press, pressOn, signedIn, useConsole, way } from './console.ts';

const at = useConsole();

test(`an account is made, its secret is rotated, and it is revoked, ${way.name}`, async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', way.view);
  const { page, visit } = watched;
  const name = 'Counting';
  await visit('accounts');
  await press(page, 'button', 'New account');
  await page.getByRole('dialog').getByLabel('Type').selectOption('CUSTOMER');
  await press(page, 'button', 'Create');
  await page.getByText('A name of 1 to 100 characters.').waitFor();
  await page.getByText('Choose at least one.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).last().fill(name);
  await pressOn(page.getByLabel(/^Read stock\./), 'Space');
  await press(page, 'button', 'Create');
  const secret = (await page.getByRole('dialog').locator('code').nth(1).textContent()) ?? '';
  assert.ok(secret.length > 20);
  await press(page, 'button', 'I have copied it');
  await page.getByRole('heading', { name }).waitFor();
  assert.equal(await page.getByText(secret).count(), 0, 'the secret is shown once');
  await press(page, 'button', 'Rotate the secret');
  await press(page, 'button', 'Make a new secret');
  await press(page, 'button', 'I have copied it');
  await page.getByText('Active', { exact: true }).nth(2).waitFor();
  await press(page, 'button', /^Revoke$/);
  await page.getByText("This can't be undone").waitFor();
  const dialog = page.getByRole('dialog');
  await press(dialog, 'button', 'Revoke');
  await page.getByText('The account is revoked.').waitFor();
  await page.getByRole('button', { name: 'Edit' }).waitFor({ state: 'hidden' });
  const operator = await at().callers.as('operator');
  const listed = await operator.call('backOffice.clients.list', 200, { query: { name } });
  const { results } = listed.json as ApiClientPage;
  assert.deepEqual(
    results.map(({ revokedAt, secrets }) => [revokedAt !== null, secrets.length]),
    [[true, 2]],
    'one account, with two secrets, and it is revoked',
  );
  await finish(watched);
});

async function makeAccount(name: string): Promise<{ client: ApiClient; clientSecret: string }> {
  const operator = await at().callers.as('operator');
  const { json: groups } = await operator.call('backOffice.managementGroups.list', 200);
  const [group] = (groups as { results: { guid: string }[] }).results;
  const scopes = ['stock:read', 'menus:read'];
  const json = { name, type: 'CUSTOMER', managementGroupGuid: group?.guid, scopes };
  const made = await operator.call('backOffice.clients.create', 200, { json });
  return made.json as IssuedApiClientSecret;
}

test('a card key is issued and retired, and usage says what the account did', async () => {
  const { client } = await makeAccount('Keyed');
  // At the start: its use is written by the time that somebody looks.
  await (await at().callers.as('partner')).call('partners.restaurants.list', 200);
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  await visit(`accounts/${client.clientId}?tab=keys`);
  await page.getByRole('heading', { name: 'No card keys yet' }).waitFor();
  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue a key' }).dblclick();
  await page.getByText('The key is issued.').waitFor();
  await page.getByRole('button', { name: 'Retire' }).click();
  await page.getByText('is still accepted').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
  await page.getByText('Retired', { exact: true }).waitFor();
  assert.equal(await page.getByRole('listitem').count(), 1);
  const { partner } = at().platform.demo.clients;
  await visit(`accounts/${partner.clientId}?tab=usage`);
  await page.getByRole('row', { name: /partners\.restaurants\.list/ }).waitFor();
  await page.getByText('As a table').click();
  await page.getByRole('table', { name: 'Requests a day' }).waitFor();
  await finish(watched);
});

test('scopes that somebody else changed meanwhile are shown before they are overwritten', async () => {
  const { client } = await makeAccount('Contested');
  const operator = await at().callers.as('operator');
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  const params = { clientId: client.clientId };
  await visit(`accounts/${client.clientId}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Contested and renamed');
  await page.getByLabel(/^Read the published menus/).click();
  const json = { scopes: ['stock:read', 'menus:read', 'config:read'] };
  await operator.call('backOffice.clients.update', 200, { params, json });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Somebody else changed the same' }).waitFor();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByRole('group').count(), 1, 'only what both changed is asked');
  // Back in the form, what was typed is there, and is now about what they saved.
  await dialog.getByRole('button', { name: 'Back' }).click();
  assert.equal(
    await page.getByRole('textbox', { name: 'Name' }).inputValue(),
    'Contested and renamed',
  );
  await operator.call('backOffice.clients.update', 200, {
    params,
    json: { scopes: ['menus:read', 'config:read'] },
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('radio', { name: /^Theirs.*config:read/ }).check();
  await dialog.getByRole('button', { name: 'Save these' }).click();
  await page.getByText('The account is changed.').waitFor();
  const now = (await operator.call('backOffice.clients.get', 200, { params })).json as ApiClient;
  assert.deepEqual(
    [now.name, ...now.scopes],
    ['Contested and renamed', 'config:read', 'menus:read'],
  );
  await finish(watched);
});
