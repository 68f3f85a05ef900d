import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { operations } from '@servery/contract';
import { makeSql, type Row, type Rows } from '@servery/postgres/sql.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { refuseTouching, withTouching } from '../../src/database/sql.ts';
import { Cache } from '../../src/freshness/cache.ts';
import { Freshness, stampOf } from '../../src/freshness/freshness.ts';
import { bucketOf } from '../../src/freshness/subjects.ts';
import { createApplication, createTlsListener } from '../../src/http/edge/application.ts';
import { developmentCertificate } from '../../src/http/edge/tls.ts';
import { Answers, cachedAnswer, renewableAnswer } from '../../src/http/fast/cached-answer.ts';
import { ReadyBody } from '../../src/http/fast/ready-body.ts';
import { ReadyPath, type ReadyRequest, requestBytes } from '../../src/http/fast/ready-path.ts';
import type {
  Answer,
  OperationHandlers,
  Principal,
  RestaurantRequest,
} from '../../src/http/operation.ts';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import type { Exchange } from '../../src/http/pipeline/pipeline.ts';
import {
  type Count,
  MemoryRateCounter,
  type RateCounter,
  type WindowCounts,
} from '../../src/http/pipeline/rate-limit.ts';

const noSql = withTouching(
  makeSql(async () => assert.fail('nothing here reads')),
  refuseTouching,
);

const OWN = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const NOW_MS = Date.UTC(2026, 0, 31, 12);
const ITEMS = '/config/v2/menuItems';

const large = Array.from({ length: 100 }, (_, n) => ({ name: `Crème brûlée ${n}` }));
const bodies: Record<string, Answer> = {
  large: { json: large },
  page: { json: large, headers: { 'Platform-Next-Page-Token': 'next' } },
  small: { json: [{ name: 'Soup' }] },
  'of no object': { json: [] },
};

interface FixtureOptions {
  readonly counter?: RateCounter;
  readonly perSecond?: number;
  readonly trustedProxies?: readonly string[];
  readonly answerBytes?: number;
  /** What the handlers do instead of answering from memory. */
  readonly handle?: (fixture: Fixture, request: RestaurantRequest) => Promise<Answer>;
}

interface Fixture {
  readonly port: number;
  readonly app: ReturnType<typeof createApplication>;
  readonly clock: FixedClock;
  readonly freshness: Freshness;
  readonly caches: ReturnType<typeof makeCaches>;
  readonly finished: FinishedRequest[];
  /** The keys of the budgets that requests were taken from. */
  readonly counted: string[];
  /** How often a request went the whole way, and how often a handler read. */
  readonly times: { whole: number; read: number };
}

/** Connections that are kept, as those who poll keep theirs. */
const kept = { plain: new Agent({ keepAlive: true }), tls: new TlsAgent({ keepAlive: true }) };

const open: Fixture[] = [];
after(async () => {
  for (const agent of Object.values(kept)) agent.destroy();
  for (const { app } of open) await app.close();
});

function makeCaches(freshness: Freshness, maxBytes: number) {
  const bounds = { freshness, maxBytes: 1_000_000 };
  return {
    answers: new Answers({
      freshness,
      maxBytes,
      readAnywhere: (sight, read) => read(noSql, sight),
    }),
    requests: new Cache<ReadyRequest>({ ...bounds, bytesOf: requestBytes }),
  };
}

