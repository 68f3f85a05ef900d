import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { afterTurn, nextTurn } from '@servery/support/runner.ts';
import type { Post } from '../../../src/webhooks/sockets/exchange.ts';
import type { Answered, NotAnswered, Outcome } from '../../../src/webhooks/sockets/outcome.ts';
import { Targets, type TargetsOptions } from '../../../src/webhooks/sockets/targets.ts';
import { ManualTimer } from './manual-timer.ts';
import { type Receiver, startHttpReceiver, startRawReceiver } from './socket-receiver.ts';

/** Where the HTTP client tells that it has read the status and the headers of an answer. */
const STATUS_HAS_COME = 'undici:request:headers';
/** Nobody listens there, and the machine gives it to nobody who asks for any port. */
const NOBODY = 'http://127.0.0.1:1024/';

const open: { close(): Promise<void> }[] = [];
after(async () => {
  for (const one of open) await one.close();
});

function opened(options: Partial<TargetsOptions> = {}): Targets {
  const targets = new Targets({ rules: { allowsLoopback: true }, ...options });
  open.push(targets);
  return targets;
}

async function http(listener: RequestListener): Promise<Receiver> {
  const receiver = await startHttpReceiver(listener);
  open.push(receiver);
  return receiver;
}

async function raw(onRequest: (socket: Socket) => void): Promise<Receiver> {
  const receiver = await startRawReceiver(onRequest);
  open.push(receiver);
  return receiver;
}

function post(targets: Targets, url: string, change: Partial<Post> = {}): Promise<Outcome> {
  return targets.post({
    url,
    headers: { 'content-type': 'application/json', 'Platform-Event-Type': 'partner_added' },
    body: Buffer.from('{"a":1}'),
    connectTimeoutMs: 30_000,
    answerTimeoutMs: 30_000,
    ...change,
  });
}

async function answered(outcome: Promise<Outcome>): Promise<Answered> {
  const settled = await outcome;
  assert.equal(settled.kind, 'ANSWERED', JSON.stringify(settled));
  return settled as Answered;
}

async function failed(outcome: Promise<Outcome>, kind: string): Promise<NotAnswered> {
  const settled = await outcome;
  assert.equal(settled.kind, kind, JSON.stringify(settled));
  const { explanation } = settled as NotAnswered;
  assert.match(explanation, /^[A-Z].*\.$/);
  return settled as NotAnswered;
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** Waits until a connection is closed, by an end or by a reset. */
async function gone(socket: Socket): Promise<void> {
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}

test('a post sends method, path, host, headers and the very bytes', async () => {
  const got = Promise.withResolvers<{ request: IncomingMessage; body: string }>();
  const receiver = await http(async (request, response) => {
    got.resolve({ request, body: await textOf(request) });
    response.writeHead(202, { 'retry-after': '7' }).end('thanks');
  });
  const url = `http://localhost:${receiver.port}/hook/1?x=%20y`;
  // Of two addresses the first one is left after a second and a half.
  const names = { addressesOf: async () => ['127.0.0.1'] };
  const outcome = await answered(post(opened({ timer: new ManualTimer(), names }), url));
  assert.deepEqual(outcome, {
    kind: 'ANSWERED',
    status: 202,
    text: 'thanks',
    end: 'whole',
    retryAfter: '7',
    location: null,
    address: '127.0.0.1',
    durationMs: 0,
  });
  const { request, body } = await got.promise;
  assert.equal(`${request.method} ${request.url}`, 'POST /hook/1?x=%20y');
  assert.equal(body, '{"a":1}');
  assert.deepEqual(request.rawHeaders, [
    ...['host', `localhost:${receiver.port}`, 'connection', 'keep-alive'],
    ...['content-type', 'application/json', 'Platform-Event-Type', 'partner_added'],
    ...['content-length', '7'],
  ]);
});

test('every final status is an answer, and a redirection leads nowhere', async () => {
  const elsewhere = await http((_request, response) => response.end());
  for (const status of [200, 204, 301, 302, 303, 307, 308, 400, 404, 410, 429, 500, 503]) {
    const receiver = await http((_request, response) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    const outcome = await answered(post(opened(), receiver.url));
    assert.equal(outcome.status, status);
    assert.equal(outcome.location, elsewhere.url);
    assert.equal(receiver.sockets.length, 1);
  }
  assert.equal(elsewhere.sockets.length, 0);
});

test('what comes before the final status is passed over', async () => {
  const receiver = await raw((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
    socket.write('HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok');
  });
  const outcome = await answered(post(opened(), receiver.url));
  assert.equal(outcome.status, 201);
  assert.equal(outcome.text, 'ok');
});

test('an answer is read up to 64 KiB, and the connection is closed then', async () => {
  let sent = 0;
  const receiver = await raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\n\r\n');
    // It has no end: the receiver would send for ever.
    const more = () => {
      while (!socket.destroyed && socket.write('é'.repeat(8_192))) sent += 16_384;
    };
    socket.on('drain', more);
    more();
  });
  const connection = receiver.nextConnection();
  const outcome = await answered(post(opened(), receiver.url));
  assert.equal(outcome.end, 'capped');
  assert.equal(outcome.text, 'é'.repeat(32_768));
  const socket = await connection;
  await gone(socket);
  assert.ok(sent < 16 * 1024 * 1024, String(sent));
});

test('a text that PostgreSQL could not keep is mended', async () => {
  const bytes = Buffer.from([0x61, 0x00, 0xff, 0x62, 0xe2, 0x82]);
  const receiver = await http((_request, response) => response.end(bytes));
  const { text } = await answered(post(opened(), receiver.url));
  assert.equal(text, 'a\uFFFD\uFFFDb\uFFFD');
});

