import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Health } from '@servery/contract';
import { makeAlarm } from '../../../acceptance/src/back-office.ts';
import { finish, press, signedIn, tabTo, useConsole, way } from './console.ts';
import { fillHealth } from './fill-health.ts';

const at = useConsole();
describe('health', () => {
  before(async () => {
    await fillHealth(at().platform);
    await makeAlarm(at().callers);
  });

  test(`health shows the hour, a minute of it, and leads to a payment, ${way.name}`, async () => {
    const watched = await signedIn(at(), 'OPERATOR', way.view);
    const { page, visit } = watched;
    await visit('health');
    const chart = page.getByRole('slider', { name: 'Requests a minute' });
    await chart.waitFor();
    const said = async () => (await chart.getAttribute('aria-valuetext')) ?? '';
    const newest = await said();
    if (way.isByKeyboard) {
      await tabTo(chart);
      for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowLeft');
    } else await chart.click();
    // Another minute is told.
    await chart.and(page.locator(`:not([aria-valuetext=${JSON.stringify(newest)}])`)).waitFor();
    assert.match(await said(), /[\d,]+ succeeded, \d+ refused, \d+ over a limit, \d+ failed$/);
    await press(page, 'link', /^Void declined/);
    await page.waitForURL(/\/console\/payments\/[0-9a-f-]{36}\/[0-9a-f-]{36}/);
    await finish(watched);
  });

  test('health is still counting in the first minute; later Ctrl-K leads to each number, also in a table', async () => {
    const watched = await signedIn(at(), 'OPERATOR');
    const { page, visit } = watched;
    await page.route('**/backoffice/v1/health', async (route) => {
      const response = await route.fetch();
      const health = (await response.json()) as Health;
      await route.fulfill({ response, json: { ...health, minutes: [], processes: [] } });
    });
    await visit('health');
    await page.getByRole('heading', { name: 'The first minute is being counted' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visit('stock');
    await page.locator('h1').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('health');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Traffic' }).waitFor();
    const chart = page.getByRole('slider', { name: 'Requests a minute' });
    const newest = (await chart.getAttribute('aria-valuetext')) ?? '';
    await chart.click();
    await chart.and(page.locator(`:not([aria-valuetext=${JSON.stringify(newest)}])`)).waitFor();
    const card = page.getByRole('figure').filter({ hasText: 'Webhooks a minute' });
    await card.getByText('As a table').click();
    const rows = card.getByRole('table', { name: 'Webhooks a minute' }).getByRole('row');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 61, 'a heading and sixty minutes');
    const operator = await at().callers.as('operator');
    const { minutes } = (await operator.call('backOffice.health.get', 200)).json as Health;
    const sum = minutes.reduce((total, { webhooks }) => total + webhooks.delivered, 0);
    const cells = await rows.locator('td:first-of-type').allTextContents();
    const shown = cells.map((text) => (text === '–' ? 0 : Number(text)));
    // A minute may have passed in between: then the hour begins a minute later.
    const total = shown.reduce((all, value) => all + value, 0);
    assert.ok(Math.abs(total - sum) <= Math.max(...shown), `${total} of ${sum} deliveries`);
    await page.getByRole('row', { name: /^web-1 4121/ }).waitFor();
    await finish(watched);
  });
});