/** Makes an application that knows all changes for ever, until a test tells of one. */
async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const freshness = new Freshness(() => 0);
  const marks = { raised: null, serverStartedAt: '1.5' };
  await freshness.look(makeSql(async () => [marks] as Row[] as Rows<Row[]>));
  const caches = makeCaches(freshness, options.answerBytes ?? 10_000_000);
  const clock = new FixedClock(NOW_MS);
  const counter = options.counter ?? new MemoryRateCounter();
  const fixture = {
    ...{ clock, freshness, caches, finished: [], counted: [], port: 0 },
    times: { whole: 0, read: 0 },
  } as unknown as { -readonly [Key in keyof Fixture]: Fixture[Key] };
  const silent = () => {};
  const handle = options.handle ?? answerFromMemory;
  const handlers = operations.map(({ id }) => [
    id,
    (one: RestaurantRequest) => handle(fixture, one),
  ]);
  fixture.app = createApplication(
    {
      brand: 'Platform',
      clock,
      realClock: new FixedClock(NOW_MS),
      rateLimits: { perSecond: options.perSecond ?? 100_000, perQuarterHour: 100_000 },
      rateCounter: {
        count(count: Count) {
          fixture.counted.push(count.key);
          return counter.count(count);
        },
      },
      authenticate: async ({ headers: { authorization = '' } }) => {
        fixture.times.whole += 1;
        return {
          clientId: authorization,
          ...{ name: 'Test', type: 'PARTNER', partnerGuid: OWN, managementGroupGuid: null },
          scopes: new Set(operations.flatMap(({ scope }) => scope ?? [])),
          ...{ holdsLegacyCardKey: false, tokenIssuedAtMs: 0, tokenExpiresAtMs: NOW_MS + 1_000 },
        };
      },
      isSandbox: true,
      access: async (_caller, guid) => ({
        outcome: 'granted',
        restaurant: {
          ...{ guid, managementGroupGuid: OWN, timeZone: 'UTC', currencyCode: 'USD' },
          ...{ archived: false, publishNumber: 1 },
        },
      }),
      baseUrl: () => 'http://127.0.0.1:4400',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      trustedProxies: options.trustedProxies ?? [],
      observers: [{ finished: (request) => void fixture.finished.push(request) }],
      attest: (text) => Buffer.from(text),
      cache: { freshness, ...caches },
    },
    Object.fromEntries(handlers) as unknown as OperationHandlers,
  );
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  fixture.port = (fixture.app.server.address() as AddressInfo).port;
  open.push(fixture);
  return fixture;
}

function answerFromMemory(
  fixture: Fixture,
  { operation, restaurant, sentQuery: query }: RestaurantRequest,
) {
  const { guid } = restaurant;
  const parts = [operation.id, guid, query.shape];
  return cachedAnswer(fixture.caches.answers, parts, [`configuration:${guid}`], async () => {
    fixture.times.read += 1;
    return bodies[query.shape ?? 'small'] ?? {};
  });
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly token?: string;
  readonly restaurant?: string;
  readonly body?: string;
  /** To the https listener in place of the plain one. */
  readonly tlsPort?: number;
  /** Over a connection that is closed after it. */
  readonly isLast?: boolean;
}

