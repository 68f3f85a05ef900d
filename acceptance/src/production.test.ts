import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import type { LoggedRequestDetails } from '@servery/contract';
import { type Answer, header } from './answer.ts';
import { newBackOfficeClient, readClock, until } from './back-office.ts';
import { type Client, DemoCallers } from './client.ts';
import type { Demo } from './demo.ts';
import { openRestaurants } from './fixtures.ts';
import { authorize, type PaymentBody, type PaymentChanges, paymentBody } from './payment.ts';
import { PRODUCTION, startProductionTwin } from './platform.ts';
import { messageOf } from './values.ts';

// The demo group in a production platform: what a sandbox explains, this one keeps to itself.
const platform = await startProductionTwin();
after(() => platform.stop());

const partner = await new DemoCallers(platform).as('partner');
// A production platform hands out no account of the back office: its operator makes one.
const operator = await newBackOfficeClient(platform, null, PRODUCTION);
const keys = await partner.call('platform.cardEncryptionKeys.list', 200);
const demo = { ...platform.demo, cardKeys: keys.json as Demo['cardKeys'] };
const [merchant] = openRestaurants(demo);

interface Refusal {
  description: string;
  detail?: string;
}

async function pay(
  status: number,
  damage: (body: PaymentBody) => void = () => undefined,
  changes: PaymentChanges = {},
) {
  const body = await paymentBody(demo, changes);
  damage(body);
  return authorize(partner, status, merchant, body);
}

/** A refusal of production, which never has a detail (PAY-11). */
async function refusal(
  damage: (body: PaymentBody) => void,
  changes: PaymentChanges = {},
): Promise<string> {
  const body = (await pay(422, damage, changes)).json as Refusal;
  assert.ok(!('detail' in body), `detail is ${body.detail}`);
  return body.description;
}

test('creditCards.authorize 422 PAY-5: production has one text for a wrong card', async () => {
  const metadata = (change: object) => (body: PaymentBody) =>
    Object.assign(body.requestMetadata, change);
  const nothing = () => undefined;
  const texts = [
    await refusal((body) => Object.assign(body, { encryptedCardData: 'AAAA' })),
    await refusal(metadata({ cardFirst6: '400000' })),
    await refusal(metadata({ cardLast4: '0000' })),
    await refusal(metadata({ billingAddress: { postalCode: '10001', country: 'USA' } })),
    await refusal(nothing, { cardData: { cardNumber: '4111111111111112' } }),
    await refusal(nothing, { cardData: { country: 'CAN' } }),
  ];
  assert.equal(new Set(texts).size, 1, `the texts are ${[...new Set(texts)].join(' | ')}`);
  assert.doesNotMatch(String(texts[0]), /first ?6|last ?4|luhn|check digit|decrypt|postal/i);
});

test('creditCards.authorize 422 PAY-10: production takes no private or reserved address', async () => {
  const addresses = ['10.0.0.1', '172.16.3.4', '192.168.1.20', '127.0.0.1', '169.254.1.1'];
  addresses.push('100.64.0.1', '::ffff:10.0.0.1', '203.0.113.7', '255.255.255.255');
  for (const originIPAddr of [...addresses, '0.0.0.0', '224.0.0.1', '::1', 'fe80::1', 'fd00::1']) {
    await refusal((body) => Object.assign(body.requestMetadata, { originIPAddr }));
  }
  // A sound request gets past the checks: what refuses it is that there is no processor to ask.
  await pay(503);
});

test('creditCards.authorize 503: production without a processor says so', async () => {
  const body = await paymentBody(demo);
  const paymentUuid = randomUUID();
  for (const _try of ['first', 'again']) {
    const answer = await authorize(partner, 503, merchant, body, paymentUuid);
    assert.match(messageOf(answer), /^No card processor is configured .* no funds are held/);
    assert.equal(header(answer, 'retry-after'), '600');
  }
  const params = { merchantUuid: merchant, paymentUuid };
  await operator.call('backOffice.payments.get', 404, { params });
  assert.match(platform.output(), /no card processor is configured, and every payment is refused/);
});

test('backOffice.requests.get 200 PAY-11: an operator sees the rule and the field', async () => {
  const wrongCard = { cardData: { cardNumber: '4111111111111112' } };
  const privateAddress = (body: PaymentBody) => {
    body.requestMetadata.originIPAddr = '10.0.0.1';
  };
  for (const [answer, field, rule] of [
    [await pay(422, privateAddress), 'requestMetadata.originIPAddr', 'must be a public address'],
    [await pay(422, undefined, wrongCard), 'encryptedCardData', 'cardNumber fails the Luhn check'],
  ] as const) {
    assert.doesNotMatch(answer.text, /public|Luhn/, 'the partner is not told');
    const requestId = String(header(answer, `${platform.brand}-Request-ID`));
    const entry = await entryOf(operator, requestId);
    assert.deepEqual(entry.refusal?.faults, [{ field, rule }]);
    const text = JSON.stringify(entry);
    assert.doesNotMatch(text, /4111111111111112|10\.0\.0\.1/, 'no value is kept');
  }
});

