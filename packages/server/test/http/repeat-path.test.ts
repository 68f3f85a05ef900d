import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { operationById, operations } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { Cache } from '../../src/freshness/cache.ts';
import { Freshness } from '../../src/freshness/freshness.ts';
import { createApplication } from '../../src/http/edge/application.ts';
import { ApiError } from '../../src/http/errors.ts';
import type { ReadyBody } from '../../src/http/fast/ready-body.ts';
import { type ReadyRequest, requestBytes } from '../../src/http/fast/ready-path.ts';
import {
  REPEATED_BYTES_AT_MOST,
  REPEATS_AT_MOST,
  RepeatPath,
} from '../../src/http/fast/repeat-path.ts';
import type { Answer, OperationHandlers, PublicRequest } from '../../src/http/operation.ts';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import {
  MemoryRateCounter,
  type RateCounter,
  type WindowCounts,
} from '../../src/http/pipeline/rate-limit.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const { path: LOGIN } = operationById('auth.login');
const { path: TOKEN } = operationById('auth.token');
const SECRET = 'a secret that nobody may see';
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

interface FixtureOptions {
  /** False: all requests go the whole way. */
  readonly isFast?: boolean;
  readonly counter?: RateCounter;
  readonly perSecond?: number;
  readonly trustedProxies?: readonly string[];
}

interface Fixture {
  readonly port: number;
  readonly app: ReturnType<typeof createApplication>;
  readonly clock: FixedClock;
  readonly finished: FinishedRequest[];
  /** Tells of each of them: `finished`. */
  readonly told: EventEmitter;
  /** The keys of the budgets that requests were taken from. */
  readonly counted: string[];
  /** How often the handler was asked, and how often what it gave for a repetition. */
  readonly times: { whole: number; again: number };
  /** What the account knows: the secret that opens it now. */
  readonly account: { secret: string };
}

const open: Fixture[] = [];
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  for (const { app } of open) await app.close();
});

/** Makes an application whose login takes the secret, and answers with the second. */
async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const freshness = new Freshness(() => 0);
  const bounds = { freshness, maxBytes: 1_000_000 };
  const cache = {
    freshness,
    answers: new Cache<ReadyBody>({ ...bounds, bytesOf: ({ sizeBytes }) => sizeBytes }),
    requests: new Cache<ReadyRequest>({ ...bounds, bytesOf: requestBytes }),
  };
  const clock = new FixedClock(NOW_MS);
  const counter = options.counter ?? new MemoryRateCounter();
  const fixture = {
    ...{
      clock,
      finished: [],
      told: new EventEmitter(),
      counted: [],
      port: 0,
      account: { secret: SECRET },
    },
    times: { whole: 0, again: 0 },
  } as unknown as { -readonly [Key in keyof Fixture]: Fixture[Key] };
  const silent = () => {};
  const handlers = operations.map(({ id }) => [id, (one: LogIn) => logIn(fixture, one)]);
  fixture.app = createApplication(
    {
      ...{ brand: 'Platform', clock, realClock: new FixedClock(NOW_MS) },
      rateLimits: { perSecond: options.perSecond ?? 100_000, perQuarterHour: 100_000 },
      rateCounter: {
        count(count) {
          fixture.counted.push(count.key);
          return counter.count(count);
        },
      },
      authenticate: async () => Promise.reject(new Error('nobody has a token')),
      isSandbox: true,
      access: async () => ({ outcome: 'unknown' }),
      baseUrl: () => 'http://127.0.0.1:4400',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      trustedProxies: options.trustedProxies ?? [],
      observers: [
        {
          finished(request) {
            fixture.finished.push(request);
            fixture.told.emit('finished');
          },
        },
      ],
      attest: (text) => Buffer.from(text),
      ...(options.isFast !== false && { cache }),
    },
    Object.fromEntries(handlers) as unknown as OperationHandlers,
  );
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  fixture.port = (fixture.app.server.address() as AddressInfo).port;
  open.push(fixture);
  return fixture;
}

type LogIn = PublicRequest & { readonly body: unknown };

async function logIn(fixture: Fixture, { body, nowMs }: LogIn): Promise<Answer> {
  fixture.times.whole += 1;
  const { clientSecret: secret } = body as { clientSecret: string };
  if (secret !== fixture.account.secret) {
    throw new ApiError('unauthorized', 'The secret is wrong.', { headers: noStore });
  }
  const answer = (ms: number) => ({ json: { second: Math.floor(ms / 1000) }, headers: noStore });
  const repeat = (ms: number) => {
    if (secret !== fixture.account.secret) return null;
    fixture.times.again += 1;
    return answer(ms);
  };
  return { ...answer(nowMs), repeat };
}

