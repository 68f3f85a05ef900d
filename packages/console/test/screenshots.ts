/**
 * Draws each screen in light, dark, and on a phone, for people to look at: `npm run screenshots`.
 * Against a platform of its own on demo data, or the one whose address is given.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RAISED_LIMITS, startPlatform } from '../../../acceptance/src/platform.ts';
import { DESK, openBrowser, openPage, PHONE } from './browser.ts';
import { makeShownData } from './shown-data.ts';

const FOLDER = fileURLToPath(new URL('../../../screenshots/', import.meta.url));
const views = {
  light: DESK,
  dark: { ...DESK, colorScheme: 'dark' },
  phone: PHONE,
} as const;

const [platform, browser] = await Promise.all([
  startPlatform({ settings: RAISED_LIMITS }),
  openBrowser(),
]);
// Also after an error: nothing would end them.
await using _ = {
  async [Symbol.asyncDispose]() {
    await browser.close();
    await platform.stop();
  },
};
const base = `${platform.baseUrl}/console`;
const { restaurant, payment, requestId, endpoint } = await makeShownData(platform);
await mkdir(FOLDER, { recursive: true });

for (const [name, view] of Object.entries(views)) {
  const { page, context } = await openPage(browser, view);
  const draw = async (screen: string) => {
    await page.bringToFront();
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path: path.join(FOLDER, `${screen}-${name}.png`) });
  };
  await page.goto(`${base}/`);
  const operator = page.getByRole('button', { name: /^Operator/ });
  await operator.waitFor();
  await draw('sign-in');
  await operator.click();
  await page.getByRole('heading', { name: 'Which restaurant?' }).waitFor();
  await draw('choose');
  await page.goto(`${base}/stock?restaurant=${restaurant}`);
  const tile = page.getByRole('button', { name: /^Lemon Meringue Pie/ });
  await tile.waitFor();
  await draw('stock');
  await tile.click();
  await page.getByRole('dialog').waitFor();
  await draw('stock-item');
  await page.goto(`${base}/orders?restaurant=${restaurant}`);
  const order = page.getByRole('article').filter({ hasText: 'Toasted Ravioli' });
  await order.waitFor();
  await draw('orders');
  await page.goto(`${base}/orders?restaurant=${restaurant}&view=kitchen`);
  await order.waitFor();
  await draw('orders-kitchen');
  await page.goto(`${base}/orders?restaurant=${restaurant}`);
  await order.getByRole('link').first().click();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await draw('order');
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('dialog').waitFor();
  await draw('order-cancel');
  await page.goto(`${base}/payments`);
  await page.getByRole('table').getByText('Authorized').filter({ visible: true }).first().waitFor();
  await draw('payments');
  await page.goto(`${base}/payments?amount=48.2`);
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('button', { name: 'Save these filters' }).click();
  await page.getByRole('dialog').waitFor();
  await draw('payments-view');
  await page.goto(`${base}/payments?tab=alarms`);
  await page.getByRole('button', { name: 'Acknowledge' }).waitFor();
  await draw('alarms');
  await page.goto(`${base}/payments/${payment.merchantGuid}/${payment.paymentUuid}`);
  await page.getByRole('button', { name: 'Void' }).waitFor();
  await draw('payment');
  await page.getByRole('button', { name: 'Void' }).click();
  await page.getByRole('dialog').waitFor();
  await draw('payment-void');
  await page.goto(`${base}/menus?restaurant=${restaurant}&find=lemon+meringue`);
  await page.getByRole('treeitem').first().waitFor();
  await draw('menus');
  await page.getByRole('treeitem').first().click();
  await page.getByLabel('Name', { exact: true }).waitFor();
  await draw('menus-item');
  await page.goto(`${base}/menus?restaurant=${restaurant}&tab=guests`);
  await page.locator('.guests-item').first().waitFor();
  await draw('menus-guests');
  await page.goto(`${base}/menus?restaurant=${restaurant}&tab=history&publication=1`);
  await page.getByRole('heading', { name: 'Publication 1' }).waitFor();
  await draw('menus-publication');
  await page.goto(`${base}/requests`);
  await page
    .getByRole('link', { name: /GET|POST|PUT/ })
    .first()
    .waitFor();
  await draw('requests');
  await page.goto(`${base}/requests/${requestId}`);
  await page.getByText('What to do:').waitFor();
  await draw('request');
  await page.goto(`${base}/webhooks/endpoints/${endpoint.guid}`);
  await page.getByText('Latest deliveries').waitFor();
  await draw('webhook');
  await page.goto(`${base}/webhooks?tab=verify`);
  await page.getByRole('button', { name: 'Check' }).waitFor();
  await draw('webhook-verify');
  await page.goto(`${base}/accounts`);
  await page.getByRole('link', { name: /Demo operator/ }).waitFor();
  await draw('accounts');
  await page.goto(`${base}/accounts/${platform.demo.clients.partner.clientId}`);
  await page.getByRole('heading', { name: 'What it may do' }).waitFor();
  await draw('account');
  await page.goto(`${base}/audit`);
  await page
    .getByRole('button', { name: /^backOffice/ })
    .first()
    .click();
  await draw('audit');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('pa');
  await draw('palette');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sandboxes' }).click();
  await page.getByRole('heading', { name: 'All sandboxes' }).waitFor();
  await draw('sandboxes');
  await page.goto(`${base}/health`);
  await page.getByRole('link', { name: /^Void declined/ }).waitFor();
  await page.screenshot({ path: path.join(FOLDER, `health-${name}.png`), fullPage: true });
  await page.goto(`${base}/restaurants`);
  await page.getByRole('link', { name: 'The Early Wren' }).waitFor();
  await draw('restaurants');
  for (const tab of ['general', 'location', 'hours', 'ordering', 'delivery']) {
    await page.goto(`${base}/restaurants?restaurant=${restaurant}&tab=${tab}`);
    await page.getByRole('tabpanel').locator('.card').first().waitFor();
    await draw(`restaurant-${tab}`);
  }
  await page.goto(`${base}/connections?restaurant=${restaurant}`);
  await page.locator('tbody a').first().waitFor();
  await draw('connections');
  await page.locator('tbody a').first().click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').waitFor();
  await draw('connection-disconnect');
  await page.goto(`${base}/people`);
  await page.locator('tbody a').first().waitFor();
  await draw('people');
  await page.goto(`${base}/people?invite=yes`);
  await page.getByRole('dialog').waitFor();
  await draw('people-invite');
  await page.goto(`${base}/account`);
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
  await draw('own-account');
  await page.goto(`${base}/style`);
  await page.getByRole('heading', { name: 'Style', exact: true }).waitFor();
  await page.screenshot({ path: path.join(FOLDER, `style-${name}.png`), fullPage: true });
  await context.close();
}
console.log(`drawn into ${FOLDER}`);
