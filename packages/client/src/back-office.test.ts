import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csrfHeaderName, errorClasses } from '@servery/contract';
import {
  Client,
  claimsOf,
  NoAnswer,
  NotAPlatform,
  PlatformFailed,
  Refused,
  type Request,
  Silence,
} from './back-office.ts';

interface Asked {
  readonly target: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | null;
}

const TOKEN = '/oauth/token';
const account = { clientId: 'one', clientSecret: 'svs_secret' };

/** A client of a platform that answers as the test says, and what was asked of it. */
function platform(
  answer: (asked: Asked, count: number) => Response | Promise<Response>,
  more: Partial<ConstructorParameters<typeof Client>[0]> = {},
) {
  const asked: Asked[] = [];
  const client = new Client({
    ...{ baseUrl: 'http://platform.example', credentials: account, ...more },
    fetch: async (url, init = {}) => {
      const { href } = new URL(String(url));
      const own: Asked = {
        target: href.replace('http://platform.example', ''),
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body: init.body as string | null,
      };
      asked.push(own);
      if (own.target !== TOKEN) return await answer(own, asked.length);
      return Response.json({ access_token: `a.b.${asked.length}`, expires_in: 60 });
    },
  });
  const targets = () => asked.map(({ target }) => target);
  return { client, asked, targets };
}

const refusal = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

test('client: logs in once for all calls, and fills in path, query and body', async () => {
  const { client, asked } = platform(() => Response.json({}));
  const params = { clientId: 'a/b' };
  const body = { label: 'x' };
  await Promise.all([
    client.call('backOffice.clients.addSecret', { params, body }),
    client.call('backOffice.clients.list', { query: { name: 'ä', type: undefined, pageSize: 2 } }),
  ]);
  const [login, ...calls] = asked;
  assert.equal(login?.target, TOKEN);
  assert.equal(login.headers.get('authorization'), `Basic ${btoa('one:svs_secret')}`);
  const [post, get] = calls.toSorted((first) => (first.method === 'POST' ? -1 : 1));
  assert.equal(post?.target, '/backoffice/v1/clients/a%2Fb/secrets');
  assert.equal(post.body, '{"label":"x"}');
  assert.equal(post.headers.get('authorization'), 'Bearer a.b.1');
  assert.equal(get?.target, '/backoffice/v1/clients?name=%C3%A4&pageSize=2');
  assert.equal(get.headers.get('content-type'), null);
});

test('client: replaces a token that expired, once', async () => {
  const answers = [200, 401, 200, 401, 401].map((status) => refusal(status, { message: 'Late.' }));
  const { client, targets } = platform(() => answers.shift() ?? Response.error());
  const clock = '/backoffice/v1/clock';
  await client.call('backOffice.clock.get');
  await client.call('backOffice.clock.get');
  await assert.rejects(client.call('backOffice.clock.get'), { status: 401 });
  assert.deepEqual(targets(), [TOKEN, clock, clock, TOKEN, clock, clock, TOKEN, clock]);
});

test('client: a session sends its cookie, and proves that a change was meant', async () => {
  const credentials = { cookie: 'session=1.2', csrfToken: 'csrf' };
  const { client, asked } = platform(() => Response.json({}), { credentials });
  await client.call('backOffice.clock.get');
  await client.call('backOffice.clock.freeze');
  assert.deepEqual(
    asked.map(({ headers }) => [headers.get('cookie'), headers.get('x-csrf-token')]),
    [
      ['session=1.2', null],
      ['session=1.2', 'csrf'],
    ],
  );
  await assert.rejects(client.token(), /has no token/);
});

test('client: reads pages up to a limit, and says whether there is more', async () => {
  const { client, targets } = platform(({ target }) => {
    const isSecond = target.includes('pageToken=2');
    return Response.json({
      results: isSecond ? [3, 4] : [1, 2],
      nextPageToken: isSecond ? null : '2',
    });
  });
  const read = (limit: number) => client.list('backOffice.alarms.list', {}, limit);
  assert.deepEqual(await read(2), { results: [1, 2], hasMore: true });
  assert.deepEqual(await read(3), { results: [1, 2, 3], hasMore: true });
  assert.deepEqual(await read(500), { results: [1, 2, 3, 4], hasMore: false });
  assert.ok(targets().includes('/backoffice/v1/alarms?pageSize=200&pageToken=2'));
});

test('client: reads the reason in every shape of error', async () => {
  const shapes: readonly (readonly [object, string])[] = [
    [{ message: 'One.', error: 'x' }, 'One.'],
    [{ error: 'invalid_client', error_description: 'Two.' }, 'Two.'],
    [{ description: 'Three.' }, 'Three.'],
    [{ error: 'four' }, 'four'],
  ];
  for (const [body, reason] of shapes) {
    const { client } = platform(() => refusal(422, body));
    await assert.rejects(client.call('backOffice.clock.get'), { name: 'Refused', message: reason });
  }
  const errors = [{ message: 'a: is missing' }, { code: 7, message: 'b: is wrong' }, {}];
  const headers = { 'Acme-Request-ID': 'r-1' };
  const { client } = platform(() => refusal(400, { code: 5, message: 'Wrong.', errors }, headers));
  await assert.rejects(client.call('backOffice.clock.set', { body: {} }), (error) => {
    assert.ok(error instanceof Refused);
    assert.deepEqual(error.faults, [
      { code: null, message: 'a: is missing' },
      { code: 7, message: 'b: is wrong' },
    ]);
    assert.equal(error.code, 5);
    assert.deepEqual([error.operation, error.requestId], ['backOffice.clock.set', 'r-1']);
    return client.brand === 'acme';
  });
});

