import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { newAccount } from './accounts.ts';
import {
  askForMove,
  callMove,
  cardNamed,
  LOWER_TIP,
  type PaymentKey,
  type PayOptions,
  payFor,
  readEvents,
  readPayment,
  statesOf,
  until,
} from './back-office.ts';
import { DemoCallers } from './client.ts';
import { archivedRestaurant, openRestaurants } from './fixtures.ts';
import { expectedOperation } from './operations.ts';
import { authorize, cardWithOutcome, paymentBody } from './payment.ts';
import { platformUnderTest } from './platform.ts';
import { alike, codeOf, messageOf } from './values.ts';

const platform = await platformUnderTest();
const { demo } = platform;
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const [merchant, second] = openRestaurants(demo);
const pay = (options?: PayOptions) => payFor(callers, { merchant, ...options });

interface OwnPayment {
  state: string;
  attempt: number;
  answer: { status: number; body: unknown };
  tipAmount: number;
  authorizedAmount: number | null;
  capturedAmount: number | null;
  authorizedAt: string | null;
  applyDeadline: string | null;
  captureDeadline: string | null;
  captureAt: string | null;
  isVoidable: boolean;
  changes: { state: string; cause: string; attempt: number; at: string }[];
}

const at = ({ merchantGuid: merchantUuid, paymentUuid }: PaymentKey) => ({
  params: { merchantUuid, paymentUuid },
  restaurant: merchantUuid,
});

async function get(key: PaymentKey): Promise<OwnPayment> {
  return (await partner.call('platform.payments.get', 200, at(key))).json as OwnPayment;
}

async function voidOwn(key: PaymentKey): Promise<OwnPayment> {
  return (await partner.call('platform.payments.void', 200, at(key))).json as OwnPayment;
}

const statesIn = ({ changes }: OwnPayment) => changes.map(({ state }) => state);

test('platform.payments.get 200 PAY-15: it shows what the PUT was answered, and what is next', async () => {
  const ids: [outcome: string, state: string][] = [
    ['AUTHORIZED', 'AUTHORIZED'],
    ['DENIED', 'DENIED'],
  ];
  for (const [outcome, state] of ids) {
    const key = { merchantGuid: merchant, paymentUuid: randomUUID() };
    const body = await paymentBody(demo, { card: cardWithOutcome(demo, outcome) });
    const put = await authorize(partner, 200, merchant, body, key.paymentUuid);
    const shown = await get(key);
    assert.deepEqual(shown.answer, { status: 200, body: put.json });
    assert.equal(shown.state, state);
    const { clientId: _client, ...known } = await readPayment(callers, key);
    for (const name of ['attempt', 'authorizedAt', 'applyDeadline', 'captureDeadline'] as const) {
      assert.equal(shown[name], known[name], name);
    }
    assert.equal(shown.isVoidable, known.legalMoves.includes('void'));
  }
});

test('platform.payments.get 200 PAY-15: it follows a payment to its capture', async () => {
  const payment = await pay();
  await callMove(callers, payment, 'apply');
  const { captureAt } = await callMove(callers, payment, 'fulfil');
  assert.equal((await get(payment)).captureAt, captureAt);
  const { capturedAmount } = await callMove(callers, payment, 'capture');
  const captured = await get(payment);
  assert.equal(captured.capturedAmount, capturedAmount);
  assert.equal(captured.isVoidable, false);
  const events = (await readEvents(callers, payment)).slice(1);
  assert.deepEqual(
    captured.changes,
    events.map(({ toState: state, cause, attempt, occurredAt }) => ({
      ...{ state, cause, attempt },
      at: occurredAt,
    })),
  );
});

test('backOffice.payments.tip 200 PAY-17: a lower tip lowers what is captured', async () => {
  const payment = await pay();
  const body = (await get(payment)).answer.body as { tipAmount: number };
  await callMove(callers, payment, 'apply');
  const { amount, authorizedAmount } = await callMove(callers, payment, 'tip');
  assert.equal(authorizedAmount, amount + body.tipAmount);
  await callMove(callers, payment, 'fulfil');
  const { capturedAmount } = await callMove(callers, payment, 'capture');
  assert.equal(capturedAmount, amount + LOWER_TIP);
  const shown = await get(payment);
  assert.deepEqual(
    [shown.tipAmount, shown.authorizedAmount, shown.capturedAmount],
    [LOWER_TIP, authorizedAmount, capturedAmount],
  );
  assert.equal((shown.answer.body as typeof body).tipAmount, body.tipAmount, 'PAY-I6');
});

test('platform.payments.get 200 PAY-15: a PUT that was not processed shows as a 500', async () => {
  const card = cardNamed(callers, /approved when repeated/);
  const payment = await pay({ card, status: 500 });
  const { state, answer } = await get(payment);
  assert.deepEqual([state, answer], ['ABORTED', { status: 500, body: null }]);
});

