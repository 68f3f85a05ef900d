import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { errorClasses } from '@servery/contract';
import { header } from './answer.ts';
import { type CallOptions, DemoCallers } from './client.ts';
import { archivedRestaurant, openRestaurants } from './fixtures.ts';
import { expectedOperation, expectedOperations } from './operations.ts';
import { cardWithOutcome, paymentBody } from './payment.ts';
import { platformUnderTest } from './platform.ts';
import { alike, codeOf, messageOf } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const anonymous = callers.anonymous();
const partner = await callers.as('partner');
const reader = await callers.as('readOnly');
const other = await callers.as('other');
const [restaurant, second] = openRestaurants(platform.demo);
const unknown = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';
const tooLarge = `${' '.repeat(1024 * 1024)}{}`;
const text = { 'content-type': 'text/plain' };

/** Calls what the contract does not know, with a token unless told otherwise. */
async function stray(method: string, path: string, status: number, options: CallOptions = {}) {
  const operation = { ...expectedOperation('stock.list'), id: 'unknown path' };
  const answer = await partner.send(operation, { method, path, ...options });
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
  return answer;
}

test('stock.list 400 API-1: an error is an ErrorMessage of nine keys, null where empty', async () => {
  const answer = await partner.call('stock.list', 400);
  const body = answer.json as Record<string, unknown>;
  assert.deepEqual(Object.keys(body).sort(), [
    'code',
    'developerMessage',
    'errors',
    'fieldName',
    'link',
    'message',
    'messageKey',
    'requestId',
    'status',
  ]);
  assert.deepEqual(body.errors, []);
  assert.deepEqual([body.messageKey, body.fieldName], [null, null]);
});

test('creditCards.authorize 400 401 403 405 API-1: ServiceError where declared', async () => {
  const params = { merchantUuid: restaurant, paymentUuid: randomUUID() };
  const shape = async (status: number, options: CallOptions, caller = partner) => {
    const answer = await caller.call('creditCards.authorize', status, { params, ...options });
    const keys = Object.keys(answer.json as object);
    return keys.includes('description') ? 'ServiceError' : 'ErrorMessage';
  };
  assert.equal(await shape(400, { json: {} }), 'ServiceError');
  assert.equal(await shape(400, { restaurant, json: {} }), 'ServiceError');
  assert.equal(await shape(401, { restaurant, token: null }), 'ErrorMessage');
  assert.equal(await shape(403, { restaurant, json: {} }, reader), 'ErrorMessage');
  assert.equal(await shape(405, { restaurant, method: 'DELETE' }), 'ErrorMessage');
  assert.equal(await shape(413, { restaurant, bytes: tooLarge }), 'ErrorMessage');
  assert.equal(await shape(415, { restaurant, bytes: '{}', headers: text }), 'ErrorMessage');
});

test('stock.list 400 401 403 404 405 API-2: one code for each class', async () => {
  const byClass = new Map([
    ['400', await partner.call('stock.list', 400)],
    ['401', await anonymous.call('stock.list', 401)],
    ['404', await stray('GET', '/stock/v1/nothing', 404)],
    ['404 prefix', await stray('GET', '/nothing/v1/at/all', 404)],
    ['403', await other.call('stock.list', 403, { restaurant })],
    ['405', await partner.call('stock.list', 405, { restaurant, method: 'DELETE' })],
    ['415', await partner.call('stock.search', 415, { restaurant, bytes: '{}', headers: text })],
    ['413', await partner.call('stock.search', 413, { restaurant, bytes: tooLarge })],
  ]);
  const codes = [...byClass.values()].map(codeOf);
  assert.deepEqual(codes.slice(0, 4), [10_000, 10_013, 10_003, 10_022]);
  assert.equal(new Set(codes).size, codes.length, `codes are ${codes}`);
});

test('docs.error 200 API-2: the link of an error leads to a page for its code', async () => {
  const answer = await partner.call('stock.list', 400);
  const { link, code } = answer.json as { link: string; code: number };
  const page = await anonymous.call('docs.error', 200, { params: { code: String(code) } });
  assert.equal(new URL(link).pathname, page.path);
  assert.match(String(header(page, 'content-type')), /^text\/html/);
  assert.match(page.text, new RegExp(String(code)));
});

