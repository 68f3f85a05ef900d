import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxPage } from '@servery/contract';
import { findBarriers, type Page } from './browser.ts';
import { baseOf, finish, press, signedIn, tabTo, useConsole, type Way, ways } from './console.ts';

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
    const { page, faults } = watched;
    await page.goto(`${base}/console/health`);
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
    await press(way, fourth, 'button', `Drop ${name}`);
    await press(way, page.getByRole('dialog', { name: `Drop “${name}”?` }), 'button', 'Drop');
    await page.waitForURL(`${base}/console/health`);
    await page.getByText(`The sandbox “${name}” is dropped.`).waitFor();
    assert.ok(!(await names()).includes(name));
    // The refused name, and what a page asked of a sandbox that just went.
    assert.match(faults.splice(0).join(), /4(00|22)/);
    await finish(watched);
  });
}

test('a name that is taken says so, and the list leads to the other sandbox', async () => {
  const name = 'bar-there';
  const operator = await at().callers.as('operator');
  await operator.call('backOffice.sandboxes.create', 201, {
    json: { name, from: { profile: 'demo' } },
  });
  const [way] = ways;
  const watched = await signedIn(at(), 'OPERATOR', at().platform.baseUrl);
  const { page, faults } = watched;
  await page.goto(`${at().platform.baseUrl}/console/health`);
  const dialog = await openSandboxes(way, page);
  await dialog.getByLabel('Copy this sandbox').fill(name);
  await dialog.getByRole('button', { name: 'Copy and go there' }).click();
  await dialog.getByRole('alert').getByText(`There is already a sandbox ${name}`).waitFor();
  await dialog.getByRole('link', { name }).click();
  await page.getByText(`Sandbox ${name}`).waitFor();
  // It has people of its own.
  await page.getByRole('button', { name: /^Operator/ }).click();
  await page.getByText(`Sandbox ${name}`).waitFor();
  // In it, the main environment is asked, as its operator.
  const there = await openSandboxes(way, page);
  await there.getByText('open here').waitFor();
  await there.getByRole('button', { name: 'Close' }).click();
  assert.match(faults.splice(0).join(), /409/);
  await finish(watched);
  const lonely = await at().browser.newContext();
  const alone = await lonely.newPage();
  await alone.goto(`${at().platform.baseUrl}/sandboxes/${name}/console/health`);
  await alone.getByRole('button', { name: /^Operator/ }).click();
  await alone.getByRole('button', { name: 'Sandboxes' }).click();
  await alone.getByRole('link', { name: 'Go to the main environment' }).waitFor();
  // A page that is open says that the sandbox is gone, and leads on.
  await operator.call('backOffice.sandboxes.drop', 200, { params: { name } });
  await alone.getByRole('heading', { name: `There is no sandbox “${name}”` }).waitFor();
  await alone.getByRole('link', { name: /console of the main environment/ }).click();
  await alone.waitForURL(`${at().platform.baseUrl}/console/**`);
  await lonely.close();
});

test('nobody else than operators sees the sandboxes', async () => {
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', at().platform.baseUrl);
  await watched.page.goto(`${at().platform.baseUrl}/console/stock`);
  const bar = watched.page.getByRole('complementary', { name: 'Sandbox' });
  await bar.getByText('Sandbox', { exact: true }).waitFor();
  assert.equal(await bar.getByRole('button', { name: 'Sandboxes' }).count(), 0);
  await finish(watched);
});