async function send({ port }: Fixture, url: string, sent: Sent = {}) {
  const { method = 'GET', token = 'Bearer one', restaurant = OWN, tlsPort, body } = sent;
  const request = (tlsPort ? httpsRequest : httpRequest)({
    ...{ host: '127.0.0.1', port: tlsPort ?? port, path: url, method },
    agent: sent.isLast ? false : kept[tlsPort ? 'tls' : 'plain'],
    ...(tlsPort && { rejectUnauthorized: false }),
    headers: {
      authorization: token,
      'platform-restaurant-external-id': restaurant,
      ...sent.headers,
    } as Record<string, string | string[]>,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  const pairs: string[] = [];
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    const [name = '', value] = response.rawHeaders.slice(at, at + 2);
    if (!VARYING.has(name.toLowerCase())) pairs.push(`${name.toLowerCase()}: ${value}`);
  }
  const { statusCode: status, headers } = response;
  return { status, headers, pairs: pairs.sort(), bytes: Buffer.concat(pieces) };
}

const VARYING = new Set(['date', 'platform-request-id', 'x-platform-ratelimit-remaining']);

type Received = Awaited<ReturnType<typeof send>>;

/** What two answers have in common that are one. */
const sameOf = ({ status, pairs, bytes }: Received) => ({ status, pairs, text: String(bytes) });

/** Sends the same twice; the second is answered from memory, and alike in every byte. */
async function assertAlike(fixture: Fixture, url: string, sent: Sent = {}): Promise<Received> {
  const first = await send(fixture, url, sent);
  const { whole, read } = fixture.times;
  const second = await send(fixture, url, sent);
  assert.deepEqual(sameOf(second), sameOf(first));
  assert.deepEqual(fixture.times, { whole, read }, 'the second did not go the whole way');
  assert.notEqual(first.headers['platform-request-id'], second.headers['platform-request-id']);
  return second;
}

const codings = [undefined, 'identity', 'br', 'gzip', 'zstd', 'gzip, br;q=0.5', '*;q=0', 'other'];

describe('ready path: the second answer is the first', () => {
  for (const shape of Object.keys(bodies)) {
    test(`ready path: a body that is ${shape}, in every coding, whole and unchanged`, async () => {
      const fixture = await openFixture();
      const url = `${ITEMS}?shape=${encodeURIComponent(shape)}`;
      const tags = new Set<unknown>();
      for (const coding of codings) {
        const headers = coding === undefined ? {} : { 'accept-encoding': coding };
        const whole = await assertAlike(fixture, url, { headers });
        assert.equal(whole.status, 200);
        const { etag = '' } = whole.headers;
        tags.add(etag);
        for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
          const unchanged = { ...headers, 'if-none-match': known };
          const { status, bytes } = await assertAlike(fixture, url, { headers: unchanged });
          assert.deepEqual([status, bytes.length], [304, 0]);
        }
        const other = { ...headers, 'if-none-match': '"x"' };
        assert.equal((await assertAlike(fixture, url, { headers: other })).status, 200);
        const last = await assertAlike(fixture, url, { headers, isLast: true });
        assert.deepEqual([last.headers.connection, last.bytes], ['close', whole.bytes]);
      }
      assert.equal(tags.size, shape === 'large' || shape === 'page' ? 4 : 1);
      assert.equal(fixture.times.read, 1);
    });
  }

  test('ready path: a traceparent is carried on, each its own', async () => {
    const fixture = await openFixture();
    const trace = (letter: string) => ({
      headers: { traceparent: `00-${letter.repeat(32)}-${'b'.repeat(16)}-01` },
    });
    await send(fixture, ITEMS);
    for (const letter of ['a', 'c']) {
      const { headers } = await send(fixture, ITEMS, trace(letter));
      assert.match(String(headers.traceparent), new RegExp(`^00-${letter.repeat(32)}-`));
    }
    assert.equal((await send(fixture, ITEMS)).headers.traceparent, undefined);
    assert.equal(fixture.times.whole, 1);
  });

  test('ready path: requests that do not wait for each other, and HTTP/1.0', async () => {
    const fixture = await openFixture();
    const urls = ['small', 'page', 'new', 'large', 'small'].map((one) => `${ITEMS}?shape=${one}`);
    for (const url of urls) if (!url.endsWith('new')) await send(fixture, url);
    const account = `Authorization: Bearer one\r\nPlatform-Restaurant-External-ID: ${OWN}\r\n`;
    const head = `Host: here\r\n${account}`;
    const request = (url: string, version: string) => `GET ${url} HTTP/${version}\r\n${head}\r\n`;
    const { whole } = fixture.times;
    const socket = connect(fixture.port, '127.0.0.1');
    const last = urls.map((url) => request(url, '1.1')).join('') + request(urls[0] ?? '', '1.0');
    socket.end(last);
    const pieces: Buffer[] = [];
    for await (const piece of socket) pieces.push(piece as Buffer);
    const answers = Buffer.concat(pieces).toString().split('HTTP/1.1 ').slice(1);
    const starts = answers.map((answer) => answer.split('\r\n\r\n')[1]?.slice(0, 20));
    const [small, large] = ['[{"name":"Soup"}]', '[{"name":"Crème brûl'];
    assert.deepEqual(starts, [small, large, '', large, small, small]);
    const kinds = answers.map((answer) => /^connection: (.*)$/im.exec(answer)?.[1]);
    assert.deepEqual(kinds, [...Array(5).fill('keep-alive'), 'close']);
    for (const answer of answers) assert.match(answer, /^Date: .* GMT\r$/m);
    assert.equal(fixture.times.whole, whole + 1, 'all but one were answered before');
  });

  test('ready path: the https listener answers alike', async () => {
    const fixture = await openFixture();
    const folder = await mkdtemp(join(tmpdir(), 'servery-ready-'));
    const certificate = await developmentCertificate(folder, { nowMs: () => NOW_MS });
    const listener = createTlsListener(fixture.app, certificate).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const tlsPort = (listener.address() as AddressInfo).port;
    const plain = await assertAlike(fixture, ITEMS);
    const { whole } = fixture.times;
    assert.deepEqual(sameOf(await send(fixture, ITEMS, { tlsPort })), sameOf(plain));
    assert.equal(fixture.times.whole, whole, 'what the plain listener has learnt is known here');
    listener.close();
    await rm(folder, { recursive: true });
  });
});