test('docs.error 200 API-2: every code has its page', async () => {
  const codes = Object.values(errorClasses).map(({ code }) => code);
  assert.equal(new Set(codes).size, codes.length);
  assert.ok(!codes.some((code) => Number(code) === 0));
  for (const code of codes) {
    const page = await anonymous.call('docs.error', 200, { params: { code: String(code) } });
    assert.match(page.text, new RegExp(`\\b${code}\\b`));
  }
});

test('docs.error 404 API-2: a code that no error has leads to no page', async () => {
  for (const code of ['0', '99999', 'abc', '<script>alert(1)</script>']) {
    const answer = await anonymous.call('docs.error', 404, { params: { code } });
    const isPage = /html/.test(String(header(answer, 'content-type')));
    assert.ok(!isPage || !answer.text.includes('<script>'), 'the code is escaped');
  }
});

test('docs.index 200: the base address tells anybody where everything is', async () => {
  const page = await anonymous.call('docs.index', 200, {});
  assert.match(String(header(page, 'content-type')), /^text\/html/);
  assert.match(String(header(page, 'content-security-policy')), /default-src 'none'/);
  for (const prefix of [
    '/ccpartner/v1',
    '/stock',
    '/config/v2',
    '/partners/v1',
    '/menus/v2',
    '/orders/v2',
    '/backoffice/v1',
  ]) {
    assert.ok(page.text.includes(`<code>${prefix}</code>`), prefix);
  }
  assert.ok(page.text.includes('POST /authentication/v1/authentication/login'));
  const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => new URL(href));
  const paths = links.map(({ pathname }) => pathname);
  const documents = paths.filter((path) => path.startsWith('/openapi/'));
  const others = paths.filter((path) => !documents.includes(path));
  assert.deepEqual(others, [
    ...['/console/', '/reference', '/.well-known/oauth-authorization-server', '/llms.txt'],
    ...['/healthz', '/readyz'],
  ]);
  assert.equal(documents.length, 11);
  for (const path of documents) {
    const params = { file: path.slice('/openapi/'.length) };
    const document = (await anonymous.call('docs.openapi', 200, { params })).json;
    assert.match(String((document as { openapi: string }).openapi), /^3\.1\./, path);
  }
  const secrets = Object.values(platform.demo.clients).flatMap(({ clientId, clientSecret }) => [
    clientId,
    clientSecret,
  ]);
  for (const secret of secrets) assert.ok(!page.text.includes(secret), 'the page is public');
});

test('docs.llms 200: a text in the format of llms.txt leads to pages and documents that exist', async () => {
  const { text } = await anonymous.call('docs.llms', 200, {});
  assert.match(text, /^# \S.*\n\n> \S/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, link = '']) => link);
  assert.ok(links.length > 20, text);
  for (const link of links) {
    const [, kind, name = ''] = new URL(link).pathname.split('/');
    if (kind === 'openapi') await anonymous.call('docs.openapi', 200, { params: { file: name } });
    else await anonymous.call('docs.referencePage', 200, { params: { page: name } });
  }
});

test('docs.index 405: the base address is read, and takes nothing', async () => {
  const answer = await anonymous.call('docs.index', 405, { method: 'POST' });
  assert.equal(header(answer, 'allow'), 'GET, HEAD');
});

test('stock.list 200 API-3: every answer has a request id of its own', async () => {
  const name = `${platform.brand}-Request-ID`;
  const ids = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    const given = { [name]: 'chosen-by-the-client' };
    const answer = await partner.call('stock.list', 200, { restaurant, headers: given });
    ids.add(String(header(answer, name)));
  }
  assert.equal(ids.size, 5);
});

test('stock.list 200 400 API-3: traceparent is carried through', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const options = { restaurant, headers };
  const answer = await partner.call('stock.list', 200, options);
  assert.match(String(header(answer, 'traceparent')), new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  const refused = await partner.call('stock.list', 400, { headers });
  assert.match(String(header(refused, 'traceparent')), new RegExp(trace));
  const broken = ['00', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'ff-x-y-z', '"', 'é'];
  for (const traceparent of broken) {
    await partner.call('stock.list', 200, { restaurant, headers: { traceparent } });
  }
});

