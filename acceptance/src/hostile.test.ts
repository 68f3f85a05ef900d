import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type CallOptions, DemoCallers, logIn } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { expectedOperation } from './operations.ts';
import { platformUnderTest } from './platform.ts';
import { type RawAnswer, rawRequest, sendRaw } from './raw.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const token = await logIn(platform, platform.demo.clients.partner);
const [restaurant] = openRestaurants(platform.demo);
const authorization = `Authorization: Bearer ${token}`;
const named = `${platform.brand}-Restaurant-External-ID: ${restaurant}`;
const json = 'Content-Type: application/json';
const put = 'PUT /stock/v1/inventory/update';

/** The platform still serves: asked after each wave of hostility. */
async function stillServes(): Promise<void> {
  await callers.anonymous().call('health.live', 200);
  await callers.anonymous().call('health.ready', 200);
  await partner.call('stock.list', 200, { restaurant });
}

/** Refused by HTTP (4xx), or closed without an answer: never served, never a 5xx, never a hang. */
function refused(what: string, answer: RawAnswer): void {
  const { status, hung } = answer;
  assert.ok(!hung, `${what}: nothing closed the connection`);
  const fine = status === null || (status >= 400 && status < 500);
  assert.ok(fine, `${what} was answered by ${status}: ${answer.text.slice(0, 200)}`);
}

const search = (options: CallOptions) =>
  partner.send(expectedOperation('stock.search'), { restaurant, ...options });

test('stock.search 400 413 415 API-9: hostile bodies are refused in the error shape', async () => {
  const invalidUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
  const utf16 = Buffer.from('{"guids":[]}', 'utf16le');
  const bodies: Readonly<Record<string, string | Buffer>> = {
    'invalid UTF-8': invalidUtf8,
    'an overlong NUL': Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xc0, 0x80]),
      Buffer.from('"}'),
    ]),
    'UTF-16': utf16,
    'a hundred thousand brackets': '['.repeat(100_000),
    'a hundred thousand objects': '{"a":'.repeat(100_000),
    'a number of a million digits': `{"guids":[],"x":${'9'.repeat(1_000_000)}}`,
    'a huge exponent': '{"guids":[],"x":1e400000}',
    'only a NUL': '\u0000',
    'bytes of a gzip': gzipSync('{"guids":[]}'),
    HTML: '<html></html>',
  };
  for (const [name, bytes] of Object.entries(bodies)) {
    const { status, text } = await search({ bytes });
    assert.equal(status, 400, `${name}: ${status} ${text.slice(0, 200)}`);
  }
  const mark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"guids":[]}')]);
  assert.ok([200, 400].includes((await search({ bytes: mark })).status), 'a byte order mark');
  await stillServes();
});

test('stock.search 415: a coded request body is not unpacked', async () => {
  const packed = gzipSync('{"guids":[]}');
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  for (const bytes of [packed, packed.subarray(0, 10), Buffer.from('{"guids":[]}'), bomb]) {
    for (const coding of ['gzip', 'br', 'zstd', 'x-none']) {
      const { status } = await search({ bytes, headers: { 'content-encoding': coding } });
      assert.ok([400, 415].includes(status), `${coding}: ${status}`);
    }
  }
  await stillServes();
});

test('stock.search 200 API-9: names that JavaScript knows are only names', async () => {
  const bytes =
    '{"guids":[],"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":7,"then":1}';
  const { status } = await search({ bytes });
  assert.equal(status, 200);
  const answer = await partner.call('stock.list', 200, { restaurant });
  assert.ok(!answer.text.includes('polluted'));
});

test('stock.search stock.update 200 400: texts that attack are only texts', async () => {
  const texts = ["'; drop table stock; --", "' or '1'='1", '{{7*7}}', '<script>alert(1)</script>'];
  const odd = ['\u202e', '🙂'.repeat(50), '\ud800', 'é', '%00', '\\u0000', 'a'.repeat(100_000)];
  for (const text of [...texts, ...odd]) {
    const found = await search({ json: { multiLocationIds: [text] } });
    assert.ok([200, 400].includes(found.status), `${text.slice(0, 30)}: ${found.status}`);
    const updated = await partner.send(expectedOperation('stock.update'), {
      restaurant,
      json: [{ multiLocationId: text, status: 'IN_STOCK' }],
    });
    assert.ok([200, 400].includes(updated.status), `${text.slice(0, 30)}: ${updated.status}`);
  }
  await stillServes();
});

