import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePolyline, encodePolyline } from '@servery/contract/polyline.ts';
import type { Locator, Page } from 'playwright-core';
import { PHONE } from './browser.ts';
import { finish, press, signedIn, tabTo, type, useConsole, way } from './console.ts';

const at = useConsole();

/** Four corners, and closed. */
const SQUARE = encodePolyline([
  ...([[41.02, -87.03] as const, [41.02, -86.97] as const, [40.98, -86.97] as const] as const),
  ...([[40.98, -87.03] as const, [41.02, -87.03] as const] as const),
]);

interface Created {
  readonly guid: string;
  readonly version: number;
  readonly general: { readonly description: string | null; readonly name: string };
  readonly location: { readonly phone: string | null; readonly city: string | null };
  readonly schedules: {
    readonly daySchedules: Readonly<
      Record<string, { readonly openTime: string; readonly services: readonly object[] }>
    >;
    readonly weekSchedule: { readonly monday: string | null };
  };
  readonly delivery: { readonly area: string | null };
}

async function call(id: string, request: object): Promise<Created> {
  const operator = await at().callers.as('operator');
  const answer = await operator.call(id as 'backOffice.restaurants.get', 200, request);
  return answer.json as unknown as Created;
}

/** A restaurant of its own, four corners around it. */
async function create(name: string): Promise<Created> {
  const general = {
    ...{ name, timeZone: 'America/Chicago', currencyCode: 'USD' },
    managementGroupGuid: at().platform.demo.managementGroupGuid,
  };
  const location = { latitude: 41, longitude: -87 };
  const delivery = { enabled: true, area: SQUARE };
  return await call('backOffice.restaurants.create', { json: { general, location, delivery } });
}

const read = async ({ guid }: Created) =>
  await call('backOffice.restaurants.get', { params: { restaurantGuid: guid } });

test(`a restaurant is found and edited, a fault is told at its field, ${way.name}`, async () => {
  const created = await create('Edited');
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', way.view);
  const { page, faults, visit } = watched;
  await visit(`restaurants?find=${created.general.name}`);
  await press(page, 'link', created.general.name);
  await page.getByLabel('Name for guests').waitFor();
  await visit(`${page.url()}&tab=location`);
  await type(page.getByLabel('City'), 'Chicago');
  await type(page.getByLabel('Phone number'), 'by mail');
  await press(page, 'button', 'Save');
  await page.getByText(/^Is not a phone number/).waitFor();
  assert.match(faults.splice(0).join(), /422/);
  assert.equal(await page.getByLabel('Phone number').inputValue(), 'by mail');
  assert.equal((await read(created)).location.city, null, 'nothing is saved with a fault');
  await type(page.getByLabel('Phone number'), '312 555 0123');
  await press(page, 'button', 'Save');
  await page.getByText('Saved.').waitFor();
  const { location } = await read(created);
  assert.deepEqual([location.city, location.phone], ['Chicago', '312 555 0123']);
  await finish(watched);
});

test('the delivery area is drawn by keyboard and by finger, and crossing lines are told, at 360 px', async () => {
  const created = await create('Drawn');
  const watched = await signedIn(at(), 'GROUP_ADMINISTRATOR', PHONE);
  const { page, visit } = watched;
  await visit(`restaurants?restaurant=${created.guid}&tab=delivery&unit=km`);
  const first = page.getByRole('button', { name: /^Corner 1:/ });
  await first.waitFor();
  const second = page.getByRole('button', { name: /^Corner 2:/ });
  const third = page.getByRole('button', { name: /^Corner 3:/ });
  const crossing = page.getByText(/The lines .* cross/).first();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  const undoAll = async (undoOnce: () => Promise<void>) => {
    for (let times = 0; times < 80 && !(await undo.isDisabled()); times += 1) await undoOnce();
  };
  const fifth = page.getByRole('button', { name: /^Corner 5:/ });
  await tabTo(first);
  for (let times = 0; times < 40 && (await crossing.count()) === 0; times += 1) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
  }
  await crossing.waitFor();
  await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await undoAll(() => page.keyboard.press('Control+z'));
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('+');
  await fifth.waitFor();
  await undoAll(() => page.keyboard.press('Control+z'));
  // Clear of the bars at the edges of a phone.
  await page.evaluate(`document.querySelector('.map').scrollIntoView({ block: 'center' })`);
  const [north, south] = [await middleOf(second), await middleOf(third)];
  await drag(page, await middleOf(first), { x: north.x + 20, y: (north.y + south.y) / 2 });
  await crossing.waitFor();
  await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await undoAll(() => undo.click());
  const [corner, east] = [await middleOf(first), await middleOf(second)];
  await drag(page, corner, { x: corner.x - 12, y: corner.y - 12 });
  await page.touchscreen.tap((corner.x + east.x) / 2 + 20, corner.y - 14);
  await fifth.waitFor();
  await press(page, 'button', 'Save');
  await page.getByText('Saved.').waitFor();
  const corners = decodePolyline((await read(created)).delivery.area ?? '') ?? [];
  assert.equal(corners.length, 6, 'five corners, and closed');
  assert.deepEqual(corners[0], corners.at(-1));
  assert.ok((corners[0]?.[0] ?? 0) > 41.02, 'the first corner is farther north');
  await finish(watched);
});