test('stock.list 403 API-4: a refusal says what to do', async () => {
  const stranger = await other.call('stock.list', 403, { restaurant });
  assert.match(messageOf(stranger), /restaurant/i);
  assert.match(messageOf(stranger), /connect/i);
  const missing = await partner.call('stock.list', 400);
  assert.match(messageOf(missing), new RegExp(`${platform.brand}-Restaurant-External-ID`, 'i'));
});

test('stock.list 403 API-4 API-6: unknown and not connected are alike', async () => {
  const notGranted = await other.call('stock.list', 403, { restaurant });
  const unknownOne = await other.call('stock.list', 403, { restaurant: unknown });
  alike(unknownOne, notGranted);
  const archived = archivedRestaurant(platform.demo);
  alike(await other.call('stock.list', 403, { restaurant: archived }), notGranted);
});

test('stock.list 401 404 API-5: the token is looked at before the path', async () => {
  await stray('GET', '/stock/v1/nothing', 401, { token: null });
  await stray('GET', '/nothing', 401, { token: null });
  await stray('GET', '/stock/v1/nothing', 404);
  await stray('DELETE', '/stock/v1/inventory', 401, { token: null });
});

test('stock.list 404 405 API-5: path and method are looked at before the restaurant', async () => {
  const answer = await stray('GET', '/stock/v1/nothing', 404);
  assert.equal(codeOf(answer), 10_003);
  await partner.call('stock.list', 405, { method: 'PATCH' });
});

test('stock.update 400 403 API-5: header, restaurant, scope', async () => {
  await reader.call('stock.update', 400, { json: [] });
  await reader.call('stock.update', 400, { restaurant: 'not-a-guid', json: [] });
  const unreachable = await reader.call('stock.update', 403, { restaurant: unknown, json: [] });
  assert.doesNotMatch(messageOf(unreachable), /stock:write/);
  const scopeless = await reader.call('stock.update', 403, { restaurant, json: [] });
  assert.match(messageOf(scopeless), /stock:write/);
});

test('stock.update 403 415 413 400 API-5: scope, type, size, content', async () => {
  const update = (status: number, options: CallOptions, caller = partner) =>
    caller.call('stock.update', status, { restaurant, ...options });
  await update(403, { bytes: '{', headers: text }, reader);
  await update(403, { bytes: tooLarge }, reader);
  await update(415, { bytes: tooLarge, headers: text });
  await update(413, { bytes: `${' '.repeat(1024 * 1024)}{{{` });
  await update(400, { bytes: '{{{' });
});

test('stock.search 415 API-5: only JSON is taken', async () => {
  const types = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'json'];
  for (const type of [...types, 'application/jsonp', 'text/json', 'multipart/form-data']) {
    const headers = { 'content-type': type };
    const answer = await partner.call('stock.search', 415, { restaurant, bytes: '{}', headers });
    assert.match(messageOf(answer), /application\/json/);
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;']) {
    const options = { restaurant, bytes: '{"guids":[]}', headers: { 'content-type': type } };
    await partner.call('stock.search', 200, options);
  }
});

test('stock.list 400 API-6: the restaurant header is one GUID', async () => {
  const bad = ['', ' ', 'abc', `${restaurant}0`, `{${restaurant}}`, `${restaurant},${restaurant}`];
  for (const value of bad) {
    const answer = await partner.call('stock.list', 400, { restaurant: value });
    assert.equal(codeOf(answer), 10_000);
  }
});

test('stock.list 200 API-6: a GUID is the same in capitals', async () => {
  // The second: no other file of a run changes its stock in between.
  const small = await partner.call('stock.list', 200, { restaurant: second });
  const capitals = await partner.call('stock.list', 200, { restaurant: second.toUpperCase() });
  assert.deepEqual(capitals.json, small.json);
});

