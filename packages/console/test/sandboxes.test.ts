import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxPage } from '@servery/contract';
import { findBarriers, type Page } from './browser.ts';
import {
  baseOf,
  finish,
  press,
  type SignedIn,
  signedIn,
  type,
  useConsole,
  way,
} from './console.ts';

const at = useConsole();

/** The dialog of the bar on the page. */
async function openSandboxes(page: Page) {
  await press(page.getByRole('complementary', { name: 'Sandbox' }), 'button', 'Sandboxes');
  const dialog = page.getByRole('dialog', { name: 'Sandboxes' });
  await dialog.getByRole('heading', { name: 'All sandboxes' }).waitFor();
  return dialog;
}

async function names(): Promise<readonly string[]> {
  const operator = await at().callers.as('operator');
  const { json } = await operator.call('backOffice.sandboxes.list', 200);
  return (json as SandboxPage).results.map(({ name }) => name);
}

test(`main is copied, goes back to a snapshot, and the copy is dropped, ${way.name}`, async () => {
  const name = 'bar-with-a-long-name';
  const base = baseOf(at(), way.view);
  const watched = await signedIn(at(), 'OPERATOR', way.view);
  const { page, faults, visit } = watched;
  await visit('health');
  const first = await openSandboxes(page);
  assert.match(await first.getByLabel('Copy this sandbox').inputValue(), /^main-copy/);
  await first.getByText('The main environment has no snapshots.').waitFor();
  await type(page.getByLabel('Copy this sandbox'), 'Not a name');
  await press(first, 'button', 'Copy and go there');
  await first
    .getByRole('alert')
    .getByText(/lowercase letters/)
    .waitFor();
  await type(page.getByLabel('Copy this sandbox'), name);
  await press(first, 'button', 'Copy and go there');
  // The same page of the copy, and nobody asks who it is.
  await page.waitForURL(`${base}/sandboxes/${name}/console/health`);
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
  const bar = page.getByRole('complementary', { name: 'Sandbox' });
  await bar.getByText(`Sandbox ${name}`).waitFor();
  const time = await bar.getByTitle('The time in this sandbox').boundingBox();
  assert.equal(await bar.getByText('frozen').count(), 0);
  assert.ok(time && time.height < 30, 'the time is in one line');

  const second = await openSandboxes(page);
  const snapshots = second.getByRole('region', { name: 'Snapshots of this sandbox' });
  await snapshots.getByText('starting with a letter').waitFor();
  await type(page.getByLabel('Take a snapshot'), 'before');
  await press(second, 'button', 'Take a snapshot');
  await page.getByText('The snapshot “before” is stored.').waitFor();
  await press(second, 'button', 'Close');
  await press(bar, 'button', 'Move the clock');
  await press(page.getByRole('group', { name: 'Move the clock' }), 'button', 'Freeze it');
  await bar.getByText('frozen').waitFor();

  const third = await openSandboxes(page);
  await press(third, 'button', 'Restore before');
  const restoring = page.getByRole('dialog', { name: 'Restore “before”?' });
  await restoring.getByText(/Everything that happened in .* is lost/).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await press(restoring, 'button', 'Restore it');
  await page.getByText('restored from the snapshot “before”').waitFor();
  await bar.getByTitle('The time in this sandbox').waitFor();
  assert.equal(await bar.getByText('frozen').count(), 0);
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();

  const fourth = await openSandboxes(page);
  await fourth.getByText('taken').waitFor();
  await press(fourth, 'button', 'Drop before');
  const dropping = page.getByRole('dialog', { name: 'Drop the snapshot “before”?' });
  await press(dropping, 'button', 'Drop');
  await page.getByText('The snapshot “before” is dropped.').waitFor();
  await fourth.getByText('A snapshot keeps everything as it is now.').waitFor();
  const alone = await comeAlone(name);
  await press(await goAround(watched, name), 'button', `Drop ${name}`);
  await press(page.getByRole('dialog', { name: `Drop “${name}”?` }), 'button', 'Drop');
  await page.waitForURL(`${base}/console/stock`);
  await page.getByText(`The sandbox “${name}” is dropped.`).waitFor();
  assert.ok(!(await names()).includes(name));
  // The refused names, and what a page asked of a sandbox that just went.
  const told = faults.splice(0).join();
  assert.match(told, /4(00|22)/);
  assert.match(told, /409/);
  await finish(watched);
  // A page that is open says that the sandbox is gone, and leads on.
  await alone.getByRole('heading', { name: `There is no sandbox “${name}”` }).waitFor();
  await alone.getByRole('link', { name: /console of the main environment/ }).click();
  await alone.waitForURL(`${at().platform.baseUrl}/console/**`);
  await alone.context().close();
});

/** Goes to the main environment, where the name is taken, and back to the sandbox from its list. */
async function goAround({ page, visit }: SignedIn, name: string) {
  await visit('health');
  const dialog = await openSandboxes(page);
  await type(page.getByLabel('Copy this sandbox'), name);
  await press(dialog, 'button', 'Copy and go there');
  await dialog.getByRole('alert').getByText(`There is already a sandbox ${name}`).waitFor();
  await press(dialog, 'link', name);
  await page.getByText(`Sandbox ${name}`).waitFor();
  // In it, the main environment is asked, as its operator.
  const there = await openSandboxes(page);
  await there.getByText('open here').waitFor();
  return there;
}

/** Comes without a session: the sandbox has people of its own. */
async function comeAlone(name: string): Promise<Page> {
  const base = at().platform.baseUrl;
  const context = await at().browser.newContext();
  const page = await context.newPage();
  // The reference of the sandbox sends requests there, as its accounts.
  await page.goto(`${base}/sandboxes/${name}/reference/back-office-who-am-i`);
  const operation = page.locator('[id="backOffice.whoami"]');
  await operation.getByText('Try it', { exact: true }).click();
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.getByText('"Demo operator"').waitFor();
  await page.goto(`${base}/sandboxes/${name}/console/health`);
  await page.getByRole('button', { name: /^Operator/ }).click();
  await page.getByRole('button', { name: 'Sandboxes' }).click();
  await page.getByRole('link', { name: 'Go to the main environment' }).waitFor();
  return page;
}
