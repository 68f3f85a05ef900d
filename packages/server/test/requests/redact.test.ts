import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationId } from '@servery/contract';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import { redactRequest } from '../../src/requests/redact.ts';
import { KEPT_CHARACTERS, LOOKED_AT_BYTES } from '../../src/requests/redact-body.ts';
import { cleanText } from '../../src/text/clean-text.ts';
import { queuedRequest, refusal } from './finished-request.ts';

const CARD = '4111111111111111';
const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJl';

const redact = (id: OperationId | null, parts: Partial<FinishedRequest> = {}) =>
  redactRequest('Platform', queuedRequest(id, parts));

const sent = (id: OperationId, body: unknown): string | null =>
  redact(id, { requestBytes: Buffer.from(JSON.stringify(body)) }).requestBody;

test('requests: a password, a secret and a token are left out of bodies by their names', () => {
  const login = { clientId: 'client', clientSecret: 'hidden', userAccessType: 'A' };
  assert.equal(
    sent('auth.login', login),
    '{"clientId":"client","clientSecret":"[left out]","userAccessType":"A"}',
  );
  const nested = [{ deeper: { password: 'hidden', PASSWORD: ['hidden'] } }];
  assert.doesNotMatch(sent('stock.update', nested) ?? '', /hidden/);
  const answer = Buffer.from(JSON.stringify({ token: { accessToken: 'hidden' }, status: 'OK' }));
  const { answerBody } = redact('auth.login', { answerBytes: answer });
  assert.equal(answerBody, '{"token":"[left out]","status":"OK"}');
});

test('requests: a name that is a secret of one operation only is left out there alone', () => {
  assert.equal(sent('backOffice.me.totp.confirm', { code: '123456' }), '{"code":"[left out]"}');
  const told = Buffer.from('{"code":10005}');
  assert.equal(redact('stock.update', { answerBytes: told }).answerBody, '{"code":10005}');
});

test('requests: encrypted card data and what is known of a guest are left out', () => {
  const body = sent('creditCards.authorize', {
    encryptedCardData: 'aGlkZGVu',
    keyId: 'ECDH-ES::1',
    requestMetadata: { guestEmail: 'hidden@example.com', billingAddress: { city: 'hidden' } },
  });
  assert.doesNotMatch(body ?? '', /aGlkZGVu|hidden/);
  assert.match(body ?? '', /"keyId":"ECDH-ES::1"/);
});

test('requests: a form is read by its fields', () => {
  const { requestBody } = redact('auth.token', {
    requestHeaders: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    requestBytes: Buffer.from('grant_type=client_credentials&client_secret=hidden%21&client_id=me'),
  });
  assert.equal(
    requestBody,
    '{"grant_type":"client_credentials","client_secret":"[left out]","client_id":"me"}',
  );
});

test('requests: values of fields that nobody knows are left out', () => {
  const body = sent('stock.update', {
    apiKey: 'hidden',
    pin: 1234,
    goods: [{ quantity: 2 }, 'hidden'],
  });
  assert.equal(
    body,
    '{"apiKey":"[left out]","pin":"[left out]","goods":[{"quantity":2},"[left out]"]}',
  );
});

test('requests: a card number goes from values, names, numbers, paths, queries and headers', () => {
  const row = redact('backOffice.payments.get', {
    url: `/backoffice/v1/merchants/${CARD}/payments/x?state=${CARD}&${CARD}=${CARD}`,
    params: { merchantUuid: CARD, paymentUuid: '4111 1111 1111 1111' },
    requestHeaders: { 'user-agent': `agent ${CARD}`, 'content-type': 'application/json' },
    requestBytes: Buffer.from(`{"note":"card ${CARD}","amount":${CARD},"${CARD}":[${CARD}]}`),
    answerBytes: Buffer.from(`{"message":"${CARD} and 4111-1111-1111-1111"}`),
    refusal: {
      ...refusal,
      message: `There is no ${CARD}.`,
      faults: [{ where: `[${CARD}]`, message: `must not be ${CARD}` }],
    },
  });
  assert.doesNotMatch(JSON.stringify(row), /4111.?1111/);
});

