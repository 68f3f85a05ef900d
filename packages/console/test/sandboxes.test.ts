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
  tabTo,
  useConsole,
  type Way,
  ways,
} from './console.ts';

const at = useConsole();

/** The dialog of the bar on the page. */
async function openSandboxes(way: Way, page: Page) {
  await press(way, page.getByRole('complementary', { name: 'Sandbox' }), 'button', 'Sandboxes');
  const dialog = page.getByRole('dialog', { name: 'Sandboxes' });
  await dialog.getByRole('heading', { name: 'All sandboxes' }).waitFor();
  return dialog;
}

async function type(way: Way, page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label);
  if (way.isByKeyboard) {
    await tabTo(page, field);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  } else await field.fill(text);
}

async function names(): Promise<readonly string[]> {
  const operator = await at().callers.as('operator');
  const { json } = await operator.call('backOffice.sandboxes.list', 200);
  return (json as SandboxPage).results.map(({ name }) => name);
}

for (const way of ways) {
  test(`main is copied, goes back to a snapshot, and the copy is dropped, ${way.name}`, async () => {
    const name = `bar-${way.name.length}-with-a-long-name`;
    const base = baseOf(way, at());
    const watched = await signedIn(at(), 'OPERATOR', base, way.view);
    const { page, faults, visit } = watched;
    await visit('health');
    const first = await openSandboxes(way, page);
    assert.match(await first.getByLabel('Copy this sandbox').inputValue(), /^main-copy/);
    await first.getByText('The main environment has no snapshots.').waitFor();
    await type(way, page, 'Copy this sandbox', 'Not a name');
    await press(way, first, 'button', 'Copy and go there');
    await first
      .getByRole('alert')
      .getByText(/lowercase letters/)
      .waitFor();
    await type(way, page, 'Copy this sandbox', name);
    await press(way, first, 'button', 'Copy and go there');
    // The same page of the copy, and nobody asks who it is.
    await page.waitForURL(`${base}/sandboxes/${name}/console/health`);
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
    const bar = page.getByRole('complementary', { name: 'Sandbox' });
    await bar.getByText(`Sandbox ${name}`).waitFor();
    const time = await bar.getByTitle('The time in this sandbox').boundingBox();
    assert.equal(await bar.getByText('frozen').count(), 0);
    assert.ok(time && time.height < 30, 'the time is in one line');

    const second = await openSandboxes(way, page);
    const snapshots = second.getByRole('region', { name: 'Snapshots of this sandbox' });
    await snapshots.getByText('starting with a letter').waitFor();
    await type(way, page, 'Take a snapshot', 'before');
    await press(way, second, 'button', 'Take a snapshot');
    await page.getByText('The snapshot “before” is stored.').waitFor();
    await press(way, second, 'button', 'Close');
    await press(way, bar, 'button', 'Move the clock');
    await press(way, page.getByRole('group', { name: 'Move the clock' }), 'button', 'Freeze it');
    await bar.getByText('frozen').waitFor();

    const third = await openSandboxes(way, page);
    await press(way, third, 'button', 'Restore before');
    const restoring = page.getByRole('dialog', { name: 'Restore “before”?' });
    await restoring.getByText(/Everything that happened in .* is lost/).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await press(way, restoring, 'button', 'Restore it');
    await page.getByText('restored from the snapshot “before”').waitFor();
    await bar.getByTitle('The time in this sandbox').waitFor();
    assert.equal(await bar.getByText('frozen').count(), 0);
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();

    const fourth = await openSandboxes(way, page);
    await fourth.getByText('taken').waitFor();
    await press(way, fourth, 'button', 'Drop before');
    const dropping = page.getByRole('dialog', { name: 'Drop the snapshot “before”?' });
    await press(way, dropping, 'button', 'Drop');
    await page.getByText('The snapshot “before” is dropped.').waitFor();
    await fourth.getByText('A snapshot keeps everything as it is now.').waitFor();
    if (way.isByKeyboard) await press(way, fourth, 'button', `Drop ${name}`);
    const alone = way.isByKeyboard ? null : await comeAlone(base, name);
    if (alone) await press(way, await goAround(way, watched, name), 'button', `Drop ${name}`);
    await press(way, page.getByRole('dialog', { name: `Drop “${name}”?` }), 'button', 'Drop');
    await page.waitForURL(`${base}/console/${alone ? 'stock' : 'health'}`);
    await page.getByText(`The sandbox “${name}” is dropped.`).waitFor();
    assert.ok(!(await names()).includes(name));
    // The refused name, and what a page asked of a sandbox that just went.
    const told = faults.splice(0).join();
    assert.match(told, /4(00|22)/);
    await finish(watched);
    if (!alone) return;
    assert.match(told, /409/);
    // A page that is open says that the sandbox is gone, and leads on.
    await alone.getByRole('heading', { name: `There is no sandbox “${name}”` }).waitFor();
    await alone.getByRole('link', { name: /console of the main environment/ }).click();
    await alone.waitForURL(`${base}/console/**`);
    await alone.context().close();
  });
}

/** Goes to the main environment, where the name is taken, and back to the sandbox from its list. */
async function goAround(way: Way, { page, visit }: SignedIn, name: string) {
  await visit('health');
  const dialog = await openSandboxes(way, page);
  await type(way, page, 'Copy this sandbox', name);
  await press(way, dialog, 'button', 'Copy and go there');
  await dialog.getByRole('alert').getByText(`There is already a sandbox ${name}`).waitFor();
  await press(way, dialog, 'link', name);
  await page.getByText(`Sandbox ${name}`).waitFor();
  // In it, the main environment is asked, as its operator.
  const there = await openSandboxes(way, page);
  await there.getByText('open here').waitFor();
  return there;
}

/** Comes without a session: the sandbox has people of its own. */
async function comeAlone(base: string, name: string): Promise<Page> {
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
