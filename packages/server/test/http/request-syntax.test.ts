import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createApplication } from '../../src/http/edge/application.ts';
import { applicationDeps, emptyHandlers } from './application-deps.ts';

const RESTAURANTS = '/partners/v1/restaurants';
const app = createApplication(applicationDeps(), emptyHandlers());
before(() => app.listen({ host: '127.0.0.1', port: 0 }));
after(() => app.close());

/** Sends a request as it stands, which no HTTP client tidies up, and gives the whole answer. */
async function sendLines(...lines: readonly string[]): Promise<string> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return (await socket.toArray()).join('');
}

test('pipeline 400 417 505 API-1 API-3 API-9: what HTTP forbids is refused as all else is', async () => {
  const ask = (version: string, ...headers: readonly string[]) =>
    sendLines(`GET ${RESTAURANTS} HTTP/${version}`, ...headers);
  const shaped = (status: number) =>
    new RegExp(`^HTTP/1\\.1 ${status} .*acme-request-id: .*"code":\\d+.*"requestId":"`, 'is');
  assert.match(await ask('1.1', 'Host: a'), /^HTTP\/1\.1 200 /);
  assert.match(await ask('1.1'), shaped(400));
  assert.match(await ask('1.1', 'Host: a', 'Authorization: b', 'authorization: b'), shaped(400));
  assert.match(await ask('1.1', 'Host: a', 'Content-Length: 0', 'Content-Length: 0'), shaped(400));
  assert.match(await ask('1.1', 'Host: a', 'Expect: tea'), shaped(417));
  for (const version of ['0.9', '2.0', '1.2', '3.0']) {
    assert.match(await ask(version, 'Host: a'), shaped(505), version);
  }
  assert.match(await sendLines('PRI * HTTP/2.0'), shaped(505), 'the preface of HTTP/2');
});

test('pipeline 404 405 API-9: a path is found in the one spelling of the contract', async () => {
  const ask = (method: string, target: string) =>
    sendLines(`${method} ${target} HTTP/1.1`, 'Host: a');
  const found = [
    RESTAURANTS,
    `${RESTAURANTS}?%6castModified=`,
    `http://other.example${RESTAURANTS}`,
    '/errors/10000',
    '/errors/%31000%30',
  ];
  for (const target of found) assert.match(await ask('GET', target), /^HTTP\/1\.1 200 /, target);
  const lost = [
    '/%70artners/v1/restaurants',
    '/partners/v1/restaurant%73',
    '/partners%2fv1/restaurants',
    '/error%73/10000',
    '/partners/./v1/restaurants',
    '/partners/v1/../v1/restaurants',
    '/partners/v1/%2e/restaurants',
    '/partners//v1/restaurants',
    '//partners/v1/restaurants',
    '/partners/v1/restaurants/',
    '/partners\\v1\\restaurants',
    '/partners/v1/restaurants;a=b',
    '/partners;a=b/v1/restaurants',
    '/partners/v1/restaurants%00',
    '/partners/v1/restaurants#a',
    '/errors/10000#a',
    `${RESTAURANTS}?a=b#c`,
    '/PARTNERS/v1/restaurants',
    'ftp://other.example/partners/v1/restaurants',
    '*',
  ];
  for (const target of lost) assert.match(await ask('GET', target), /^HTTP\/1\.1 404 /, target);
  const wrong = await ask('PUT', `http://other.example${RESTAURANTS}`);
  assert.match(wrong, /^HTTP\/1\.1 405 .*allow: GET, HEAD/is);
});