test('client: tells failures, other servers, and wrong paths apart', async () => {
  const rejects = async (answer: Response, kind: new (...given: never[]) => Error) => {
    const { client } = platform(() => answer);
    await assert.rejects(client.call('backOffice.clock.get'), kind);
  };
  await rejects(refusal(503, { message: 'Stopping.' }), PlatformFailed);
  await rejects(new Response('<html>'), NotAPlatform);
  await rejects(new Response('<html>', { status: 502 }), NotAPlatform);
  await rejects(new Response(null, { status: 302, headers: { location: '/' } }), NotAPlatform);
  const below = { code: errorClasses.unknownPrefix.code, message: 'No interface answers here.' };
  const { client } = platform(() => refusal(404, below));
  await assert.rejects(client.call('backOffice.clock.get'), { isPathWrong: true });
  for (const [body, isPathWrong] of [
    [{ message: 'There is no token.' }, true],
    [{ error: 'invalid_client' }, false],
  ] as const) {
    const client = new Client({
      ...{ baseUrl: 'http://platform.example/below', credentials: account },
      fetch: async () => refusal(401, body),
    });
    await assert.rejects(
      client.call('backOffice.clock.get'),
      (error) => (error instanceof NotAPlatform && error.isPathWrong) === isPathWrong,
    );
  }
});

test('client: says whether a lost answer may have changed something', async () => {
  const { client } = platform(() => Promise.reject(new TypeError('fetch failed')));
  const lost = async (asked: Promise<unknown>, isOutcomeUnknown: boolean) =>
    await assert.rejects(
      asked,
      (error) => error instanceof NoAnswer && error.isOutcomeUnknown === isOutcomeUnknown,
    );
  await lost(client.call('backOffice.clock.get'), false);
  await lost(client.call('backOffice.clock.freeze'), true);
  await lost(client.call('backOffice.sessions.begin', { body: {} }), false);
  const reason = new Error('stopped');
  const ending = new AbortController();
  const stopped = platform(() => Promise.reject(ending.abort(reason)), { signal: ending.signal });
  await lost(stopped.client.call('backOffice.clock.freeze'), true);
  await assert.rejects(stopped.client.call('backOffice.clock.get'), reason);
});

test('client: ends a request in which nothing arrives for its time, and no other one', async () => {
  interface Wait {
    readonly durationMs: number;
    readonly run: () => void;
  }
  const waits = new Set<Wait>();
  let begun = Promise.withResolvers<Wait>();
  const after = (durationMs: number, run: () => void) => {
    const own = { durationMs, run };
    waits.add(own);
    begun.resolve(own);
    begun = Promise.withResolvers<Wait>();
    return () => waits.delete(own);
  };
  const credentials = { accessToken: 'a.b.c' };
  const isSilence =
    (limitMs: number) =>
    ({ cause }: Error) =>
      cause instanceof Silence && cause.durationMs === limitMs && waits.size === 0;

  const dead = platform(() => new Promise<Response>(() => {}), { after, credentials }).client;
  for (const [ask, limitMs] of [
    [() => dead.call('backOffice.clock.get'), 60_000],
    [() => dead.call('backOffice.sandboxes.create', { body: { from: {} } }), 300_000],
  ] as const) {
    const next = begun.promise;
    const lost = assert.rejects(ask(), isSilence(limitMs));
    (await next).run();
    await lost;
  }

  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const slow = platform(() => new Response(body.readable), { after, credentials }).client;
  const lost = assert.rejects(slow.call('backOffice.clock.get'), isSilence(60_000));
  // The time begins again with each piece.
  for (const piece of ['{"mode":', '"FROZEN"']) {
    const next = begun.promise;
    await writer.write(new TextEncoder().encode(piece));
    await next;
    assert.equal(waits.size, 1);
  }
  for (const { run } of waits) run();
  await lost;
});

test('client: gives the lines of a stream as they come', async () => {
  const stream = (request?: Request) => {
    const { client } = platform(() => new Response('id: 1\r\ndata: ä\n\nlast'));
    return Array.fromAsync(client.lines('backOffice.requests.stream', request));
  };
  assert.deepEqual(await stream(), ['id: 1', 'data: ä', '', 'last']);
  const refused = platform(() => refusal(403, { message: 'No.' })).client;
  await assert.rejects(Array.fromAsync(refused.lines('backOffice.audit.export')), Refused);
});

test('client: reads what a token says of itself', () => {
  const claims = btoa(JSON.stringify({ exp: 5 })).replaceAll('=', '');
  assert.deepEqual(claimsOf({ access_token: `a.${claims}.c`, expires_in: 1 }), { exp: 5 });
  for (const text of ['', 'a.b.c', `a.${btoa('[]')}.c`]) {
    assert.deepEqual(claimsOf({ access_token: text, expires_in: 1 }), {});
  }
});

test('client: names the header that proves a session as the contract does', async () => {
  const names: string[] = [];
  const client = new Client({
    ...{ baseUrl: 'http://platform.example', credentials: { cookie: 'a', csrfToken: 'b' } },
    fetch: async (_url, { headers } = {}) => {
      names.push(...new Headers(headers).keys());
      return Response.json({});
    },
  });
  await client.call('backOffice.clock.freeze');
  assert.ok(names.includes(csrfHeaderName.toLowerCase()), names.join());
});