describe('ready path: what is not the same goes the whole way', () => {
  test('ready path: another restaurant, token, spelling, path and query', async () => {
    const fixture = await openFixture();
    const others: [string, Sent][] = [
      [ITEMS, {}],
      [ITEMS, { restaurant: OTHER }],
      [ITEMS, { token: 'Bearer two' }],
      [ITEMS, { token: 'bearer one' }],
      [`${ITEMS}?`, {}],
      [`${ITEMS}?lastModified=`, {}],
      ['/config/v2/menuGroups', {}],
    ];
    for (const [at, [url, sent]] of others.entries()) {
      await send(fixture, url, sent);
      assert.equal(fixture.times.whole, at + 1, url);
    }
    const { whole } = fixture.times;
    for (const token of ['Bearer one', 'Bearer two', 'bearer one']) {
      await send(fixture, ITEMS, { token });
      const caller = fixture.finished.at(-1)?.caller as Principal;
      assert.equal(caller.clientId, token);
    }
    assert.equal(fixture.times.whole, whole);
    const twice = { authorization: ['Bearer one', 'Bearer two'] as never };
    assert.equal((await send(fixture, ITEMS, { headers: twice })).status, 400);
  });

  test('ready path: HEAD, POST and a body on a GET', async () => {
    const fixture = await openFixture();
    const { headers } = await send(fixture, ITEMS);
    const head = await send(fixture, ITEMS, { method: 'HEAD' });
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    assert.equal(head.headers.etag, headers.etag);
    assert.equal((await send(fixture, ITEMS, { method: 'POST' })).status, 405);
    const sized = { headers: { 'content-length': '2' }, body: '{}' };
    assert.equal((await send(fixture, ITEMS, sized)).status, 200);
    const chunked = { headers: { 'transfer-encoding': 'chunked' }, body: '{}' };
    assert.equal((await send(fixture, ITEMS, chunked)).status, 200);
    assert.equal(fixture.times.whole, 5);
    await send(fixture, ITEMS);
    assert.equal(fixture.times.whole, 5, 'none of them has spoilt what was known');
  });

  test('ready path: after a change of the body, the client or the restaurant', async () => {
    const fixture = await openFixture();
    const { freshness, times } = fixture;
    await send(fixture, ITEMS);
    freshness.changed([bucketOf(`configuration:${OWN}`)]);
    await assertAlike(fixture, ITEMS);
    assert.deepEqual(times, { whole: 2, read: 2 });
    for (const subject of ['client:Bearer one', `restaurant:${OWN}`] as const) {
      freshness.changed([bucketOf(subject)]);
      const { whole } = times;
      await assertAlike(fixture, ITEMS);
      assert.equal(times.whole, whole + 1, subject);
    }
    assert.equal(times.read, 2);
  });

  test("ready path: a token's end, by the environment's clock", async () => {
    const fixture = await openFixture();
    await send(fixture, ITEMS);
    fixture.clock.advance(999);
    await send(fixture, ITEMS);
    assert.equal(fixture.times.whole, 1);
    fixture.clock.advance(1);
    await send(fixture, ITEMS);
    assert.equal(fixture.times.whole, 2);
  });

  test('ready path: what was looked at before a change and read after it', async () => {
    const fixture = await openFixture({
      handle: async ({ caches, freshness, times }) => {
        times.read += 1;
        // The access to the other restaurant has been looked at; then it is taken away.
        if (times.read === 1) freshness.changed([bucketOf(`restaurant:${OTHER}`)]);
        const make = async () => ({ json: {} });
        return await cachedAnswer(caches.answers, ['x'], [`restaurant:${OTHER}`], make);
      },
    });
    const url = `/restaurants/v1/restaurants/${OTHER}`;
    await send(fixture, url);
    await send(fixture, url);
    assert.equal(fixture.times.whole, 2, 'the first is not remembered');
    await send(fixture, url);
    assert.equal(fixture.times.whole, 2);
  });

  test('ready path: requests hold no body that the answers have forgotten', async () => {
    const fixture = await openFixture({ answerBytes: 15_000 });
    const urls = ['large', 'page', 'x1', 'x2', 'x3'].map((shape) => `${ITEMS}?shape=${shape}`);
    for (const url of ['large', 'page'].map((shape) => `${ITEMS}?shape=${shape}`)) {
      await assertAlike(fixture, url);
    }
    for (let n = 0; n < 6; n += 1) {
      await send(fixture, urls[n % 2] ?? '', { restaurant: OTHER.replace(/.$/, String(n)) });
    }
    const { read } = fixture.times;
    await send(fixture, urls[0] ?? '');
    assert.equal(fixture.times.read, read + 1);
    assert.ok(fixture.caches.answers.use().bytes <= 15_000);
  });
});

