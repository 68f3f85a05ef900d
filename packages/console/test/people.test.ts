import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { DESK, openPage } from './browser.ts';
import { baseOf, finish, press, signedIn, useConsole, way } from './console.ts';

const at = useConsole();

const PASSWORD = 'seven gray geese on a pier';

test(`a person is invited by a link that is shown once, and comes in with it, ${way.name}`, async () => {
  const email = 'invited@example.com';
  const watched = await signedIn(at(), 'OPERATOR', way.view);
  const { page, visit } = watched;
  await visit('people');
  await press(page, 'button', 'Invite a person');
  const dialog = page.getByRole('dialog');
  await press(page, 'button', 'Cancel');
  await press(page, 'button', 'Invite a person');
  await dialog.getByLabel('Name', { exact: true }).fill('Ada Invited');
  await dialog.getByRole('button', { name: 'Invite a person' }).click();
  await dialog.getByText('Enter the address that the person signs in with.').waitFor();
  assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Ada Invited');
  await dialog.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await dialog.getByText('It is shown only now.').waitFor();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  assert.ok(link.startsWith(`${baseOf(at(), way.view)}/console/invitation#`), link);
  await press(page, 'button', 'Close');
  await page.getByRole('link', { name: 'Ada Invited' }).first().waitFor();
  await finish(watched);
  const guest = await openPage(at().browser, way.view);
  await guest.page.goto(link);
  await guest.page.getByText(`You sign in as ${email}.`).waitFor();
  assert.ok(!guest.page.url().includes('#'), 'the token stays in no history');
  await guest.page.getByLabel('Password', { exact: true }).fill('too short');
  await guest.page.getByLabel('Password, once more').fill('too short');
  await press(guest.page, 'button', 'Go to the console');
  await guest.page.locator('.field .fault').first().waitFor();
  assert.match(guest.faults.splice(0).join(), /422/);
  await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.page.getByLabel('Password, once more').fill(PASSWORD);
  await press(guest.page, 'button', 'Go to the console');
  await guest.page.locator('#page h1').first().waitFor();
  await finish(guest);
});

test('a second factor is set up with a QR code, and signs in', async () => {
  const base = at().platform.baseUrl;
  const { email, token } = await invite('Grace Factor');
  const watched = await openPage(at().browser, DESK);
  const { page, faults } = watched;
  await page.goto(`${base}/console/invitation#${token}`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password, once more').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('link', { name: 'Password, app, and sessions' }).click();
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  const secret = await page.getByLabel('Or type this secret').inputValue();
  await page.getByLabel('The code that the app shows').fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('code is not the current one').waitFor();
  assert.match(faults.splice(0).join(), /422/);
  await page.getByLabel('The code that the app shows').fill(await codeOf(secret));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  const codes = await page.locator('.recovery-codes li').allTextContents();
  assert.equal(codes.length, 10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('To sign in, you need your password and a code').waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  // The sessions on the page have such buttons, too.
  const menu = page.getByRole('group', { name: 'Your account' });
  await menu.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code', { exact: true }).waitFor();
  assert.match(faults.splice(0).join(), /401/);
  await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.locator('#page h1').first().waitFor();
  await finish(watched);
});

test('an operator changes roles, ends a session, and deactivates, each after a warning', async () => {
  const { personGuid, token } = await invite('Max Managed');
  const json = { token, name: 'Max Managed', password: PASSWORD };
  await at().callers.anonymous().call('backOffice.invitations.accept', 200, { json });
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  await visit(`people/${personGuid}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Give a role' }).click();
  await dialog.getByLabel('Role').selectOption({ label: 'Restaurant administrator' });
  await dialog.getByLabel('Where').selectOption({ label: 'The Early Wren' });
  await dialog.getByRole('button', { name: 'Give a role' }).dblclick();
  await page.getByText('Restaurant administrator').first().waitFor();
  await page.getByRole('button', { name: /^Remove the role: Read only/ }).click();
  await dialog.getByText('loses what this role allows').waitFor();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('The role is removed.').waitFor();
  await page.getByRole('button', { name: 'New link' }).click();
  await dialog.getByRole('button', { name: 'New link' }).click();
  await dialog.getByText('It is shown only now.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Show where Max Managed is signed in' }).click();
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('From 127.0.0.1').waitFor();
  await sessions.getByRole('button', { name: 'Sign out' }).click();
  await dialog.getByText('must sign in again').waitFor();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await sessions.getByText('Not signed in anywhere.').waitFor();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await dialog.getByText('signed out at once').waitFor();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();
  const operator = await at().callers.as('operator');
  const answer = await operator.call('backOffice.people.get', 200, { params: { personGuid } });
  const person = answer.json as unknown as {
    readonly roles: readonly { readonly role: string }[];
    readonly deactivatedAt: string | null;
  };
  assert.deepEqual(
    person.roles.map(({ role }) => role),
    ['RESTAURANT_ADMINISTRATOR'],
  );
  assert.notEqual(person.deactivatedAt, null);
  await finish(watched);
});

/** A person of its own, with a link. */
async function invite(name: string) {
  const operator = await at().callers.as('operator');
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  const { managementGroupGuid } = at().platform.demo;
  const json = { email, name, role: { role: 'READ_ONLY', managementGroupGuid } };
  const answer = await operator.call('backOffice.people.create', 200, { json });
  const { invitation, person } = answer.json as unknown as {
    readonly invitation: { readonly token: string };
    readonly person: { readonly personGuid: string };
  };
  return { email, token: invitation.token, personGuid: person.personGuid };
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an app shows now (RFC 6238), by the clock of the platform's answers. */
async function codeOf(secret: string): Promise<string> {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes =
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const { headers } = await fetch(`${at().platform.baseUrl}/console/`);
  const counter = Buffer.alloc(8);
  const step = Math.floor(Date.parse(headers.get('date') ?? '') / 30_000);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}
