import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PartnerPayment, PaymentAnswer } from '@servery/contract';
import { newRandomId } from '@servery/support/ids.ts';
import { listEntries } from '../../src/audit/entry-store.ts';
import { paymentHandlers } from '../../src/payments/partner/handlers.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { callOperation, principal, type RequestParts, type TestAnswer } from '../request.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { insertColleague } from './fixture-store.ts';
import { beginLife, type Life } from './life.ts';
import { insertGroupClient } from './office-fixture-store.ts';

const MINUTE_MS = 60_000;
const DECLINED_CARD = '4000000000000002';
const SILENCE = { outcome: 'unknown', explanation: 'scripted silence' } as const;

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

async function begin(...authorize: Parameters<Life['script']>[1][]): Promise<Life> {
  const life = beginLife(fixture);
  life.script('authorize', ...authorize);
  await life.put();
  return life;
}

function call(
  id: 'platform.payments.get' | 'platform.payments.void',
  { key, deps }: Pick<Life, 'key' | 'deps'>,
  parts: RequestParts = {},
): Promise<TestAnswer> {
  return callOperation(paymentHandlers({ ...fixture.deps, ...deps }), id, {
    principal: fixture.client,
    restaurant: fixture.merchant,
    params: { merchantUuid: fixture.merchant.guid, paymentUuid: key.paymentUuid },
    ...parts,
  });
}