describe('ready path: a body that is renewed', () => {
  /** Answers with how often it was read; `read` may be held back or fail. */
  const openRenewing = async (read: () => Promise<void> = async () => {}) =>
    await openFixture({
      handle: async ({ caches, times }, { restaurant: { guid }, sentQuery: query }) =>
        await renewableAnswer(caches.answers, [guid, query.shape], [`stock:${guid}`], async () => {
          times.read += 1;
          const json = [times.read, query.shape === 'large' ? large : []];
          await read();
          return { json };
        }),
    });
  const ALL = `${ITEMS}?shape=large`;

  test('ready path: many who ask after a change cost one reading and no whole way', async () => {
    const fixture = await openRenewing();
    const br = { headers: { 'accept-encoding': 'br' } };
    const before = await send(fixture, ALL, br);
    fixture.freshness.changed([bucketOf(`stock:${OWN}`)]);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(fixture, ALL, br)));
    assert.deepEqual(fixture.times, { whole: 1, read: 2 });
    const whole = await send(fixture, ALL, { ...br, token: 'Bearer two' });
    assert.notEqual(whole.headers.etag, before.headers.etag);
    for (const answer of answers) assert.deepEqual(sameOf(answer), sameOf(whole));
    const known = { headers: { ...br.headers, 'if-none-match': String(whole.headers.etag) } };
    assert.equal((await send(fixture, ALL, known)).status, 304);
    assert.equal(fixture.counted.length, 8, 'each was counted once');
  });

  test('ready path: the client and the restaurant are asked for anew as ever', async () => {
    const fixture = await openRenewing();
    await send(fixture, ITEMS);
    for (const subject of ['client:Bearer one', `restaurant:${OWN}`] as const) {
      const { whole } = fixture.times;
      fixture.freshness.changed([bucketOf(subject), bucketOf(`stock:${OWN}`)]);
      await send(fixture, ITEMS);
      assert.equal(fixture.times.whole, whole + 1, subject);
    }
  });

  test('ready path: what cannot be read goes the whole way, and is counted once', async () => {
    let isAway = false;
    const fixture = await openRenewing(async () => {
      if (isAway) throw new Error('away');
    });
    await send(fixture, ITEMS);
    isAway = true;
    fixture.freshness.changed([bucketOf(`stock:${OWN}`)]);
    assert.equal((await send(fixture, ITEMS)).status, 500);
    assert.equal(fixture.times.whole, 2);
    assert.equal(fixture.counted.length, 2);
  });
});

