import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { roleNames, scopesOfRole } from '@servery/contract/roles.ts';
import { loggedInPerson } from '../../../acceptance/src/people.ts';
import { openPage, PHONE } from './browser.ts';
import { check, finish, goWithin, labels, signedIn, useConsole, wren } from './console.ts';

const at = useConsole();

test('a wrong password is told, an ended session goes on, and signing out leads to the sign-in page', async () => {
  const watched = await openPage(at().browser, PHONE);
  const { page, context, faults } = watched;
  const start = `${at().platform.baseUrl}/console/`;
  await page.goto(`${start}stock?show=out`);
  await page.getByLabel('Email address').fill('operator@demo.example');
  await page.getByLabel('Password').fill('not this one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('password, or code is wrong').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), 'operator@demo.example');
  // The refusal itself, which the browser writes down.
  assert.match(faults.splice(0).join(), /401/);
  const operator = at().platform.demo.people.find(({ role }) => role === 'OPERATOR');
  await page.getByLabel('Password').fill(operator?.password ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Which restaurant?' }).waitFor();
  assert.match(page.url(), /stock\?show=out$/, 'the address that was asked for is kept');
  await check(watched);

  await goWithin(page, [`${start}stock?restaurant=${wren(at()).guid}`]);
  await page.getByLabel('Find an item').fill('rhubarb');
  await context.clearCookies();
  const ended = page.getByRole('heading', { name: 'Your session has ended' });
  await ended.waitFor();
  await page.getByRole('button', { name: labels.OPERATOR }).click();
  await ended.waitFor({ state: 'hidden' });
  assert.equal(await page.getByLabel('Find an item').inputValue(), 'rhubarb');
  await page.getByText('Live', { exact: true }).waitFor();
  faults.splice(0);

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await check(watched);

  // Who has no restaurant yet is told so on every page about one.
  await goWithin(page, [start]);
  const { json } = await (await at().callers.as('operator')).call(
    'backOffice.managementGroups.create',
    200,
    { json: { name: 'A new group' } },
  );
  const { guid } = json as unknown as { readonly guid: string };
  const role = { role: 'GROUP_ADMINISTRATOR', managementGroupGuid: guid };
  const { person, password } = await loggedInPerson(at().callers, role);
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').waitFor();
  for (const screen of ['stock', 'orders', 'menus', 'connections']) {
    await goWithin(page, [`${start}nothing/here`, `${start}${screen}`]);
    await page.getByText('No restaurants yet').waitFor();
  }
  await page.getByRole('link', { name: 'Go to the restaurants' }).click();
  await page.getByRole('heading', { name: 'Restaurants', level: 1 }).waitFor();
  await finish(watched);
});

/** What each screen needs; null for everybody. */
const screens = {
  style: null,
  account: null,
  stock: 'stock.admin:read',
  orders: 'orders.admin:read',
  payments: 'payments.lifecycle:read',
  requests: 'requests:read',
  menus: 'configuration:read',
  webhooks: 'webhooks:read',
  accounts: 'clients:read',
  audit: 'audit:read',
  restaurants: 'restaurants.admin:read',
  people: 'people:read',
  connections: 'connections:read',
  health: 'metrics:read',
} as const;

describe('role by screen', () => {
  const places = { OPERATOR: 'platform', PARTNER_DEVELOPER: 'partner' } as const;
  for (const role of roleNames) {
    test(`${role} sees the screens of the role, is told of the others, and only operators see sandboxes`, async () => {
      const watched = await signedIn(at(), role, PHONE);
      const { page, visit } = watched;
      const place =
        role in places
          ? places[role as keyof typeof places]
          : role === 'RESTAURANT_ADMINISTRATOR'
            ? 'restaurant'
            : 'group';
      const held = scopesOfRole(role, place);
      await visit('account');
      for (const [screen, scope] of Object.entries(screens)) {
        await visit(screen);
        const isAllowed = scope === null || held.includes(scope);
        const refusal = page.getByRole('heading', { name: 'You may not do this' });
        if (!isAllowed) await refusal.waitFor();
        else await page.locator('main h1').first().waitFor();
        assert.equal(await refusal.count(), isAllowed ? 0 : 1, `${screen} as ${role}`);
        const link = page
          .getByRole('navigation')
          .locator(`a:is([href$="/${screen}"], [href*="/${screen}?"])`);
        const isListed = isAllowed && !['style', 'account'].includes(screen);
        assert.equal(await link.count(), isListed ? 1 : 0, `the link to ${screen} for ${role}`);
      }
      const bar = page.getByRole('complementary', { name: 'Sandbox' });
      await bar.getByText('Sandbox', { exact: true }).waitFor();
      const sandboxes = bar.getByRole('button', { name: 'Sandboxes' });
      if (role === 'OPERATOR') await sandboxes.waitFor();
      else assert.equal(await sandboxes.count(), 0);
      await finish(watched);
    });
  }
});

test('an address that leads nowhere says so, and Ctrl-K leads to a restaurant', async () => {
  const watched = await signedIn(at(), 'OPERATOR', PHONE);
  const { page, visit } = watched;
  await visit('nowhere/at/all');
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('early wren');
  await page.getByRole('option', { name: /The Early Wren/ }).waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /Sour Cherry Pie/ })
    .first()
    .waitFor();
  assert.ok(page.url().startsWith(`${at().proxied}/console/stock?restaurant=${wren(at()).guid}`));
  await finish(watched);
});

test('the sandbox bar moves the clock, in the dark too', async () => {
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit('style');
  await page.getByRole('button', { name: 'Move the clock' }).click();
  await page.getByRole('button', { name: '1 minute on' }).click();
  await page.getByText(/^It is .* now\./).waitFor();
  await page.getByRole('heading', { name: 'Style', exact: true }).waitFor();
  await finish(watched);
  await page.emulateMedia({ colorScheme: 'light' });
});