async function get(life: Life, parts?: RequestParts): Promise<PartnerPayment> {
  const { status, body } = await call('platform.payments.get', life, parts);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function voidOwn(life: Life, parts?: RequestParts): Promise<PartnerPayment> {
  const { status, body } = await call('platform.payments.void', life, parts);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function assertVoidRefused(life: Life, words: RegExp): Promise<void> {
  const before = await life.row();
  const { status, body } = await call('platform.payments.void', life);
  assert.equal(status, 409, JSON.stringify(body));
  assert.match(body.message, words);
  assert.deepEqual(await life.row(), before, 'what is refused changes nothing');
}

const statesOf = ({ changes }: PartnerPayment) => changes.map(({ state }) => state);

test('platform.payments.get 200 PAY-15 PAY-I6: it shows the answer that the PUT got', async () => {
  const shown = async (put: { status: number; body: unknown }, paymentUuid: string) => {
    const { key, deps } = beginLife(fixture);
    const { body } = await call('platform.payments.get', { deps, key: { ...key, paymentUuid } });
    const { answer } = body as { answer: PaymentAnswer };
    assert.deepEqual(answer, { status: put.status, body: put.status === 200 ? put.body : null });
    return body as PartnerPayment;
  };
  for (const [cardNumber, state] of [
    ['4111111111111111', 'AUTHORIZED'],
    [DECLINED_CARD, 'DENIED'],
  ] as const) {
    const paymentUuid = newRandomId();
    const put = await fixture.put({ paymentUuid, body: await fixture.body({ cardNumber }) });
    const { state: reached, changes } = await shown(put, paymentUuid);
    assert.equal(reached, state);
    assert.equal(changes.length, 1);
  }
  const lost = newRandomId();
  const body = await fixture.body();
  const { key, deps } = beginLife(fixture);
  const silent = { ...fixture.processor, authorize: async () => SILENCE };
  const acknowledged = await fixture.put({ paymentUuid: lost, body }, { processor: silent });
  assert.equal(acknowledged.body.paymentState, 'ACKNOWLEDGED');
  assert.equal((await shown(acknowledged, lost)).state, 'UNKNOWN');
  const refusing = {
    ...fixture.processor,
    authorize: async () =>
      ({ outcome: 'notProcessed', isUnsent: true, explanation: 'scripted' }) as const,
  };
  const aborted = newRandomId();
  const refused = await fixture.put({ paymentUuid: aborted, body }, { processor: refusing });
  assert.equal(refused.status, 500);
  assert.equal((await shown(refused, aborted)).state, 'ABORTED');
  const again = await fixture.put({ paymentUuid: aborted, body });
  const { attempt, changes } = await shown(again, aborted);
  assert.equal(attempt, 2);
  assert.deepEqual(
    changes.map((change) => [change.state, change.attempt]),
    [
      ['ABORTED', 1],
      ['AUTHORIZED', 2],
    ],
  );
  const { status, body: none } = await call('platform.payments.get', { key, deps });
  assert.equal(status, 404, JSON.stringify(none));
});

test('platform.payments.get 200 PAY-15: after a void, it still shows what the PUT was told', async () => {
  const life = await begin();
  const { answer } = await get(life);
  await life.void();
  const voided = await get(life);
  assert.deepEqual(voided.answer, answer);
  assert.deepEqual(statesOf(voided), ['AUTHORIZED', 'VOID_PENDING', 'VOIDED']);
  assert.equal(voided.isVoidable, false);
});

test('platform.payments.get 200 PAY-15: an approval that came too late was never told', async () => {
  const life = await begin(SILENCE);
  const approval = { authorizationCode: '071825', reference: 'r', amountMinor: 1250 };
  life.script('inquire', { outcome: 'approved', currencyCode: 'USD', ...approval });
  fixture.clock.advance(6 * MINUTE_MS);
  await life.sweep();
  const { state, answer, authorizedAt } = await get(life);
  assert.ok(state === 'VOIDED' && authorizedAt !== null, `${state} ${authorizedAt}`);
  assert.equal(answer.body?.paymentState, 'ACKNOWLEDGED');
});

test('platform.payments.get 200 PAY-15 PAY-I3: its deadlines and its times are true', async () => {
  const life = await begin();
  const { authorizedAt, createdAt, applyDeadline, captureDeadline, captureAt } = await get(life);
  const authorizedMs = Date.parse(String(authorizedAt));
  assert.equal(createdAt, authorizedAt);
  assert.equal(Date.parse(String(applyDeadline)), authorizedMs + 5 * MINUTE_MS);
  assert.equal(Date.parse(String(captureDeadline)), authorizedMs + 7 * 24 * 60 * MINUTE_MS);
  assert.equal(captureAt, null);
  assert.equal((await get(life)).isVoidable, true);
  await life.apply();
  fixture.clock.advance(MINUTE_MS);
  await life.fulfil();
  const fulfilled = await get(life);
  assert.equal(fulfilled.modifiedAt, new Date(fixture.clock.nowMs()).toISOString());
  assert.equal(fulfilled.changes.at(-1)?.at, fulfilled.modifiedAt);
  assert.equal(fulfilled.captureAt, (await life.row()).captureAt?.toISOString());
  await life.capture();
  const { capturedAmount, amount, tipAmount, currencyCode } = await get(life);
  assert.deepEqual([capturedAmount, amount, tipAmount, currencyCode], [12.5, 10.5, 2, 'USD']);
});

test('platform.payments.get 200 PAY-15: a risk rule’s denial looks like the issuer’s', async () => {
  const refused = newRandomId();
  const body = await fixture.body({ metadata: { guestIdentifier: '0' } });
  await fixture.put({ paymentUuid: refused, body });
  const declined = beginLife(fixture);
  await declined.put(DECLINED_CARD);
  const [risk, issuer] = [
    await get({ ...declined, key: { ...declined.key, paymentUuid: refused } }),
    await get(declined),
  ];
  const { paymentUuid: _risk, ...ofRisk } = risk;
  const { paymentUuid: _issuer, ...ofIssuer } = issuer;
  assert.deepEqual(ofRisk, ofIssuer);
});

test('platform.payments.get platform.payments.void 404 PAY-15: nobody sees what others paid', async () => {
  const life = await begin();
  const nothing = { ...life, key: { ...life.key, paymentUuid: newRandomId() } };
  const stranger = await fixture.addClient();
  const { managementGroupGuid } = fixture.merchant;
  const inGroup = await insertGroupClient(fixture.database.sql, 'CUSTOMER', managementGroupGuid);
  const elsewhere = await fixture.addMerchant('USD');
  for (const id of ['platform.payments.get', 'platform.payments.void'] as const) {
    const answers = [
      await call(id, nothing),
      await call(id, life, { principal: stranger }),
      await call(id, life, { principal: principal({ clientId: inGroup, type: 'CUSTOMER' }) }),
      await call(id, life, { restaurant: elsewhere }),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 404);
      assert.equal(body.message, answers[0]?.body.message, 'each looks like none');
    }
  }
  assert.equal(await life.state(), 'AUTHORIZED');
});

test('platform.payments.get platform.payments.void 200 PAY-15: all accounts of a partner', async () => {
  const { sql } = fixture.database;
  const life = await begin();
  const clientId = await insertColleague(sql, fixture.client.clientId, new Date(0));
  const colleague = { principal: { ...fixture.client, clientId } };
  assert.equal((await get(life, colleague)).state, 'AUTHORIZED');
  assert.equal((await voidOwn(life, colleague)).state, 'VOIDED');
});

test('platform.payments.get 200 404 PAY-15: a management group sees its own payments only', async () => {
  const { sql } = fixture.database;
  const { managementGroupGuid } = fixture.merchant;
  const accountOf = async (group: string) => {
    const clientId = await insertGroupClient(sql, 'CUSTOMER', group);
    return principal({ clientId, type: 'CUSTOMER', managementGroupGuid: group });
  };
  const [payer, colleague] = [
    await accountOf(managementGroupGuid),
    await accountOf(managementGroupGuid),
  ];
  const stranger = await accountOf((await fixture.addMerchant('USD')).managementGroupGuid);
  const paymentUuid = newRandomId();
  const key = await fixture.addKey(payer.clientId);
  await fixture.put({ principal: payer, paymentUuid, body: await fixture.body({ key }) });
  const life = beginLife(fixture);
  const own = { ...life, key: { ...life.key, paymentUuid } };
  assert.equal((await get(own, { principal: colleague })).state, 'AUTHORIZED');
  for (const other of [stranger, fixture.client]) {
    assert.equal((await call('platform.payments.get', own, { principal: other })).status, 404);
  }
});

test('platform.payments.void 200 PAY-16 PAY-I3: the money is free at once, and once', async () => {
  const life = await begin();
  const voided = await voidOwn(life);
  assert.deepEqual(statesOf(voided), ['AUTHORIZED', 'VOID_PENDING', 'VOIDED']);
  assert.equal(voided.changes[1]?.cause, 'voidedByPartner');
  assert.deepEqual(await voidOwn(life), voided, 'a repeat is answered the same');
  assert.deepEqual(await get(life), voided);
  assert.equal(life.calls.filter((each) => each.startsWith('void')).length, 1);
  assert.equal((await life.put()).status, 409, 'PAY-7: changed since');
  await life.advance(6 * MINUTE_MS);
  assert.equal((await life.row()).version, 4, 'the five minutes find nothing to void');
});

test('platform.payments.void 200 PAY-16: the audit log says which account voided it', async () => {
  const life = await begin();
  await voidOwn(life);
  await voidOwn(life);
  const filter = { reach: everywhere, subjectId: life.key.paymentUuid };
  const entries = await listEntries(fixture.database.sql, filter, null, 10);
  const [entry] = entries;
  assert.equal(entries.length, 1, 'a repeat changes nothing');
  assert.equal(entry?.actor, fixture.client.clientId);
  assert.equal(entry?.operation, 'platform.payments.void');
});

test('platform.payments.void 409 PAY-16: a refusal names the state and the way out', async () => {
  await assertVoidRefused(await begin(SILENCE), /UNKNOWN, so .*outcome is not known yet: get/);
  const denied = beginLife(fixture);
  await denied.put(DECLINED_CARD);
  await assertVoidRefused(denied, /DENIED, so .*Nothing is on hold/);
  const life = await begin();
  await life.apply();
  await assertVoidRefused(life, /APPLIED, so .*restaurant to void it at the point of sale/);
  await life.fulfil();
  await assertVoidRefused(life, /CAPTURE_SCHEDULED, so .*ask the restaurant for a refund/);
  await life.capture();
  await assertVoidRefused(life, /CAPTURED, so .*ask the restaurant for a refund/);
  const other = await begin();
  await other.void('wrong table');
  await assertVoidRefused(other, /VOIDED, so .*Nothing is on hold/);
});

test('platform.payments.void 409 PAY-16 PAY-I3: past its deadline the platform voids it', async () => {
  const life = await begin();
  fixture.clock.advance(5 * MINUTE_MS);
  assert.equal((await get(life)).isVoidable, false);
  await assertVoidRefused(life, /AUTHORIZED, past its deadline, so .*The platform voids it/);
  await life.sweep();
  assert.deepEqual((await life.causes()).slice(2), ['applyDeadlinePassed', 'voidAcknowledged']);
});

test('platform.payments.void 200 PAY-16 PAY-I1: a silent processor is asked until it answers', async () => {
  const life = await begin();
  life.script('void', SILENCE, new Error('away'));
  assert.equal((await voidOwn(life)).state, 'VOID_PENDING');
  assert.equal((await voidOwn(life)).state, 'VOID_PENDING', 'a repeat waits for it too');
  await life.advance(1_000);
  assert.equal(await life.state(), 'VOID_PENDING');
  await life.advance(2_000);
  const { state, changes } = await voidOwn(life);
  assert.equal(state, 'VOIDED');
  assert.equal(changes.length, 3, 'one void, however often it was asked for');
});

test('platform.payments.void 200 PAY-16: a refusal of the processor is a person’s', async () => {
  const life = await begin();
  life.script('void', { outcome: 'declined', responseCode: '12' });
  assert.equal((await voidOwn(life)).state, 'REVIEW');
  assert.equal((await voidOwn(life)).state, 'REVIEW');
});

test('platform.payments.void 200 409 PAY-16 PAY-I4: of a void and a check at once, one wins', async () => {
  for (let round = 0; round < 10; round += 1) {
    const life = await begin();
    const [applied, voided] = await Promise.allSettled([
      life.apply(),
      call('platform.payments.void', life).then(({ status }) => assert.equal(status, 200)),
    ]);
    assert.notEqual(applied.status, voided.status);
    assert.equal(await life.state(), applied.status === 'fulfilled' ? 'APPLIED' : 'VOIDED');
  }
});

test('platform.payments.void 200 409 PAY-16 PAY-I5: at the deadline it is voided once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const life = await begin();
    fixture.clock.advance(5 * MINUTE_MS - 1);
    const voiding = call('platform.payments.void', life);
    fixture.clock.advance(1);
    const [{ status }] = await Promise.all([voiding, life.sweep()]);
    const cause = status === 200 ? 'voidedByPartner' : 'applyDeadlinePassed';
    assert.deepEqual((await life.causes()).slice(2), [cause, 'voidAcknowledged']);
  }
});

test('platform.payments.void 200 PAY-16 PAY-I5: two voids at once are one', async () => {
  const life = await begin();
  const answers = await Promise.all([voidOwn(life), voidOwn(life), voidOwn(life)]);
  for (const { state } of answers) assert.match(state, /^VOID(ED|_PENDING)$/);
  assert.deepEqual((await life.causes()).slice(2), ['voidedByPartner', 'voidAcknowledged']);
});

test('platform.payments.void creditCards.authorize 200 409 PAY-16 PAY-7: no PUT undoes a void', async () => {
  for (let round = 0; round < 5; round += 1) {
    const life = await begin();
    const [put, voided] = await Promise.all([life.put(), voidOwn(life)]);
    assert.match(`${put.status} ${put.paymentState}`, /^(200 AUTHORIZED|409 undefined)$/);
    assert.equal(voided.state, 'VOIDED');
    assert.equal((await life.put()).status, 409);
    assert.equal(life.calls.filter((each) => each.startsWith('authorize')).length, 1);
  }
});