test('hours by weekday: a late service belongs to its day, and a missing time is told', async () => {
  const created = await create('Hours');
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  await visit(`restaurants?restaurant=${created.guid}&tab=hours`);
  await page.getByRole('button', { name: 'Add a type of day' }).click();
  await page.getByRole('textbox', { name: 'Type of day' }).fill('Every day');
  await page.getByLabel('Monday').selectOption({ label: 'Every day' });
  await page.getByRole('textbox', { name: 'Service' }).fill('Late');
  await page.getByLabel('From').fill('18:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('A time is missing.').waitFor();
  await page.getByLabel('To', { exact: true }).fill('02:30');
  await page.getByText('The next day.').waitFor();
  await page.getByRole('button', { name: 'Add a service' }).click();
  await page.getByRole('textbox', { name: 'Service' }).last().fill('Lunch');
  await page.getByLabel('From').last().fill('11:00');
  await page.getByLabel('To', { exact: true }).last().fill('14:00');
  await page.getByRole('button', { name: 'Save' }).dblclick();
  await page.getByText('Saved.').waitFor();
  const { schedules, version } = await read(created);
  assert.equal(version, created.version + 1, 'a double click saves once');
  const key = schedules.weekSchedule.monday ?? '';
  assert.deepEqual(schedules.daySchedules[key]?.services, [
    {
      name: 'Lunch',
      hours: { startTime: '11:00:00.000', endTime: '14:00:00.000' },
      overnight: false,
    },
    {
      name: 'Late',
      hours: { startTime: '18:00:00.000', endTime: '02:30:00.000' },
      overnight: true,
    },
  ]);
  assert.equal(schedules.daySchedules[key]?.openTime, '11:00:00.000');
  await finish(watched);
});

test('two people change a restaurant: both values of the same field are shown to choose from', async () => {
  const created = await create('Contested');
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, faults, visit } = watched;
  await visit(`restaurants?restaurant=${created.guid}`);
  await page.getByLabel('Description').fill('Mine');
  await page.getByLabel('Name of the location').fill('Old Pier');
  const params = { restaurantGuid: created.guid };
  const json = { general: { description: 'Theirs', locationCode: 'PIER' } };
  await call('backOffice.restaurants.update', { params, json });
  await page.getByText('Somebody else has changed this restaurant').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Somebody else changed the same').waitFor();
  assert.match(faults.splice(0).join(), /409/);
  assert.equal((await read(created)).general.description, 'Theirs', 'nothing is overwritten');
  assert.equal(await dialog.getByRole('radio').count(), 2, 'only what both changed is asked');
  await dialog.getByRole('radio', { name: /^Theirs/ }).check();
  await dialog.getByRole('button', { name: 'Save these' }).click();
  await page.getByText('Saved.').waitFor();
  assert.deepEqual(await read(created).then(({ general }) => general), {
    ...created.general,
    ...{ description: 'Theirs', locationCode: 'PIER', locationName: 'Old Pier' },
  });
  await finish(watched);
});

test('a restaurant is archived after a warning, and what is archived can be restored', async () => {
  const created = await create('Closed for good');
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  await visit(`restaurants?restaurant=${created.guid}`);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByRole('dialog').getByText('Partners lose access').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This restaurant is archived').waitFor();
  assert.ok(await page.getByLabel('Name for guests').isDisabled());
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Closed for good is in operation again.').waitFor();
  await finish(watched);
});

interface Place {
  readonly x: number;
  readonly y: number;
}

async function middleOf(target: Locator): Promise<Place> {
  const box = await target.locator('.dot').boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: Place, to: Place): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (kind: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Place[]) =>
    session.send('Input.dispatchTouchEvent', { type: kind, touchPoints });
  await send('touchStart', from);
  await send('touchMove', { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
  await send('touchMove', to);
  await send('touchEnd');
}