test('ready path: who is not let in drives nobody out of memory', async () => {
  const { caches, clock, freshness } = await openFixture();
  const silent = () => {};
  const path = new ReadyPath({
    ...{ brand: 'Platform', clock, realClock: clock, freshness, ...caches, observers: [] },
    log: { debug: silent, info: silent, warn: silent, error: silent },
    rateLimits: { perSecond: 9, perQuarterHour: 9 },
    ...{
      rateCounter: new MemoryRateCounter(),
      addressOf: () => '',
      isClosing: () => false,
      isSandbox: false,
    },
  });
  // As a listener gives them; thousands of connections would take many seconds.
  const from = (authorization: string) => {
    const headers = { authorization, 'platform-restaurant-external-id': OWN };
    return { method: 'GET', url: ITEMS, headers, socket: {} } as unknown as IncomingMessage;
  };
  const stamp = stampOf(freshness.begin(), []);
  const answer = { value: new ReadyBody(Buffer.from('[]')), stamp, key: 'items', renew: null };
  caches.answers.put('items', answer);
  const caller = {
    type: 'PARTNER',
    clientId: 'one',
    tokenIssuedAtMs: 0,
    tokenExpiresAtMs: NOW_MS + 1,
  };
  const exchange = {
    ...{ raw: from('Bearer one'), caller, url: ITEMS, params: {} },
    ...{ rate: { key: 'one', by: 'IP_ADDRESS' }, restaurant: { guid: OWN } },
    operation: operations.find(({ path: one }) => one === ITEMS),
  };
  path.remember(exchange as unknown as Exchange, answer, freshness.begin());
  let others = 0;
  const response = { writeHead: silent, end: silent } as unknown as ServerResponse;
  const serve = (token: string) => path.serve(from(token), response, () => (others += 1));
  for (let n = 0; n < 6_000; n += 1) serve(`Bearer ${n}`);
  serve('Bearer one');
  assert.equal(others, 6_000);
});