test('requests: what stands beside a card number goes with it, wherever that is', () => {
  const row = redact('backOffice.payments.void', {
    url: `/backoffice/v1/merchants/x/payments/y?state=hidden ${CARD}`,
    params: { merchantUuid: `hidden ${CARD}`, paymentUuid: 'y' },
    requestHeaders: { 'user-agent': `hidden ${CARD}`, 'content-type': 'application/json' },
    requestBytes: Buffer.from(JSON.stringify({ reason: `hidden, of the card ${CARD}` })),
    answerBytes: Buffer.from(JSON.stringify({ message: `hidden ${CARD} hidden` })),
    refusal: { ...refusal, message: `hidden ${CARD}` },
  });
  assert.doesNotMatch(JSON.stringify(row), /hidden|1111/);
});

test('requests: what stands where only true or false belongs is left out', () => {
  const body = sent('creditCards.authorize', { willSaveCard: 'hidden', cardNumberOrigin: 'WEB' });
  assert.equal(body, '{"willSaveCard":"[left out]","cardNumberOrigin":"WEB"}');
  assert.equal(sent('creditCards.authorize', { willSaveCard: true }), '{"willSaveCard":true}');
});

test('requests: what a payment tells of a guest is forgotten with the guest', () => {
  const service = { instanceId: 'hidden', additionalInfo: 'hidden' };
  const requestMetadata = {
    ...{ partnerServiceInfo: service, userAgent: 'hidden', appName: 'hidden' },
    ...{ appVersion: 'hidden', originIPAddr: 'hidden', guestIdentifier: 'hidden' },
  };
  const body = sent('creditCards.authorize', { requestMetadata });
  assert.match(body ?? '', /"userAgent":"\[left out\]"/);
  assert.doesNotMatch(body ?? '', /hidden/);
});

test('requests: a token, a secret and the secret part of a link go wherever they are', () => {
  const answer = {
    note: `Bearer ${TOKEN}`,
    name: 'svs_abcdefghijklmnop',
    echo: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/==',
    link: 'https://a.b/c#hidden',
  };
  const { answerBody } = redact('stock.list', { answerBytes: Buffer.from(JSON.stringify(answer)) });
  assert.doesNotMatch(answerBody ?? '', /eyJ|svs_|whsec|hidden/);
});

test('requests: a long text costs as much as many short ones, whatever is in it', () => {
  const secrets = ['eyJ', 'svs_', 'whsec_', 'eyJaaaaaaaa '];
  for (const piece of [...secrets, 'http://', 'https://x/', 'otpauth://']) {
    const [short, long] = [1_000, 50_000].map((length) => piece.repeat(length / piece.length));
    const measured = (text: string, times: number) => {
      const began = process.cpuUsage();
      for (let time = 0; time < times; time += 1) cleanText(text);
      const { user, system } = process.cpuUsage(began);
      return user + system;
    };
    // The least of some: what its host takes from a machine counts as work of whoever works then.
    const costOf = (text = '', times = 1) =>
      Math.min(...Array.from({ length: 9 }, () => measured(text, times)));
    const [many, one] = [costOf(short, 50), costOf(long)];
    assert.ok(one < many * 10 + 50_000, `${piece}: ${one} µs, in pieces ${many} µs`);
  }
});

test('requests: of headers only harmless ones are kept, and that there was a token', () => {
  const { requestHeaders, answerHeaders } = redact('stock.list', {
    requestHeaders: {
      authorization: 'Bearer hidden',
      cookie: 'session=hidden',
      'x-csrf-token': 'hidden',
      'x-api-key': 'hidden',
      'platform-restaurant-external-id': 'restaurant',
      accept: '*/*',
    },
    answerHeaders: { 'set-cookie': 'hidden', ETag: '"1"', link: '<https://a?pageToken=hidden>' },
  });
  assert.deepEqual(requestHeaders, {
    authorization: 'Bearer [left out]',
    cookie: '[left out]',
    'x-csrf-token': '[left out]',
    'platform-restaurant-external-id': 'restaurant',
    accept: '*/*',
  });
  assert.deepEqual(answerHeaders, { etag: '"1"' });
});

