import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { captureTime } from '../../src/payments/due/close-out.ts';
import { officeOrganizationHandlers } from '../../src/restaurants/office/handlers.ts';
import { callOperation } from '../request.ts';
import { operator } from '../restaurants/fixture.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const HOUR_MS = 3_600_000;

async function call(name: 'update' | 'archive' | 'unarchive', body?: object) {
  const { status, body: answer } = await callOperation(
    officeOrganizationHandlers(fixture.deps),
    `backOffice.restaurants.${name}`,
    {
      caller: operator,
      restaurant: fixture.merchant,
      params: { restaurantGuid: fixture.merchant.guid },
      nowMs: fixture.clock.nowMs(),
      body,
    },
  );
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

const edit = (general: object) => call('update', { general });

async function fulfilled(): Promise<Life> {
  const life = beginLife(fixture);
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  await life.apply();
  await life.fulfil();
  return life;
}

const plannedMs = async (life: Life) => Number((await life.row()).captureAt);

test('backOffice.restaurants.update: captures that are planned keep their time', async () => {
  const first = await fulfilled();
  const firstMs = await plannedMs(first);
  // The merchant is in Chicago, six hours behind UTC in winter; its close-out is at four.
  assert.equal(new Date(firstMs).toISOString(), '2026-03-02T10:00:00.000Z');
  const row = await first.row();
  await edit({ closeoutHour: 6 });
  const second = await fulfilled();
  await edit({ timeZone: 'Asia/Tokyo', closeoutHour: 4 });
  const third = await fulfilled();
  assert.deepEqual(await first.row(), row, 'not a column of it has changed');
  const planned = [firstMs, await plannedMs(second), await plannedMs(third)];
  assert.deepEqual(
    planned.map((ms) => new Date(ms).toISOString()),
    ['2026-03-02T10:00:00.000Z', '2026-03-02T12:00:00.000Z', '2026-03-01T19:00:00.000Z'],
  );
  for (const [life, atMs] of [
    [third, planned[2]],
    [first, planned[0]],
    [second, planned[1]],
  ] as const) {
    await life.advance(Number(atMs) - 1 - fixture.clock.nowMs());
    assert.equal(await life.state(), 'CAPTURE_SCHEDULED', 'no capture comes early');
    await life.advance(1);
    assert.equal(await life.state(), 'CAPTURED');
    assert.equal(life.calls.filter((each) => each.startsWith('capture')).length, 1);
  }
});

test('backOffice.restaurants.update: each capture stays as it was planned', async () => {
  const settings = [
    { timeZone: 'America/Chicago', closeoutHour: 0 },
    { timeZone: 'Pacific/Kiritimati', closeoutHour: 12 },
    { timeZone: 'Pacific/Niue', closeoutHour: 3 },
    { timeZone: 'Europe/Berlin', closeoutHour: 2 },
    { timeZone: 'Asia/Kathmandu', closeoutHour: 5 },
    { timeZone: 'America/New_York', closeoutHour: 2 },
  ];
  const lives: { life: Life; wantedMs: number }[] = [];
  for (const setting of settings) {
    await edit(setting);
    const fulfilledMs = fixture.clock.nowMs();
    const life = await fulfilled();
    const { captureDeadline } = await life.row();
    const wantedMs = captureTime(fulfilledMs, Number(captureDeadline), setting);
    lives.push({ life, wantedMs });
    fixture.clock.advance(HOUR_MS / 8);
  }
  for (const { life, wantedMs } of lives) assert.equal(await plannedMs(life), wantedMs);
  for (const { life, wantedMs } of [...lives].sort((one, other) => one.wantedMs - other.wantedMs)) {
    await life.advance(Math.max(0, wantedMs - 1 - fixture.clock.nowMs()));
    assert.equal(await life.state(), 'CAPTURE_SCHEDULED');
    await life.advance(1);
    assert.equal(await life.state(), 'CAPTURED');
    assert.ok(fixture.clock.nowMs() < Number((await life.row()).captureDeadline));
  }
});

test('backOffice.restaurants.update: a payment keeps its currency', async () => {
  const life = await fulfilled();
  await edit({ currencyCode: 'JPY' });
  await life.capture();
  const { currencyCode, capturedMinor, state } = await life.row();
  assert.deepEqual([currencyCode, capturedMinor, state], ['USD', 1_250, 'CAPTURED']);
  await edit({ currencyCode: 'USD' });
});

test('backOffice.restaurants.archive: payments of an archived restaurant live on', async () => {
  const [waiting, applied, toVoid, planned] = [
    beginLife(fixture),
    beginLife(fixture),
    beginLife(fixture),
    await fulfilled(),
  ];
  for (const life of [waiting, applied, toVoid]) {
    assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  }
  assert.equal((await call('archive')).general.archived, true);
  await applied.apply();
  await applied.fulfil();
  await toVoid.void();
  assert.equal(await toVoid.state(), 'VOIDED');
  assert.equal(await plannedMs(applied), await plannedMs(planned));
  // Nobody applies the first one: its hold is given back as ever.
  await waiting.advance(5 * 60_000);
  assert.equal(await waiting.state(), 'VOIDED');
  await planned.advance((await plannedMs(planned)) - fixture.clock.nowMs());
  assert.deepEqual([await planned.state(), await applied.state()], ['CAPTURED', 'CAPTURED']);
  assert.equal((await call('unarchive')).general.archived, false);
});