test('configuration.menus.list 200 400: hostile query values are shaped refusals', async () => {
  const values = [
    '%',
    '%zz',
    '%00',
    '%ff%fe',
    '%c0%80',
    '[]',
    '{}',
    "'",
    '%F0%9F%99%82',
    '&&&',
    '=',
  ];
  const names = ['pageToken', 'lastModified', '__proto__', 'constructor', 'pageToken[]', '%00', ''];
  for (const name of names) {
    for (const value of values) {
      const answer = await partner.send(expectedOperation('configuration.menus.list'), {
        restaurant,
        query: `${name}=${value}`,
      });
      assert.ok([200, 400].includes(answer.status), `${name}=${value}: ${answer.status}`);
    }
  }
  const twice = await partner.send(expectedOperation('configuration.menus.list'), {
    restaurant,
    query: 'pageToken=x&pageToken=y',
  });
  assert.equal(twice.status, 400);
  await stillServes();
});

test('configuration.menus.list 200 400 431: very many and very long query parameters', async () => {
  for (const query of [
    'a=1&'.repeat(2000),
    `a=${'b'.repeat(8000)}`,
    `pageToken=${'x'.repeat(9000)}`,
  ]) {
    const operation = expectedOperation('configuration.menus.list');
    const answer = await partner.send(operation, { restaurant, query });
    assert.ok([200, 400, 414].includes(answer.status), `${answer.status}`);
  }
  for (const length of [20_000, 100_000]) {
    const line = `GET /config/v2/menus?a=${'b'.repeat(length)}`;
    refused(
      `a URL of ${length}`,
      await sendRaw(platform, rawRequest(line, [authorization, named])),
    );
  }
  await stillServes();
});

test('configuration.menus.get 404: tricks with the path reach nothing', async () => {
  const unknown = randomUUID();
  const paths = [
    '/config/v2/menus/..%2f..%2fstock%2fv1%2finventory',
    `/config/v2/menus/${unknown}%2f..`,
    '/config/v2/menus/%2e%2e/menus',
    '/config/v2/../../etc/passwd',
    '/config/v2/..;/menus',
    '/config//v2/menus',
    '//config/v2/menus',
    '/config/v2/menus/',
    '/config/v2/menus%00',
    '/config/v2/menus/%00',
    '/config/v2/menus/%ff',
    '/config/v2/menus/%',
    '/config/v2/menus/%zz',
    '/Config/V2/Menus',
    '/config/v2/MENUS',
    '/%63onfig/v2/menus',
    '/config/v2/menu%73',
    '/config/v2/menus#',
    '/config\\v2\\menus',
    '/config/v2/menus;a=b',
    '/config/v2/__proto__',
    '/config/v2/constructor',
    '/config/v2/toString',
    '/errors/../healthz',
    '/.git/config',
    '/.servery/demo.json',
    '*',
    'http://elsewhere.example/config/v2/menus',
  ];
  for (const path of paths) {
    const answer = await sendRaw(platform, rawRequest(`GET ${path}`, [authorization, named]));
    assert.ok(!answer.hung, path);
    const { status } = answer;
    assert.ok(status === null || status < 500, `${path} was answered by ${status}`);
    // A host before the path is as good as the Host header; every other trick is another path.
    assert.equal(status === 200, path.startsWith('http://'), path);
    if (status === 404) assert.match(answer.text, /"code":\d+/, `${path}: ${answer.text}`);
  }
  await stillServes();
});