test('backOffice.requests.get 200 API-4: production explains what asks for it, to operators', async () => {
  const group = await newBackOfficeClient(platform, demo.managementGroupGuid, PRODUCTION);
  const body = await paymentBody(demo, { cardData: { cardNumber: '4111111111111112' } });
  const params = { merchantUuid: merchant, paymentUuid: randomUUID() };
  const refused = (headers: Record<string, string>) => [
    partner.call('stock.list', 403, { restaurant: UNKNOWN, headers }),
    partner.call('creditCards.authorize', 422, {
      params,
      restaurant: merchant,
      json: body,
      headers,
    }),
  ];
  const plain = await Promise.all(refused({}));
  const asked = await Promise.all(refused({ [`${platform.brand}-Explain`]: '1' }));
  const idOf = (answer: Answer) => String(header(answer, `${platform.brand}-Request-ID`));
  for (const [index, answer] of plain.entries()) {
    const same = asked[index]?.text.replaceAll(idOf(asked[index]), idOf(answer));
    assert.equal(same, answer.text, 'the header changes no body');
    assert.equal((await entryOf(operator, idOf(answer))).explanation, null);
  }
  const [unknown = '', card = ''] = asked.map(idOf);
  const told = await Promise.all([entryOf(operator, unknown), entryOf(operator, card)]);
  assert.equal(told[0].explanation?.restaurant?.outcome, 'UNKNOWN');
  assert.match(told[1].explanation?.payment?.cardProblem ?? '', /Luhn/);
  assert.doesNotMatch(JSON.stringify(told), /4111111111111112/);
  // Who sees a part of the platform must not learn more than the partner.
  const { explanation } = await entryOf(group, card);
  assert.ok(explanation);
  assert.deepEqual([explanation.payment, explanation.rule, explanation.faults], [null, null, []]);
  assert.doesNotMatch(JSON.stringify(explanation), /Luhn/);
  const { code } = JSON.parse(plain[0]?.text ?? '{}') as { code: number };
  const page = await partner.call('docs.error', 200, {
    params: { code: String(code) },
    query: { request: unknown },
  });
  assert.ok(!page.text.includes(unknown), 'the page tells about the code only');
});

test('docs.referencePage 200: production shows the operations, and has nothing to try them with', async () => {
  const page = await partner.call('docs.referencePage', 200, { params: { page: 'stock' } });
  assert.match(page.text, /id="stock\.update"/);
  assert.doesNotMatch(page.text, /<form|<textarea|sandbox: you can/i);
  const policy = String(header(page, 'content-security-policy'));
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /connect-src|unsafe/);
});

const UNKNOWN = '01234567-89ab-4cde-8f01-23456789abcd';

async function entryOf(reader: Client, requestId: string): Promise<LoggedRequestDetails> {
  const list = () => reader.call('backOffice.requests.list', 200, { query: { requestId } });
  const isThere = ({ json }: Answer) => (json as { results: unknown[] }).results.length > 0;
  await until('an entry of the log', list, isThere);
  const entry = await reader.call('backOffice.requests.get', 200, { params: { requestId } });
  return entry.json as LoggedRequestDetails;
}

test('creditCards.authorize 422 PAY-11: production checks the formats of CVV and expiry', async () => {
  const nothing = () => undefined;
  for (const cardData of [{ cvv: 'abc' }, { expMonth: '13' }, { expYear: '3' }, { cvv: '12' }]) {
    await refusal(nothing, { cardData });
  }
});

test('creditCards.authorize 400 PAY-11: production has no detail here either', async () => {
  const answer = await pay(400, (body) => delete body.amount);
  assert.ok(!('detail' in (answer.json as Refusal)));
});

test('backOffice.clock.get 200 403: in production it is read, and not moved', async () => {
  const { now, realNow, mode, isMovable } = await readClock(operator);
  assert.deepEqual([mode, isMovable], ['RUNNING', false]);
  assert.ok(Math.abs(Date.parse(now) - Date.parse(realNow)) < 1000);
  const moves = { freeze: {}, run: {}, next: {}, set: { now }, advance: { duration: 'PT1S' } };
  for (const [move, json] of Object.entries(moves)) {
    const refused = await operator.call(`backOffice.clock.${move}`, 403, { json });
    assert.match(messageOf(refused), /clock/);
  }
  await operator.call('backOffice.payments.list', 200);
});

/** Asserts that a path answers every method as one that nobody has ever had. */
async function assertNothingAt(path: string, text?: string): Promise<void> {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const authorization = `Bearer ${operator.token}`;
    const answer = await fetch(platform.baseUrl + path, { method, headers: { authorization } });
    const { message } = (await answer.json()) as { message: string };
    const expected = text ?? `There is no ${method} ${path}: check the path.`;
    assert.deepEqual([answer.status, message], [404, expected]);
  }
}

test('backOffice.faults.list 404: production has no ordered faults, and ignores the header', async () => {
  for (const path of ['faults', 'faults/profile', 'no-such-path']) {
    await assertNothingAt(`/backoffice/v1/${path}`);
  }
  const headers = { [`${platform.brand}-Sandbox-Fault`]: 'status=503' };
  const answer = await partner.call('configuration.menus.list', 200, {
    ...{ restaurant: merchant, headers },
  });
  assert.equal(header(answer, `${platform.brand}-Sandbox-Fault`), undefined);
});

test('backOffice.sandboxes.list 404: in production there is nothing of the kind', async () => {
  await assertNothingAt('/backoffice/v1/sandboxes');
  const path = '/sandboxes/x/backoffice/v1/whoami';
  await assertNothingAt(path, `No interface answers at ${path}: check the start of the path.`);
});

test('backOffice.requests.replay 404: production replays nothing', async () => {
  await assertNothingAt(`/backoffice/v1/requests/${randomUUID()}/replay`);
});