test('a status that came in time counts, whatever becomes of the rest', async (t) => {
  const timer = new ManualTimer();
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart';
  // What came with the status is read in the same turn.
  const runOut = () => afterTurn(() => timer.advance(2_000));
  subscribe(STATUS_HAS_COME, runOut);
  t.after(() => unsubscribe(STATUS_HAS_COME, runOut));
  const late = await raw((socket) => socket.write(head));
  const slow = await answered(post(opened({ timer }), late.url, { answerTimeoutMs: 2_000 }));
  assert.deepEqual([slow.status, slow.end, slow.text], [200, 'late', 'part']);
  const broken = await raw((socket) => socket.write(head, () => socket.destroy()));
  const cut = await answered(post(opened(), broken.url));
  assert.deepEqual([cut.status, cut.end, cut.text], [200, 'broken', 'part']);
});

test('no answer in time is a time-out, and the connection is closed', async () => {
  const timer = new ManualTimer();
  const targets = opened({ timer });
  const receiver = await raw(() => timer.advance(1_999));
  const connection = receiver.nextConnection();
  const outcome = post(targets, receiver.url, { answerTimeoutMs: 2_000 });
  const socket = await connection;
  await once(socket, 'data');
  timer.advance(1);
  const { durationMs, address, explanation } = await failed(outcome, 'ANSWER_TIMEOUT');
  assert.deepEqual([durationMs, address], [2_000, '127.0.0.1']);
  assert.match(explanation, /2000 ms/);
  await gone(socket);
  assert.equal(timer.size, 0);
});

test('no connection came about: refused', async () => {
  const { address, explanation } = await failed(post(opened(), NOBODY), 'REFUSED');
  assert.equal(address, null);
  assert.match(explanation, /ECONNREFUSED/);
});

test('a connection that ends before a status is broken, by an end or by a reset', async () => {
  for (const end of ['destroy', 'resetAndDestroy', 'end'] as const) {
    const receiver = await raw((socket) => socket[end]());
    await failed(post(opened(), receiver.url), 'RESET');
    assert.equal(receiver.sockets.length, 1);
  }
});

test('what is no HTTP, too long or another protocol is said to be so', async () => {
  for (const text of [
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    `HTTP/1.1 200 OK\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`,
    '\u0015\u0003\u0001\u0000\u0002\u0002\u0046',
  ]) {
    const receiver = await raw((socket) => socket.write(text, 'latin1'));
    await failed(post(opened(), receiver.url), 'NOT_HTTP');
  }
});

test('a connection is kept for the next posts, and a busy one is not waited for', async () => {
  const waiting: (() => void)[] = [];
  const receiver = await http((request, response) => {
    request.resume();
    if (request.url === '/hook') response.end('ok');
    else waiting.push(() => response.end('late'));
  });
  const targets = opened();
  for (let round = 0; round < 3; round += 1) await answered(post(targets, receiver.url));
  assert.equal(receiver.sockets.length, 1);
  const held = post(targets, `${receiver.url}?held`);
  while (waiting.length === 0) await nextTurn();
  await answered(post(targets, receiver.url));
  const both = [post(targets, receiver.url), post(targets, receiver.url)];
  for (const one of both) await answered(one);
  for (const answer of waiting) answer();
  assert.equal((await answered(held)).text, 'late');
});

test('a kept connection that was closed meanwhile costs no attempt', async () => {
  let count = 0;
  const receiver = await raw((socket) => {
    count += 1;
    // The second request of a connection meets one that is just being closed.
    if (count === 2) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  const targets = opened();
  await answered(post(targets, receiver.url));
  await answered(post(targets, receiver.url));
  assert.equal(receiver.sockets.length, 2);
  assert.equal(count, 3);
});

test('a connection that is a minute old is not used again', async () => {
  const timer = new ManualTimer();
  const receiver = await http((_request, response) => response.end());
  const targets = opened({ timer });
  await answered(post(targets, receiver.url));
  timer.advance(60_001);
  await answered(post(targets, receiver.url));
  await answered(post(targets, receiver.url));
  assert.equal(receiver.sockets.length, 2);
});

test('closing ends what is under way and every kept connection', async () => {
  const targets = opened();
  const kept = await http((_request, response) => response.end());
  await answered(post(targets, kept.url));
  const receiver = await raw(() => {});
  const connection = receiver.nextConnection();
  const outcome = post(targets, receiver.url);
  const sockets = [await connection, ...kept.sockets];
  await targets.close();
  await failed(outcome, 'STOPPED');
  for (const socket of sockets) await gone(socket);
  await failed(post(targets, receiver.url), 'STOPPED');
});

test('an address that no rule allows is blocked with words for its author', async () => {
  const outcome = await failed(post(opened(), 'https://user@receiver.com/'), 'BLOCKED_TARGET');
  assert.match(outcome.explanation, /no user name/);
});

test('many posts at once to many receivers each get their own answer', async () => {
  const receivers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      http(async (request, response) => response.end(`${index} ${await textOf(request)}`)),
    ),
  );
  const targets = opened();
  const posts = Array.from({ length: 100 }, async (_, serial) => {
    const index = serial % receivers.length;
    const body = Buffer.from(String(serial));
    const url = receivers[index]?.url ?? '';
    assert.equal((await answered(post(targets, url, { body }))).text, `${index} ${serial}`);
  });
  await Promise.all(posts);
});