test('platform.payments.get platform.payments.void 404 PAY-15: nobody sees what others paid', async () => {
  const payment = await pay();
  const operator = await callers.as('operator');
  const json = { name: `Ring partner ${randomUUID()}` };
  const { guid: partnerGuid } = (await operator.call('backOffice.partners.create', 200, { json }))
    .json as { guid: string };
  const params = { restaurantGuid: merchant };
  await operator.call('backOffice.connections.connect', 200, { params, json: { partnerGuid } });
  const scopes = ['credit_cards.authorization:write'];
  const made = await newAccount(callers, { type: 'PARTNER', partnerGuid, scopes });
  for (const id of ['platform.payments.get', 'platform.payments.void']) {
    const unknown = { merchantGuid: merchant, paymentUuid: randomUUID() };
    const none = await partner.call(id, 404, at(unknown));
    alike(none, await made.caller.call(id, 404, at(payment)));
    alike(none, await (await callers.as('group')).call(id, 404, at(payment)));
    alike(none, await partner.call(id, 404, at({ ...payment, merchantGuid: second })));
  }
  assert.equal((await get(payment)).state, 'AUTHORIZED');
});

test('platform.payments.get platform.payments.void 200 PAY-15: every account of the partner', async () => {
  const payment = await pay();
  const { json } = await partner.call('platform.whoami', 200);
  const [grant] = (json as { grants: { guid: string }[] }).grants;
  const partnerGuid = grant?.guid;
  const scopes = ['credit_cards.authorization:write'];
  const colleague = await newAccount(callers, { type: 'PARTNER', partnerGuid, scopes });
  await colleague.caller.call('platform.payments.get', 200, at(payment));
  await colleague.caller.call('platform.payments.void', 200, at(payment));
  assert.deepEqual(await statesOf(callers, payment), [
    ...['PENDING', 'AUTHORIZED', 'VOID_PENDING', 'VOIDED'],
  ]);
});

test('platform.payments.get platform.payments.void 400 403 404 API-6: as the PUT is answered', async () => {
  const payment = await pay();
  const json = await paymentBody(demo);
  const { paymentUuid } = payment;
  const unknown = randomUUID();
  const archived = archivedRestaurant(demo);
  const other = await callers.as('other');
  const places = [
    [partner, merchant, second, 400],
    [partner, unknown, unknown, 404],
    [other, merchant, merchant, 403],
    [partner, archived, archived, 403],
  ] as const;
  for (const [caller, merchantUuid, restaurant, status] of places) {
    const options = { params: { merchantUuid, paymentUuid }, restaurant };
    const put = await caller.call('creditCards.authorize', status, { ...options, json });
    for (const id of ['platform.payments.get', 'platform.payments.void']) {
      const answer = await caller.call(id, status, options);
      assert.equal(messageOf(answer), messageOf(put));
      if (status === 403) assert.equal(codeOf(answer), codeOf(put));
    }
  }
  const params = { merchantUuid: merchant, paymentUuid: 'table 7' };
  for (const id of ['platform.payments.get', 'platform.payments.void']) {
    await partner.call(id, 404, { params, restaurant: merchant });
  }
  assert.equal((await get(payment)).state, 'AUTHORIZED');
});

test('platform.payments.void 200 PAY-16: it gives the hold back once, however often it is sent', async () => {
  const payment = await pay();
  const voided = await voidOwn(payment);
  assert.deepEqual(statesIn(voided), ['AUTHORIZED', 'VOID_PENDING', 'VOIDED']);
  assert.deepEqual(await voidOwn(payment), voided);
  const [, , event] = await readEvents(callers, payment);
  assert.equal(event?.cause, 'voidedByPartner');
  await askForMove(callers, payment, 'apply', 409);
});

test('platform.payments.void 409 PAY-16: what a check took, the restaurant voids', async () => {
  const payment = await pay();
  await callMove(callers, payment, 'apply');
  const refused = await partner.call('platform.payments.void', 409, at(payment));
  assert.match(messageOf(refused), /APPLIED.*restaurant/);
  assert.equal((await get(payment)).state, 'APPLIED');
  await callMove(callers, payment, 'void');
  const late = await partner.call('platform.payments.void', 409, at(payment));
  assert.match(messageOf(late), /VOIDED/);
});

test('platform.payments.void 200 409 PAY-16: of voids and checks at once, one kind wins', async () => {
  const payment = await pay();
  const operation = expectedOperation('platform.payments.void');
  const orders = await callers.as('orders');
  const { params } = at(payment);
  const apply = expectedOperation('backOffice.payments.apply');
  const [applied, ...voids] = await Promise.all([
    orders.send(apply, { params, json: { checkGuid: randomUUID() } }),
    ...Array.from({ length: 7 }, () => partner.send(operation, at(payment))),
  ]);
  const isApplied = applied.status === 200;
  for (const { status } of voids) assert.equal(status, isApplied ? 409 : 200);
  assert.equal((await get(payment)).state, isApplied ? 'APPLIED' : 'VOIDED');
});

test('platform.payments.void 200 PAY-16: a processor that does not answer is asked again', async () => {
  const payment = await pay({ card: cardNamed(callers, /first void is not answered/) });
  assert.equal((await voidOwn(payment)).state, 'VOID_PENDING');
  await until(
    'the void',
    () => voidOwn(payment),
    ({ state }) => state === 'VOIDED',
  );
  assert.deepEqual(await statesOf(callers, payment), [
    ...['PENDING', 'AUTHORIZED', 'VOID_PENDING', 'VOIDED'],
  ]);
});
