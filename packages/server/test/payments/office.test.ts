import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BackOfficePayment, BackOfficePaymentPage, PaymentEvent } from '@servery/contract';
import { newGuid, newRandomId } from '@servery/support/ids.ts';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { callOperation, principal } from '../request.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife, type Life } from './life.ts';

const MINUTE_MS = 60_000;
const DECLINED_CARD = '4000000000000002';

let fixture: PaymentFixture;
let elsewhere: RestaurantContext;
/** Six payments of one instant, two of them applied, and one at a restaurant of another group. */
let lives: Life[];
before(async () => {
  fixture = await openPaymentFixture();
  elsewhere = await fixture.addMerchant('USD');
  lives = Array.from({ length: 6 }, () => beginLife(fixture));
  for (const life of lives) assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  for (const life of lives.slice(0, 2)) await life.apply();
  assert.equal((await fixture.put({ restaurant: elsewhere })).status, 200);
});
after(() => fixture.close());

type Id = `backOffice.payments.${'list' | 'get' | 'events'}`;

async function call(id: Id, parts: Parameters<typeof callOperation>[2] = {}) {
  return await callOperation(fixture.office, id, {
    principal: principal({ type: 'BACK_OFFICE' }),
    ...parts,
  });
}

async function page(query: Record<string, string>): Promise<BackOfficePaymentPage> {
  const { status, body } = await call('backOffice.payments.list', { query });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function show<Body>(id: Id, { key }: Life): Promise<Body> {
  const { paymentUuid } = key;
  const { status, body } = await call(id, {
    restaurant: fixture.merchant,
    params: { paymentUuid },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('backOffice.payments.list 200: a group sees the payments of its own restaurants', async () => {
  for (const [restaurant, count] of [
    [fixture.merchant, lives.length],
    [elsewhere, 1],
  ] as const) {
    const { managementGroupGuid } = restaurant;
    const own = principal({ type: 'BACK_OFFICE', managementGroupGuid });
    const { body } = await call('backOffice.payments.list', { principal: own });
    const merchants = (body as BackOfficePaymentPage).results.map((one) => one.merchantGuid);
    assert.deepEqual(merchants, Array(count).fill(restaurant.guid));
  }
  assert.equal((await page({})).results.length, lives.length + 1, 'an operator sees all');
});

test('backOffice.payments.list 200: pages hold what the filter lets through, once', async () => {
  const first = await page({ state: 'AUTHORIZED', pageSize: '2' });
  const seen = [...first.results];
  let pageToken = first.nextPageToken;
  while (pageToken !== null) {
    // A page token stands for the whole query.
    const next = await page({ pageToken });
    assert.ok(next.results.length <= 2, 'the size of the page goes with the token');
    seen.push(...next.results);
    pageToken = next.nextPageToken;
  }
  assert.deepEqual(new Set(seen.map(({ paymentState }) => paymentState)), new Set(['AUTHORIZED']));
  const uuids = seen.map(({ paymentUuid }) => paymentUuid);
  assert.equal(uuids.length, lives.length - 1, 'those of one instant too');
  assert.equal(new Set(uuids).size, uuids.length);
});

test('backOffice.payments.list 200: an amount is the price, or the total with the first or the changed tip', async () => {
  const [dollars, yen] = [await fixture.addMerchant('USD'), await fixture.addMerchant('JPY')];
  const pay = async (restaurant: RestaurantContext, amount: number, tipAmount: number) => {
    const body = await fixture.body({ amount, tipAmount });
    const paymentUuid = newRandomId();
    assert.equal((await fixture.put({ restaurant, paymentUuid, body })).status, 200);
    return { restaurant, params: { paymentUuid } };
  };
  const found = async (amount: string) => {
    const { results } = await page({ amount, createdFrom: new Date(0).toISOString() });
    return results.map((one) => `${one.currencyCode} ${one.amount} + ${one.tipAmount}`).sort();
  };
  for (const [amount, tip] of [
    [23.5, 0],
    [23.5, 1],
    [22, 1.5],
    [23.51, 0],
    [235, 0],
    [2350, 0],
  ] as const) {
    await pay(dollars, amount, tip);
  }
  const changed = await pay(dollars, 20, 4);
  const move = async (name: 'apply' | 'tip', body: object) => {
    const parts = { principal: principal({ type: 'BACK_OFFICE' }), ...changed, body };
    const { status } = await callOperation(fixture.office, `backOffice.payments.${name}`, parts);
    assert.equal(status, 200);
  };
  await move('apply', { checkGuid: newGuid() });
  await move('tip', { tipAmount: 3.5 });
  await pay(yen, 2350, 0);
  const expected = ['USD 20 + 3.5', 'USD 22 + 1.5', 'USD 23.5 + 0', 'USD 23.5 + 1'];
  assert.deepEqual(await found('23.5'), expected);
  assert.deepEqual(await found('23.50'), expected);
  assert.deepEqual(await found('24'), ['USD 20 + 3.5'], 'as it was authorized');
  assert.deepEqual(await found('2350'), ['JPY 2350 + 0', 'USD 2350 + 0']);
  assert.deepEqual(await found('23.505'), []);
  assert.deepEqual(await found('0'), []);
});

test('backOffice.payments.list 400: a page token goes with its own query only', async () => {
  const { nextPageToken } = await page({ state: 'AUTHORIZED', pageSize: '2' });
  const pageToken = nextPageToken ?? '';
  assert.equal((await page({ pageToken, state: 'AUTHORIZED' })).results.length, 2);
  const query = { pageToken, state: 'APPLIED' };
  const { status, body } = await call('backOffice.payments.list', { query });
  assert.equal(status, 400);
  assert.match(body.message, /state is not what the pageToken was issued for/);
});

test('backOffice.payments.list 400: every faulty filter is told', async () => {
  for (const [query, told] of [
    [{ clientId: 'no client' }, /^clientId is not one that the platform issues/],
    [
      { merchantUuid: 'here', state: 'PAID' },
      /^merchantUuid must be a GUID, .*; state must be one or/,
    ],
    [{ amount: '23,50' }, /^amount must be an amount in currency units, for example 23.50/],
    [{ amount: '-1' }, /^amount must be an amount in currency units/],
    [{ createdFrom: 'today', dueBefore: 'now' }, /^createdFrom must be .*; dueBefore must be/],
  ] as const) {
    const { status, body } = await call('backOffice.payments.list', { query });
    assert.equal(status, 400);
    assert.match(body.message, told);
  }
});

test('backOffice.payments.events 200 PAY-I5: each move of a payment, with its details', async () => {
  const life = beginLife(fixture);
  assert.equal((await life.put(DECLINED_CARD)).paymentState, 'DENIED');
  const events = await show<PaymentEvent[]>('backOffice.payments.events', life);
  const { responseCode } = await life.row();
  assert.ok(responseCode);
  assert.deepEqual(
    events.map(({ version, fromState, cause, toState, details }) => [
      ...[version, fromState, cause, toState],
      details,
    ]),
    [
      [1, null, 'submitted', 'PENDING', null],
      [2, 'PENDING', 'declined', 'DENIED', { responseCode }],
    ],
  );
});

test('backOffice.payments.get 200 PAY-I3: it tells what may be done now, and until when', async () => {
  const life = beginLife(fixture);
  await life.put();
  const now = () => show<BackOfficePayment>('backOffice.payments.get', life);
  const { legalMoves, nextDeadline, applyDeadline } = await now();
  assert.deepEqual(legalMoves, ['apply', 'void']);
  assert.deepEqual(nextDeadline, { at: applyDeadline, action: 'VOID' });
  fixture.clock.advance(5 * MINUTE_MS);
  assert.deepEqual((await now()).legalMoves, [], 'although nobody acted on the deadline yet');
});

test('backOffice.payments.get 200 PAY-I3: a capture past its deadline is asked about', async () => {
  const life = beginLife(fixture);
  await life.put();
  await life.apply();
  await life.fulfil();
  const silence = { outcome: 'unknown', explanation: 'scripted silence' } as const;
  life.script('capture', silence);
  life.script('inquire', silence);
  await life.capture();
  const now = () => show<BackOfficePayment>('backOffice.payments.get', life);
  assert.equal((await now()).nextDeadline?.action, 'CAPTURE');
  await life.advance(7 * 24 * 60 * MINUTE_MS);
  assert.equal((await now()).nextDeadline?.action, 'SETTLE');
});
