import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createApplication } from '../../src/http/edge/application.ts';
import { McpEndpoint } from '../../src/mcp/endpoint.ts';
import { applicationDeps, emptyHandlers } from '../http/application-deps.ts';

const BASE_URL = 'http://127.0.0.1:4400';
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const CLAIMS = btoa(JSON.stringify({ 'https://platform.example/type': 'PARTNER' }));
const open: FastifyInstance[] = [];
after(async () => {
  for (const app of open) await app.close();
});

/** Sends messages to the endpoint of an application without a database. */
async function endpoint(given: Partial<ReturnType<typeof applicationDeps>> = {}) {
  const deps = { ...applicationDeps(), toolServer: new McpEndpoint(), ...given };
  const app = createApplication(deps, emptyHandlers());
  open.push(app);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return async (sent: RequestInit & { headers?: Record<string, string> } = {}, path = '/mcp') => {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer e30.${CLAIMS.replaceAll('=', '')}.x`,
      ...sent.headers,
    };
    const answer = await fetch(url + path, { method: 'POST', body: PING, ...sent, headers });
    const body = (await answer.json()) as { error?: { message: string }; result?: unknown };
    const { status, headers: answered } = answer;
    return { status, headers: answered, message: body.error?.message ?? '', result: body.result };
  };
}

test('mcp: answers a message, and no stream', async () => {
  const send = await endpoint();
  const pong = await send();
  assert.deepEqual([pong.status, pong.result], [200, {}]);
  assert.equal(pong.headers.get('cache-control'), 'no-store');
  const stream = await send({ method: 'GET', body: null });
  assert.deepEqual([stream.status, stream.headers.get('allow')], [405, 'POST']);
});

test('mcp 401: says how to log in, without a token and for one that is refused', async () => {
  const send = await endpoint();
  for (const authorization of ['', 'Basic eA==', 'Bearer ']) {
    const { status, headers, message } = await send({ headers: { authorization } });
    assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer realm="api"']);
    assert.match(message, /Authorization: Bearer .*"servery token"/);
  }
});

test('mcp 403: refuses pages of other origins, whose host name may lead here', async () => {
  const send = await endpoint();
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:5173']) {
    const { status, message } = await send({ headers: { origin, host: 'evil.example' } });
    assert.equal(status, 403, origin);
    assert.match(message, /other origins/);
  }
  assert.equal((await send({ headers: { origin: BASE_URL } })).status, 200);
});

test('mcp: refuses a body that is too long or is no JSON', async () => {
  const send = await endpoint();
  assert.equal((await send({ body: `"${'x'.repeat(1_048_576)}"` })).status, 413);
  assert.equal((await send({ body: '{' })).status, 400);
  assert.equal((await send({ body: '{}' })).status, 400);
});

test('mcp 429: the calls of tools count against the rate limit, as their caller’s', async () => {
  const send = await endpoint({ rateLimits: { perSecond: 2, perQuarterHour: 100 } });
  assert.deepEqual([(await send()).status, (await send()).status], [200, 200]);
  const refused = await send();
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.match(refused.message, /Too many requests for this address/);
});

test('mcp: behind a proxy, the address of the client counts', async () => {
  const send = await endpoint({
    trustedProxies: ['127.0.0.1'],
    rateLimits: { perSecond: 1, perQuarterHour: 100 },
  });
  const from = async (address: string) =>
    (await send({ headers: { 'x-forwarded-for': address } })).status;
  assert.deepEqual(
    [await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')],
    [200, 429, 200],
  );
});

test('mcp 404: there is no such path in production', async () => {
  const send = await endpoint({ isSandbox: false });
  const { status } = await send();
  assert.equal(status, 404);
  const inSandbox = await endpoint();
  assert.equal((await inSandbox({}, '/mcpx')).status, 404);
});