test('creditCards.authorize 200 API-6: path and header may differ in capitals', async () => {
  await partner.call('creditCards.authorize', 200, {
    params: { merchantUuid: restaurant.toUpperCase(), paymentUuid: randomUUID() },
    restaurant,
    json: await paymentBody(platform.demo),
  });
});

test('creditCards.authorize 400 404 403 API-6: the path is looked at first', async () => {
  const call = (status: number, merchantUuid: string, named: string, caller = partner) =>
    caller.call('creditCards.authorize', status, {
      params: { merchantUuid, paymentUuid: randomUUID() },
      restaurant: named,
      json: {},
    });
  const different = await call(400, unknown, restaurant);
  assert.match(messageOf(different), /merchantUuid/);
  await call(400, second, restaurant);
  const nowhere = await call(404, unknown, unknown);
  assert.ok('description' in (nowhere.json as object), 'a ServiceError');
  const notGranted = await call(403, restaurant, restaurant, other);
  assert.ok('message' in (notGranted.json as object), 'an ErrorMessage');
});

test('stock.list 405 API-5: a wrong method is answered with the methods that are there', async () => {
  for (const [id, allowed, wrong] of [
    ['stock.list', 'GET', 'POST'],
    ['stock.search', 'POST', 'GET'],
    ['stock.update', 'PUT', 'POST'],
    ['partners.restaurants.list', 'GET', 'PUT'],
  ] as const) {
    const answer = await partner.call(id, 405, { restaurant, method: wrong });
    const methods = String(header(answer, 'allow')).split(/\s*,\s*/);
    assert.ok(methods.includes(allowed) && !methods.includes(wrong), `Allow: ${methods}`);
  }
});

test('stock.list 200 API-7: the rate limit headers are on every answer but login', async () => {
  const prefix = `X-${platform.brand}-RateLimit-`;
  const login = await anonymous.call('auth.login', 400, { json: {} });
  assert.equal(header(login, `${prefix}Remaining`), undefined);
  // The client demands them on every other answer: what is checked here is that they count.
  const remaining = async () =>
    Number(header(await partner.call('stock.list', 200, { restaurant }), `${prefix}Remaining`));
  const counts = [await remaining(), await remaining()];
  // Between two of them the window may end: where a process was held, again and again.
  while (counts.length < 50 && Number(counts.at(-1)) >= Number(counts.at(-2))) {
    counts.push(await remaining());
  }
  const [before, last] = counts.slice(-2);
  assert.ok(Number(last) < Number(before), `${prefix}Remaining was ${counts}`);
});

test('configuration.menus.list 200 400 API-8: the accepted forms of a timestamp', async () => {
  const list = (status: number, query: string) =>
    partner.call('configuration.menus.list', status, { restaurant, query });
  const zones = ['Z', '%2B0000', '-0000', '%2B00:00', '%2B00%3A00', '+0000', '+00:00', '%200000'];
  for (const time of [
    '2020-02-29T23:59:59',
    '2020-01-01T00:00:00.5',
    '2020-01-01T00:00:00.123456',
  ]) {
    for (const zone of zones) await list(200, `lastModified=${time}${zone}`);
  }
  const wrong = ['2020-01-01', '2020-01-01T00:00:00', '2020-02-30T00:00:00Z', '1577836800000'];
  wrong.push('2020-01-01T24:00:00Z', '2020-01-01%2000:00:00Z', 'yesterday', '2020-01-01T00:00Z');
  wrong.push('2020-01-01T00:00:00.Z', '2020-01-01T00:00:00%2B0200', '2020-13-01T00:00:00Z');
  for (const value of [...wrong, '%00', 'Z', '-2020-01-01T00:00:00Z']) {
    const answer = await list(400, `lastModified=${value}`);
    assert.match(messageOf(answer), /lastModified/, `the message for ${value}`);
  }
});