test('requests: of a query the parameters of the operation are kept', () => {
  const { query } = redact('backOffice.alarms.list', {
    url: '/backoffice/v1/alarms?open=true&access_token=hidden&open=false',
  });
  assert.deepEqual(query, { open: 'true', access_token: '[left out]' });
});

test('requests: a long part of a path that is no operation is left out everywhere', () => {
  const secret = 'w2pQ7m1vX9c3Z5bN8kL4jH6gF0dSaYtReWqUiOpKxM1';
  const row = redact(null, {
    url: `/backoffice/v1/invitation/${secret}?token=${secret}`,
    answerBytes: Buffer.from(
      JSON.stringify({ message: `There is no /backoffice/v1/invitation/${secret}.` }),
    ),
    refusal: { ...refusal, message: `There is no GET /backoffice/v1/invitation/${secret}.` },
  });
  assert.equal(row.path, '/backoffice/v1/invitation/[left out]');
  assert.ok(!JSON.stringify(row).includes(secret));
});

test('requests: what is not JSON, nested too deeply or too long is left out whole', () => {
  const body = (text: string) =>
    redact('stock.update', { requestBytes: Buffer.from(text) }).requestBody;
  assert.equal(body('{"clientSecret": "hidden'), '[24 bytes left out]');
  assert.equal(body(''), null);
  assert.equal(body(`"${'x'.repeat(LOOKED_AT_BYTES)}"`), `[${LOOKED_AT_BYTES + 2} bytes left out]`);
  assert.doesNotMatch(body(`${'['.repeat(60)}"hidden"${']'.repeat(60)}`) ?? '', /hidden/);
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  assert.ok((body(deep) ?? '').length < 1_000);
  const answerHeaders = { 'content-type': 'text/html' };
  const { answerBody } = redact('docs.error', { answerHeaders, answerBytes: Buffer.from('<p>') });
  assert.equal(answerBody, '[3 bytes left out]');
});

test('requests: a body is cut off, and says how much is missing', () => {
  const body = sent('stock.update', Array(2_000).fill({ guid: 'x'.repeat(18) })) ?? '';
  assert.ok(body.length < KEPT_CHARACTERS + 100);
  assert.match(body, /^\[\{"guid":"x{18}"\},.*… \[of 60001 bytes\]$/);
});

test('requests PAY-I7: a text beyond what is kept is left out, not cut inside a number', () => {
  const body = sent('stock.update', { guid: `${'x'.repeat(16_370)}4111111111111111` }) ?? '';
  assert.match(body, /^\{"guid":"\[left out\]"\}/);
});

test('requests: what PostgreSQL does not store is replaced', () => {
  const body = sent('stock.update', { guid: 'a\0b\ud800' }) ?? '';
  assert.equal(body, '{"guid":"a\u{fffd}b\u{fffd}"}');
});

test('requests: a login that failed is found by the client that it claims', () => {
  const failed = (body: unknown) =>
    redact('auth.login', { caller: null, requestBytes: Buffer.from(JSON.stringify(body)) })
      .clientId;
  assert.equal(failed({ clientId: 'abc-1', clientSecret: 'x' }), 'abc-1');
  assert.equal(failed({ clientId: 'not one, surely' }), null);
  assert.equal(failed({ userAccessType: 'A' }), null);
});

test('requests ORD-67: only fields of the operation are kept, so that guests stand nowhere', () => {
  const guest = { firstName: 'hidden', phone: 'hidden', notes: 'hidden' };
  const misplaced = { ...guest, name: 'hidden', guest, checks: [{ ...guest, tabName: 'hidden' }] };
  for (const id of ['orders.place', 'orders.void', 'backOffice.orders.fire'] as const) {
    assert.doesNotMatch(sent(id, misplaced) ?? '', /hidden/, id);
  }
  const person = { email: 'ada@example.com', name: 'Ada', surprise: 'hidden' };
  assert.match(sent('backOffice.people.create', person) ?? '', /ada@example.com.*left out/);
  const draft = { name: 'Soup', surprise: 'hidden' };
  assert.match(sent('backOffice.configuration.objects.create', draft) ?? '', /Soup.*left out/);
});