test('stock.list 401 403 400: hostile header values', async () => {
  const values = ['é', 'a'.repeat(7000), "' or 1=1", '%00', '{{7*7}}', '../..', '\t', '"'];
  for (const value of values) {
    const line = 'GET /stock/v1/inventory';
    const bad = [`${platform.brand}-Restaurant-External-ID: ${value}`, authorization];
    const answer = await sendRaw(platform, rawRequest(line, bad));
    assert.equal(answer.status, 400, `restaurant ${value.slice(0, 20)}: ${answer.text}`);
    const noToken = await sendRaw(
      platform,
      rawRequest(line, [named, `Authorization: Bearer ${value}`]),
    );
    assert.equal(noToken.status, 401, `token ${value.slice(0, 20)}: ${noToken.text}`);
  }
  await stillServes();
});

test('stock.list 400: a repeated header is not guessed at', async () => {
  const other = `${platform.brand}-Restaurant-External-ID: ${randomUUID()}`;
  const line = 'GET /stock/v1/inventory';
  const twice = await sendRaw(platform, rawRequest(line, [authorization, named, other]));
  assert.equal(twice.status, 400, twice.text);
  const second = 'Authorization: Bearer x';
  const tokens = await sendRaw(platform, rawRequest(line, [second, authorization, named]));
  assert.equal(tokens.status, 400, tokens.text);
  const types = await sendRaw(platform, rawRequest(put, [authorization, named, json, json]));
  assert.equal(types.status, 400, types.text);
  const length = ['Content-Length: 2', 'Content-Length: 2'];
  const lengths = await sendRaw(platform, rawRequest(put, [authorization, named, json, ...length]));
  assert.equal(lengths.status, 400, lengths.text);
});

test('stock.list 417 505: what HTTP leaves to no server to guess', async () => {
  const head = [authorization, named];
  const line = 'GET /stock/v1/inventory';
  const tea = await sendRaw(platform, rawRequest(line, [...head, 'Expect: tea']));
  assert.equal(tea.status, 417, tea.text);
  for (const version of ['0.9', '2.0', '3.0']) {
    const request = rawRequest(line, head).replace('HTTP/1.1', `HTTP/${version}`);
    const answer = await sendRaw(platform, request);
    assert.equal(answer.status, 505, `${version}: ${answer.text}`);
    assert.match(answer.text, new RegExp(`${platform.brand}-Request-ID: `, 'i'));
  }
});