test('partners.restaurants.list 200 400 API-8: partners also take a bare date', async () => {
  const list = (status: number, value: string) =>
    partner.call('partners.restaurants.list', status, { query: `lastModified=${value}` });
  for (const value of ['2020-02-29', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000%2B0000']) {
    await list(200, value);
  }
  for (const value of ['2021-02-29', '2020-1-1', '20200101', '2020-01-01T', '1577836800000']) {
    await list(400, value);
  }
});

test('stock.search 200 API-9: unknown query parameters and properties are ignored', async () => {
  const query = { surprise: 'yes', status: 'ignored here' };
  const json = { guids: [], surprise: { deep: [1, { constructor: 'x' }] }, toString: 'x' };
  const answer = await partner.call('stock.search', 200, { restaurant, query, json });
  assert.deepEqual(answer.json, []);
});

test('creditCards.authorize 200 API-9: unknown properties are ignored at every depth', async () => {
  const card = cardWithOutcome(platform.demo, 'AUTHORIZED');
  const body = await paymentBody(platform.demo, { card, cardData: { surprise: 1 } as object });
  const { requestMetadata } = body;
  requestMetadata.surprise = true;
  requestMetadata.billingAddress.surprise = 7;
  requestMetadata.partnerServiceInfo.surprise = [];
  await partner.call('creditCards.authorize', 200, {
    params: { merchantUuid: restaurant, paymentUuid: randomUUID() },
    query: { surprise: 1 },
    restaurant,
    json: { ...body, surprise: null },
  });
});

test('stock.search 200 413 API-9: a body of 1 MiB is taken, one byte more is not', async () => {
  const padded = (length: number) => `{"guids":[]}`.padEnd(length, ' ');
  const send = (status: number, bytes: string) =>
    partner.call('stock.search', status, { restaurant, bytes });
  await send(200, padded(1024 * 1024));
  await send(413, padded(1024 * 1024 + 1));
});

const jsonOperations = expectedOperations.filter(
  ({ id, method }) => method !== 'GET' && /^(stock|creditCards)\./.test(id),
);

test('stock.search stock.update creditCards.authorize 400 API-9: hostile JSON', async () => {
  const depth = (levels: number) => '['.repeat(levels - 1) + ']'.repeat(levels - 1);
  const hostile: Readonly<Record<string, string>> = {
    'too deep': `{"x":${depth(34)}}`,
    'far too deep': '['.repeat(100_000),
    'a duplicate key': '{"guids":[],"guids":[]}',
    'a duplicate key in an escape': '{"guids":[],"g\\u0075ids":[]}',
    'a nested duplicate key': '{"guids":[],"x":{"a":1,"a":2}}',
    __proto__: '{"guids":[],"__proto__":{"polluted":true}}',
    'a hidden __proto__': '{"guids":[],"\\u005f_proto__":{"polluted":true}}',
    'NUL in a string': '{"guids":[],"x":"a\\u0000b"}',
    'NUL in a key': '{"guids":[],"a\\u0000b":1}',
    'a raw NUL': '{"guids":[],"x":"a\u0000b"}',
    'a huge number': '{"guids":[],"x":1e999}',
    'a huge negative number': '{"guids":[],"x":-1e999}',
    'more digits than a double has': '{"guids":[],"x":123456789012345678901}',
    'trailing text': '{"guids":[]} {}',
    'a comment': '{"guids":[]/* */}',
    'single quotes': "{'guids':[]}",
    NaN: '{"guids":[],"x":NaN}',
    nothing: '',
  };
  for (const operation of jsonOperations) {
    const params = { merchantUuid: restaurant, paymentUuid: randomUUID() };
    for (const [name, bytes] of Object.entries(hostile)) {
      const answer = await partner.send(operation, { restaurant, params, bytes });
      assert.equal(answer.status, 400, `${operation.id} with ${name}: ${answer.text}`);
    }
  }
});

test('stock.search 200 API-9: 32 levels are deep enough to be allowed', async () => {
  const bytes = `{"guids":[],"x":${'['.repeat(31)}${']'.repeat(31)}}`;
  await partner.call('stock.search', 200, { restaurant, bytes });
  const deeper = `{"guids":[],"x":${'['.repeat(32)}${']'.repeat(32)}}`;
  const answer = await partner.call('stock.search', 400, { restaurant, bytes: deeper });
  assert.match(messageOf(answer), /32/);
});
