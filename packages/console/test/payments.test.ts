import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardNamed, payFor, readEvents } from '../../../acceptance/src/back-office.ts';
import { finish, press, pressOn, signedIn, useConsole, way, wren } from './console.ts';

const at = useConsole();

test(`a payment is found by its card and voided once, ${way.name}`, async () => {
  const payment = await payFor(at().callers, { merchant: wren(at()).guid, amount: 31 });
  const watched = await signedIn(at(), 'OPERATOR', way.view);
  const { page, visit } = watched;
  await visit(`payments?last4=${payment.cardLast4}`);
  // Others of the same amount may be there.
  const link = page.locator(`a[href*="${payment.paymentUuid}"]`);
  const row = page.getByRole('row').filter({ has: link });
  const place = row.getByText(wren(at()).name).filter({ visible: true });
  await place.waitFor();
  await pressOn(way.isByKeyboard ? row.getByRole('link') : row);
  await press(page, 'button', 'Void');
  const dialog = page.getByRole('dialog');
  await dialog.getByText("can't be undone").waitFor();
  await dialog.getByRole('button', { name: 'Void' }).click();
  await dialog.getByText('Say why').waitFor();
  await dialog.getByLabel('Reason').fill('Ordered twice');
  if (way.isByKeyboard) await page.keyboard.press('Enter');
  else await dialog.getByRole('button', { name: 'Void' }).dblclick();
  await page.getByText('Voided', { exact: true }).first().waitFor();
  await page.getByText('The payment is voided.').waitFor();
  await page.getByText('Ordered twice').waitFor();
  await page.locator('li', { hasText: 'The void was requested' }).getByText('by you').waitFor();
  const events = await readEvents(at().callers, payment);
  assert.equal(events.filter(({ cause }) => cause === 'voidedOnPointOfSale').length, 1);
  await finish(watched);
});

test('an amount filters payments, stays in the address, and a wrong one is explained', async () => {
  const { callers } = at();
  const wanted = await payFor(callers, { merchant: wren(at()).guid, amount: 4747.25 });
  const other = await payFor(callers, { merchant: wren(at()).guid, amount: 4848.25 });
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  const total = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  const rowOf = ({ amount, tipAmount }: typeof wanted) =>
    page.getByRole('row').filter({ hasText: total.format(amount + tipAmount) });
  await visit('payments');
  await rowOf(other).waitFor();
  const field = page.getByLabel('Amount');
  await field.fill('4747,25');
  await rowOf(other).waitFor({ state: 'hidden' });
  await rowOf(wanted).waitFor();
  await page.reload();
  await rowOf(wanted).waitFor();
  assert.equal(await field.inputValue(), '4747,25');
  await field.fill(String(wanted.amount + wanted.tipAmount));
  await page.waitForURL(/amount=4748\.75/);
  await rowOf(wanted).waitFor();
  await field.fill('$4,747.25');
  await page.waitForURL(/amount=%244%2C747\.25/);
  await rowOf(wanted).click();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await page.locator('main').getByRole('link', { name: 'Payments' }).click();
  await page.waitForURL(/payments\?amount=%244%2C747\.25$/);
  await rowOf(wanted).waitFor();
  await rowOf(other).waitFor({ state: 'hidden' });
  await field.fill('a lot');
  await page.getByText('23.50. The list is not filtered by it.').waitFor();
  await rowOf(other).waitFor();
  await field.fill('4747.26');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await rowOf(other).waitFor();
  assert.equal(await field.inputValue(), '');
  // A dinar has three decimals, a dollar two.
  await field.fill('4747.255');
  await page.getByText('No payment matches').waitFor();
  await visit(`payments?restaurant=${wanted.merchantGuid}`);
  await field.fill('4747.255');
  await page.getByText('23.50. The list is not filtered by it.').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('$4,848.25');
  await page.getByRole('option', { name: total.format(other.amount + other.tipAmount) }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(other.paymentUuid));
  await finish(watched);
});

test('a payment that changed meanwhile is not changed again, and the page says so', async () => {
  const payment = await payFor(at().callers, { merchant: wren(at()).guid });
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, faults, visit } = watched;
  const { merchantGuid, paymentUuid } = payment;
  await visit(`payments/${merchantGuid}/${paymentUuid}`);
  await page.getByRole('button', { name: 'Apply to a check' }).click();
  await page.getByLabel('Check (its GUID)').fill('01a21e89-680b-776d-9ab5-cc4a0d1474e7');
  // No answer of the page's own reading may come between.
  await page.route('**/payments/**', async (route) => {
    if (route.request().method() === 'POST') {
      const params = { merchantUuid: merchantGuid, paymentUuid };
      const json = { reason: 'By another tab' };
      const orders = await at().callers.as('orders');
      await orders.call('backOffice.payments.void', 200, { params, json });
    }
    await route.continue();
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Apply to a check' }).click();
  await page.getByText('The payment has changed in the meantime').waitFor();
  assert.equal(
    await page.getByLabel('Check (its GUID)').inputValue(),
    '01a21e89-680b-776d-9ab5-cc4a0d1474e7',
  );
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('By another tab').waitFor();
  assert.match(faults.splice(0).join(), /409/);
  await finish(watched);
});

test('a void that the processor refuses is for a person, and not told as done', async () => {
  const card = cardNamed(at().callers, /a void is declined/);
  const payment = await payFor(at().callers, { merchant: wren(at()).guid, card });
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  const { merchantGuid, paymentUuid } = payment;
  await visit(`payments/${merchantGuid}/${paymentUuid}`);
  await page.getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Ordered twice');
  await dialog.getByRole('button', { name: 'Void' }).dblclick();
  await page.getByText('The processor refused it.').waitFor();
  await page.getByText('Needs a person', { exact: true }).first().waitFor();
  await page.getByText('The void was requested').waitFor();
  await page.getByText('response code 12 (Invalid transaction)').waitFor();
  await page.getByText('Settle it at the processor').waitFor();
  const events = await readEvents(at().callers, payment);
  assert.equal(events.filter(({ cause }) => cause === 'voidedOnPointOfSale').length, 1);
  await visit(`payments?last4=${payment.cardLast4}`);
  await page.getByText('may be on hold or captured').waitFor();
  await finish(watched);
});