test('auth.login 400 401: nothing of a request is put into the headers of the answer', async () => {
  const injected = 'x\r\nSet-Cookie: injected=1\r\n\r\n';
  const bodies = [{ clientId: injected, clientSecret: injected, userAccessType: injected }];
  for (const body of bodies) {
    const answer = await callers.anonymous().send(expectedOperation('auth.login'), { json: body });
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  for (const path of ['/%0d%0aSet-Cookie:%20a=1', '/stock/v1/x%0d%0aSet-Cookie:%20a=1']) {
    const answer = await sendRaw(platform, rawRequest(`GET ${path}`, [authorization]));
    assert.doesNotMatch(answer.text.split('\r\n\r\n')[0] ?? '', /^set-cookie/im);
  }
  const trace = ['traceparent: 00-x\u000bSet-Cookie: a', authorization, named];
  const carried = await sendRaw(platform, rawRequest('GET /stock/v1/inventory', trace));
  assert.doesNotMatch(carried.text.split('\r\n\r\n')[0] ?? '', /^set-cookie/im);
});

test('auth.token auth.introspect auth.revoke 400 401: hostile forms and credentials', async () => {
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const basic = (text: string) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`;
  const bodies = ['client_id=%00&client_secret=%00&grant_type=client_credentials&token=%00'];
  bodies.push('client_id=%zz&token=%', 'token=a&token=b', '&&&===', 'grant_type[]=x&token[a]=b');
  bodies.push(`token=${'x'.repeat(15_000)}`, 'client_id=%ff%fe&client_secret=x&token=x', '\0');
  const headers = [
    form,
    basic('\0:\0'),
    basic('no colon'),
    basic('%zz:%'),
    'Authorization: Basic !!',
  ];
  for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/revoke']) {
    for (const body of bodies) {
      for (const extra of headers) {
        const length = `Content-Length: ${Buffer.byteLength(body)}`;
        const lines = extra === form ? [form, length] : [form, extra, length];
        const answer = await sendRaw(platform, rawRequest(`POST ${path}`, lines, body));
        const where = `${path} ${extra} ${body.slice(0, 40)}: ${answer.text.slice(0, 200)}`;
        assert.ok([400, 401].includes(Number(answer.status)), where);
      }
    }
  }
  await stillServes();
});

test('stock.update 413 API-9: a chunked body over 1 MiB is refused while it comes', async () => {
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const head = rawRequest(put, [authorization, named, json, 'Transfer-Encoding: chunked']);
  const answer = await sendRaw(platform, `${head}${chunk.repeat(17)}0\r\n\r\n`);
  assert.equal(answer.status, 413, answer.text.slice(0, 300));
  const small = await sendRaw(platform, `${head}2\r\n[]\r\n0\r\n\r\n`);
  assert.equal(small.status, 200, small.text.slice(0, 300));
  await stillServes();
});

test('stock.update 413 API-9: a declared length over 1 MiB is refused before it comes', async () => {
  const headers = [authorization, named, json, 'Content-Length: 999999999999'];
  const answer = await sendRaw(platform, rawRequest(put, headers));
  assert.equal(answer.status, 413, answer.text.slice(0, 300));
});

test('health.live 200: garbage on a raw socket is refused and closed', async () => {
  const garbage: Readonly<Record<string, string | Buffer>> = {
    'random bytes': Buffer.from('16030100a1010000', 'hex'),
    'half a line': 'GE\r\n\r\n',
    'a bad method': 'FROB /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'a header without colon': 'GET /healthz HTTP/1.1\r\nHost x\r\n\r\n',
    'a NUL in a header': 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n',
    'blanks before a colon': 'GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n',
    'a folded header': 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
    'two lengths': rawRequest(put, ['Content-Length: 1', 'Content-Length: 2']),
    'length and chunks': rawRequest(put, ['Content-Length: 5', 'Transfer-Encoding: chunked']),
    'a negative length': rawRequest(put, ['Content-Length: -1']),
    'a broken chunk': `${rawRequest(put, ['Transfer-Encoding: chunked'])}zz\r\n`,
    'a huge header': rawRequest('GET /stock/v1/inventory', [`A: ${'b'.repeat(100_000)}`]),
    'many headers': rawRequest(
      'GET /stock/v1/inventory',
      Array.from({ length: 5000 }, (_, index) => `A${index}: b`),
    ),
    CONNECT: 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
  };
  for (const [what, bytes] of Object.entries(garbage))
    refused(what, await sendRaw(platform, bytes));
  await stillServes();
});

test('health.live 200: methods and upgrades that nobody asked for', async () => {
  for (const method of ['OPTIONS', 'TRACE', 'HEAD', 'DELETE', 'PATCH', 'PROPFIND']) {
    const answer = await sendRaw(platform, rawRequest(`${method} /stock/v1/inventory`, [named]));
    assert.ok(!answer.hung && Number(answer.status) < 500, `${method}: ${answer.status}`);
    assert.notEqual(answer.status, 200, `${method} without a token`);
  }
  const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', authorization, named];
  const answer = await sendRaw(platform, rawRequest('GET /stock/v1/inventory', upgrade));
  assert.ok(!answer.hung && Number(answer.status) < 500 && answer.status !== 101);
  await stillServes();
});

test('health.live 200: a caller that hangs up in the middle harms nobody', async () => {
  const { hostname, port } = new URL(platform.baseUrl);
  const halves = Array.from({ length: 50 }, (_, index) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    const head = rawRequest(put, [authorization, named, json, 'Content-Length: 1000']);
    socket.on('connect', () => socket.write(head.slice(0, 20 + index * 5), () => socket.destroy()));
    return new Promise((resolve) => socket.on('close', resolve));
  });
  await Promise.all(halves);
  await stillServes();
});