interface Sent {
  readonly path?: string;
  readonly version?: string;
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

const bodyWith = (clientSecret: string) =>
  JSON.stringify({ clientId: 'till', clientSecret, userAccessType: 'PLATFORM_MACHINE_CLIENT' });

/** A request as it goes on the wire, with the length of its body unless headers are given. */
function wire(sent: Sent = {}): string {
  const { path = LOGIN, version = '1.1', method = 'POST', body = bodyWith(SECRET) } = sent;
  const headers = sent.headers ?? [`content-length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${path} HTTP/${version}`, 'host: 127.0.0.1', ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

async function dial({ port }: Fixture): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Reads until so many answers are there, or the connection ends. */
async function answersOf(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    const answers = split(text);
    if (answers.length >= count) return answers;
  }
  return split(text);
}

/** Whole answers alone; each says how long it is. */
function split(text: string): string[] {
  const answers: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const bodyAt = rest.indexOf('\r\n\r\n') + 4;
    const length = Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? 0);
    if (bodyAt < 4 || rest.length < bodyAt + length) break;
    answers.push(rest.slice(0, bodyAt + length));
    rest = rest.slice(bodyAt + length);
  }
  return answers;
}

/** Sends bytes over a connection of their own; gives the first answer. */
async function send(fixture: Fixture, bytes: string): Promise<string> {
  const socket = await dial(fixture);
  socket.write(bytes);
  const [answer = ''] = await answersOf(socket, 1);
  socket.destroy();
  return answer;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

/** All of an answer but what is another one each time. */
const sameOf = (answer: string) =>
  answer
    .replace(/(platform-request-id: )\S+/i, '$1…')
    .replace(/("requestId":)"[^"]+"/g, '$1…')
    .replace(/(\?request=)[^"]+/g, '$1…')
    .replace(/(date: )[^\r]+/i, '$1…')
    .replace(/(traceparent: 00-\w{32}-)\w{16}/, '$1…');

describe('repeat path: an answer is the same in every byte as on the whole way', () => {
  const TRACE = `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const length = `content-length: ${bodyWith(SECRET).length}`;
  const chunked = `${bodyWith(SECRET).length.toString(16)}\r\n${bodyWith(SECRET)}\r\n0\r\n\r\n`;
  const padded = (size: number) => bodyWith(SECRET).padEnd(size);
  /** What is sent, and whether it is one of those that are repeated. */
  const cases: Record<string, [sent: Sent, isRepeated: boolean]> = {
    'as it was': [{}, true],
    'of another media type': [{ headers: [length, 'content-type: text/plain'] }, true],
    'with a traceparent': [{ headers: [length, TRACE] }, true],
    'that would take it compressed': [{ headers: [length, 'accept-encoding: br'] }, true],
    'of HTTP/1.0': [{ version: '1.0' }, true],
    'that is the last of its connection': [{ headers: [length, 'connection: close'] }, true],
    'in chunks': [{ headers: ['transfer-encoding: chunked'], body: chunked }, false],
    'with a coding': [{ headers: [length, 'content-encoding: identity'] }, false],
    'with another coding': [{ headers: [length, 'content-encoding: gzip'] }, false],
    'that waits to be asked for its body': [{ headers: [length, 'expect: 100-continue'] }, false],
    'with a query': [{ path: `${LOGIN}?a=b` }, false],
    'with two media types': [
      { headers: [length, 'content-type: a/b', 'content-type: a/b'] },
      false,
    ],
    'with two hosts': [{ headers: [length, 'host: 127.0.0.1'] }, false],
    'of HTTP/2.0': [{ version: '2.0' }, false],
    'with a wrong secret': [{ body: bodyWith('wrong') }, false],
    'of another meaning elsewhere': [{ path: TOKEN }, false],
    'of another method': [{ method: 'PUT' }, false],
    'that is empty': [{ body: '' }, false],
    'that is no JSON': [{ body: '{' }, false],
    'that is just short enough': [{ body: padded(REPEATED_BYTES_AT_MOST) }, true],
    'that is a byte longer': [{ body: padded(REPEATED_BYTES_AT_MOST + 1) }, false],
    'over what is allowed': [{ headers: ['content-length: 1048577'], body: '{' }, false],
  };
  let fast: Fixture;
  let slow: Fixture;
  before(async () => {
    [fast, slow] = [await openFixture(), await openFixture({ isFast: false })];
  });
  for (const [what, [sent, isRepeated]] of Object.entries(cases)) {
    test(`repeat path: sent twice, a body ${what}`, async () => {
      for (const fixture of [fast, slow]) {
        await send(fixture, wire());
        await send(fixture, wire(sent));
      }
      const { whole, again } = fast.times;
      const answer = await send(fast, wire(sent));
      assert.equal(sameOf(answer), sameOf(await send(slow, wire(sent))));
      assert.equal(fast.times.again, again + (isRepeated ? 1 : 0));
      if (isRepeated) assert.equal(fast.times.whole, whole, 'it did not go the whole way');
      assert.deepEqual(fast.counted, slow.counted);
    });
  }
});

test('repeat path: several on one connection, at once, are answered in their order', async () => {
  const fixture = await openFixture();
  await send(fixture, wire());
  const socket = await dial(fixture);
  socket.write(wire() + wire({ body: bodyWith('wrong') }) + wire() + wire({ method: 'PUT' }));
  const statuses = (await answersOf(socket, 4)).map(statusOf);
  assert.deepEqual(statuses, [200, 401, 200, 405]);
  assert.equal(fixture.times.again, 2);
});

test('repeat path: the handler is asked each time, by the time of the request', async () => {
  const fixture = await openFixture();
  const first = await send(fixture, wire());
  assert.equal(sameOf(await send(fixture, wire())), sameOf(first));
  fixture.clock.advance(1_000);
  assert.match(await send(fixture, wire()), new RegExp(`"second":${NOW_MS / 1000 + 1}`));
  assert.deepEqual(fixture.times, { whole: 1, again: 2 });
  fixture.account.secret = 'another';
  assert.equal(statusOf(await send(fixture, wire())), 401);
  assert.equal(statusOf(await send(fixture, wire({ body: bodyWith('another') }))), 200);
  fixture.account.secret = SECRET;
  assert.equal(statusOf(await send(fixture, wire({ body: bodyWith('another') }))), 401);
  assert.equal(statusOf(await send(fixture, wire())), 200);
});

describe('repeat path: the budget', () => {
  const later = (counter: RateCounter): RateCounter => ({
    count: async (count) => await counter.count(count),
  });
  for (const [kind, make] of [
    ['at once', () => new MemoryRateCounter()],
    ['later', () => later(new MemoryRateCounter())],
  ] as const) {
    test(`repeat path 429 API-7: each request is counted once, ${kind}`, async () => {
      const fixture = await openFixture({ counter: make(), perSecond: 4 });
      const alone = await openFixture({ perSecond: 0 });
      const secrets = [SECRET, SECRET, 'wrong', SECRET, SECRET, 'wrong'];
      const answers: string[] = [];
      for (const secret of secrets)
        answers.push(await send(fixture, wire({ body: bodyWith(secret) })));
      assert.deepEqual(answers.map(statusOf), [200, 200, 401, 200, 429, 429]);
      const refused = sameOf(await send(alone, wire()));
      assert.deepEqual(answers.slice(4).map(sameOf), [refused, refused]);
      assert.deepEqual(fixture.counted, Array(6).fill('address:127.0.0.1'));
      assert.equal(fixture.finished.at(-1)?.requestBytes, null, 'its body was not read');
    });
  }

  test('repeat path: a counter that fails is asked again on the whole way', async () => {
    let isFailing = false;
    const memory = new MemoryRateCounter();
    const count: RateCounter['count'] = async (one) => {
      if (!isFailing) return memory.count(one);
      isFailing = false;
      throw new Error('away');
    };
    const fixture = await openFixture({ counter: { count } });
    await send(fixture, wire());
    isFailing = true;
    assert.equal(statusOf(await send(fixture, wire())), 200);
    assert.deepEqual(fixture.times, { whole: 2, again: 0 });
  });
});

describe('repeat path: a body that takes its time', () => {
  /** Sends the headers and half of a body, and waits until they are there. */
  const begin = async (fixture: Fixture, sent: Sent = {}) => {
    const socket = await dial(fixture);
    const bytes = wire(sent);
    const came = once(fixture.app.server, 'request');
    socket.write(bytes.slice(0, -5));
    const [raw] = (await came) as [IncomingMessage];
    return { socket, raw, rest: bytes.slice(-5) };
  };

  test('repeat path: it comes in pieces, and is judged as of when it came', async () => {
    for (const [body, status] of [
      [bodyWith(SECRET), 200],
      [bodyWith('wrong'), 401],
    ] as const) {
      const fixture = await openFixture();
      await send(fixture, wire());
      const { socket, rest } = await begin(fixture, { body });
      fixture.clock.advance(5_000);
      socket.write(rest);
      const [answer = ''] = await answersOf(socket, 1);
      assert.equal(statusOf(answer), status);
      const finished = fixture.finished.at(-1);
      assert.deepEqual([finished?.atMs, String(finished?.requestBytes)], [NOW_MS, body]);
      assert.equal(fixture.counted.length, 2);
    }
  });

  test('repeat path: who hangs up is told of as on the whole way', async () => {
    const toldOf = async (isFast: boolean) => {
      const fixture = await openFixture({ isFast });
      await send(fixture, wire());
      const { socket } = await begin(fixture);
      const told = once(fixture.told, 'finished');
      socket.destroy();
      await told;
      const { refusal, status, requestBytes: bytes } = fixture.finished[1] as FinishedRequest;
      assert.equal(fixture.counted.length, 2);
      return { check: refusal?.check, message: refusal?.message, status, bytes };
    };
    const fast = await toldOf(true);
    assert.deepEqual(fast, await toldOf(false));
    assert.deepEqual([fast.check, fast.status], ['body', 400]);
  });

  test('repeat path: who sends too slowly is told so, as on the whole way', async () => {
    const toldOf = async (isFast: boolean) => {
      const fixture = await openFixture({ isFast });
      await send(fixture, wire());
      const { socket, raw } = await begin(fixture);
      const told = once(fixture.told, 'finished');
      // As Node.js does of a request that has not arrived in time.
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      fixture.app.server.emit('clientError', late, raw.socket);
      const [answer = ''] = await answersOf(socket, 1);
      socket.destroy();
      await told;
      const { refusal, status, requestBytes: bytes } = fixture.finished[1] as FinishedRequest;
      return { answer: sameOf(answer), check: refusal?.check, status, bytes, ...fixture.times };
    };
    const fast = await toldOf(true);
    assert.deepEqual(fast, await toldOf(false));
    assert.equal(statusOf(fast.answer), 408);
  });

  test('repeat path: a stop meanwhile waits for it, and says that it is the last', async () => {
    const fixture = await openFixture();
    await send(fixture, wire());
    const { socket, rest } = await begin(fixture);
    const closing = fixture.app.close();
    socket.write(rest);
    const [answer = ''] = await answersOf(socket, 1);
    assert.equal(statusOf(answer), 200);
    assert.match(answer, /connection: close/);
    assert.equal(fixture.times.again, 1);
    await closing;
  });

  test('repeat path: it waits for the count, and the client goes meanwhile', async () => {
    let held: PromiseWithResolvers<WindowCounts> | null = null;
    const memory = new MemoryRateCounter();
    const fixture = await openFixture({
      counter: { count: (count) => held?.promise ?? memory.count(count) },
    });
    await send(fixture, wire());
    held = Promise.withResolvers();
    const { socket, raw } = await begin(fixture);
    const gone = once(raw.socket, 'close');
    const told = once(fixture.told, 'finished');
    socket.destroy();
    await gone;
    held.resolve({ second: 1, quarterHour: 1, countedInSecond: 1 });
    await told;
    assert.equal(fixture.finished[1]?.refusal?.check, 'body');
  });
});

test('repeat path: observers are told the same facts as on the whole way', async () => {
  const fixture = await openFixture({ trustedProxies: ['127.0.0.1'] });
  const { length } = bodyWith(SECRET);
  const headers = [`content-length: ${length}`, 'x-forwarded-for: 198.51.100.7, 192.0.2.1'];
  for (let n = 0; n < 2; n += 1) await send(fixture, wire({ headers }));
  const [whole, again] = fixture.finished.map((finished) => {
    const { requestId, durationMs, answerHeaders, params, explained, ...facts } = finished;
    assert.ok(explained, 'a sandbox explains every request');
    const { 'platform-request-id': told, ...answered }: Record<string, string> = answerHeaders;
    assert.equal(told, requestId);
    assert.ok(durationMs >= 0);
    return { ...facts, params: { ...params }, answered, answerBytes: String(facts.answerBytes) };
  });
  assert.equal(fixture.times.again, 1);
  assert.deepEqual(again, whole);
  assert.equal(again?.remoteAddress, '192.0.2.1');
});

test('repeat path: memory is bounded, holds no body, and refused ones are not in it', () => {
  const silent = () => {};
  const clock = new FixedClock(NOW_MS);
  const path = new RepeatPath({
    ...{ brand: 'Platform', clock, realClock: clock, observers: [] },
    log: { debug: silent, info: silent, warn: silent, error: silent },
    rateLimits: { perSecond: 9, perQuarterHour: 9 },
    ...{
      rateCounter: new MemoryRateCounter(),
      addressOf: () => '',
      isClosing: () => false,
      isSandbox: false,
    },
  });
  for (let n = 0; n < REPEATS_AT_MOST + 10; n += 1) {
    const requestBytes = Buffer.from(bodyWith(`${SECRET} ${n}`));
    const raw = { headers: { 'content-length': String(requestBytes.length) } };
    const exchange = { raw, url: LOGIN, operation: operationById('auth.login'), requestBytes };
    path.remember(exchange as never, () => null);
  }
  assert.equal(path.size, REPEATS_AT_MOST);
});