describe('ready path: the budget', () => {
  /** Counts later, as a counter in the database does. */
  const later = (counter: RateCounter): RateCounter => ({
    count: async (count) => await counter.count(count),
  });

  for (const [kind, make] of [
    ['at once', () => new MemoryRateCounter()],
    ['later', () => later(new MemoryRateCounter())],
  ] as const) {
    test(`ready path 429 API-7: each request is counted once, ${kind}`, async () => {
      const fixture = await openFixture({ counter: make(), perSecond: 3 });
      const answers: Received[] = [];
      for (let n = 0; n < 5; n += 1) answers.push(await send(fixture, ITEMS));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 429, 429],
      );
      const remaining = answers.map(({ headers }) => headers['x-platform-ratelimit-remaining']);
      assert.deepEqual(remaining, ['2', '1', '0', '0', '0']);
      const key = `client:Bearer one:${OWN}`;
      assert.deepEqual(fixture.counted, [key, key, key, key, key]);
      const [, , , refused] = answers;
      assert.equal(refused?.headers['retry-after'], '1');
      assert.equal(refused?.headers['x-platform-ratelimit-by'], 'CLIENT_AND_RESTAURANT');
      const alone = await openFixture({ perSecond: 0 });
      const whole = await send(alone, ITEMS);
      assert.deepEqual(refused?.pairs, whole.pairs, 'as on the whole way');
    });
  }

  test('ready path: a counter that fails is asked again on the whole way', async () => {
    let isFailing = false;
    const memory = new MemoryRateCounter();
    const counter: RateCounter = {
      count: async (count) => {
        if (!isFailing) return memory.count(count);
        isFailing = false;
        throw new Error('away');
      },
    };
    const fixture = await openFixture({ counter });
    await send(fixture, ITEMS);
    isFailing = true;
    assert.equal((await send(fixture, ITEMS)).status, 200);
    assert.equal(fixture.times.whole, 2);
  });

  test('ready path: a change while the request is counted, and a stop', async () => {
    let held: PromiseWithResolvers<WindowCounts> | null = null;
    const memory = new MemoryRateCounter();
    const counter: RateCounter = {
      count: (count) => held?.promise ?? memory.count(count),
    };
    const fixture = await openFixture({ counter });
    await send(fixture, ITEMS);
    /** Sends a request, and does something while it is counted. */
    const meanwhile = async (work: () => unknown) => {
      const counts = Promise.withResolvers<WindowCounts>();
      held = counts;
      const before = fixture.counted.length;
      const answer = send(fixture, ITEMS);
      while (fixture.counted.length === before) await once(fixture.app.server, 'request');
      await work();
      held = null;
      counts.resolve({ second: 7, quarterHour: 7, countedInSecond: 7 });
      return await answer;
    };
    const changed = await meanwhile(() =>
      fixture.freshness.changed([bucketOf('client:Bearer one')]),
    );
    assert.equal(fixture.times.whole, 2);
    assert.equal(changed.headers['x-platform-ratelimit-remaining'], String(100_000 - 7));
    assert.equal(fixture.counted.length, 2, 'it is not counted again');
    let closing: Promise<unknown> = Promise.resolve();
    const last = await meanwhile(async () => {
      const { server } = fixture.app;
      const stops = Promise.withResolvers<void>();
      const close = server.close.bind(server);
      server.close = (done) => {
        stops.resolve();
        return close(done);
      };
      closing = fixture.app.close();
      await stops.promise;
    });
    assert.equal(last.headers.connection, 'close');
    assert.equal(fixture.times.whole, 2);
    await closing;
  });
});

test('ready path: observers are told the same facts as on the whole way', async () => {
  const fixture = await openFixture({ trustedProxies: ['127.0.0.1'] });
  const url = '/config/v2/menuItems/33333333-3333-4333-8333-333333333333?shape=large';
  const headers = { 'x-forwarded-for': '198.51.100.7, 192.0.2.1', 'accept-encoding': 'br' };
  const factsOf = (finished: FinishedRequest | undefined) => {
    assert.ok(finished);
    const { requestId, durationMs, answerHeaders, alike: _, explained, ...own } = finished;
    assert.ok(explained, 'a sandbox explains every request');
    const { 'platform-request-id': told, ...answered }: Record<string, string> = answerHeaders;
    assert.equal(told, requestId);
    assert.ok(durationMs >= 0);
    delete answered['x-platform-ratelimit-remaining'];
    return { ...own, answerBytes: String(own.answerBytes), answered };
  };
  for (const known of [{}, { 'if-none-match': '*' }]) {
    fixture.finished.length = 0;
    await assertAlike(fixture, url, { headers: { ...headers, ...known } });
    const [whole, ready] = fixture.finished.map(factsOf);
    delete whole?.answered['content-length'];
    delete ready?.answered['content-length'];
    assert.deepEqual(ready, whole);
    assert.equal(ready?.remoteAddress, '192.0.2.1');
    fixture.freshness.changed([bucketOf('client:Bearer one')]);
  }
});
