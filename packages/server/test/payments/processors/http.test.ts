import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { after, before, test } from 'node:test';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { FixedClock } from '@servery/support/clock.ts';
import { Secret } from '@servery/support/secret.ts';
import { makeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { developmentCertificate } from '../../../src/http/edge/tls.ts';
import { httpProcessor } from '../../../src/payments/processors/http.ts';
import { authorizationOf, noDeadline } from './orders.ts';

const KEY = 'auth:1:1';
const CARD = '4111111111111111';
const approval = {
  outcome: 'approved',
  authorizationCode: '123456',
  amountMinor: 1250,
  currencyCode: 'USD',
  reference: 'ref-1',
} as const;
const sound = { protocol: 1, key: KEY, answer: approval };

let folder: string;
before(async () => {
  folder = await makeTestFolder();
});
after(() => rm(folder, { recursive: true, force: true }));

interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Whatever answers: how it lies, and what it got. */
interface FaultyProcessor {
  readonly url: string;
  readonly got: readonly Got[];
  readonly processor: ReturnType<typeof httpProcessor>;
  close(): Promise<void>;
}

async function startFaultyProcessor(
  lie: (response: ServerResponse, body: string) => void,
  makeServer: (listener: RequestListener) => Server = createServer,
): Promise<FaultyProcessor> {
  const got: Got[] = [];
  const server = makeServer((request: IncomingMessage, response: ServerResponse) => {
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body });
      lie(response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const scheme = makeServer === createServer ? 'http' : 'https';
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const processor = httpProcessor({ url: () => url, secret: new Secret('s3cret') });
  const close = async () => {
    processor.close();
    const closed = once(server, 'close');
    server.close();
    await closed;
  };
  return { url, got, processor, close };
}

function say(body: unknown, status = 200): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

async function authorizeAt(lie: (response: ServerResponse) => void): Promise<ProcessorAnswer> {
  const faulty = await startFaultyProcessor(lie);
  try {
    return await faulty.processor.authorize(authorizationOf(KEY, CARD), noDeadline);
  } finally {
    await faulty.close();
  }
}

const notRefused = (answer: object) => ({ protocol: 1, key: KEY, answer });
const lies: Record<string, (response: ServerResponse) => void> = {
  'an answer that is no JSON': say('<html>welcome</html>'),
  'an answer that breaks off': say('{"protocol":1,"key":"auth:1:1","answer":{"outcome":"appro'),
  'an answer without a body': say(''),
  null: say('null'),
  'an answer of another protocol': say({ ...sound, protocol: 2 }),
  'an answer without a protocol': say({ key: KEY, answer: approval }),
  'an answer to no key': say({ ...sound, key: null }),
  'an unknown outcome': say(notRefused({ ...approval, outcome: 'maybe' })),
  'an approval without an amount': say(notRefused({ ...approval, amountMinor: undefined })),
  'an amount in words': say(notRefused({ ...approval, amountMinor: '1250' })),
  'a fraction of a cent': say(notRefused({ ...approval, amountMinor: 1250.5 })),
  'a negative amount': say(notRefused({ ...approval, amountMinor: -1250 })),
  'a currency in small letters': say(notRefused({ ...approval, currencyCode: 'usd' })),
  'a code as short as a security code': say(notRefused({ ...approval, authorizationCode: '7391' })),
  'a code with a half of a number': say(
    notRefused({ ...approval, authorizationCode: '999999999' }),
  ),
  'a decline without a code': say(notRefused({ outcome: 'declined' })),
  'a decline with a word': say(notRefused({ outcome: 'declined', responseCode: 'nope' })),
  'an approval with status 500': say(sound, 500),
  'an approval with status 202': say(sound, 202),
  'not found for an authorization': say(notRefused({ outcome: 'notFound', explanation: '' })),
  'a redirection': (response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/authorize' });
    response.end();
  },
  'an answer without end': (response) => {
    response.writeHead(200);
    response.end(JSON.stringify({ ...sound, more: 'x'.repeat(100_000) }));
  },
  'a connection that breaks in the answer': (response) => {
    response.writeHead(200, { 'content-length': 5_000 });
    response.write('{"protocol":1', () => response.destroy());
  },
  'a reason that repeats the card': say(
    { ...sound, key: null, answer: { outcome: 'notProcessed', explanation: `bad ${CARD}` } },
    400,
  ),
  'its own doubt': say(notRefused({ outcome: 'unknown', explanation: 'the network is away' })),
};

for (const [what, lie] of Object.entries(lies)) {
  test(`creditCards.authorize PAY-8: ${what} is an unknown outcome`, async () => {
    const answer = await authorizeAt(lie);
    assert.equal(answer.outcome, 'unknown', JSON.stringify(answer));
    assert.doesNotMatch(JSON.stringify(answer), /4111/, 'PAY-I7');
  });
}

test('creditCards.authorize PAY-I7: a status that could be a security code is not told', async () => {
  for (const body of [sound, 'no']) {
    const answer = await authorizeAt(say(body, 737));
    assert.equal(answer.outcome, 'unknown');
    assert.doesNotMatch(JSON.stringify(answer), /737/);
  }
  const away = await authorizeAt(say('no', 502));
  assert.match(JSON.stringify(away), /Bad Gateway/, 'operators are told what they can use');
});

test('creditCards.authorize PAY-8: the answer to another key is an unknown outcome', async () => {
  const answer = await authorizeAt(say({ ...sound, key: 'auth:2:1' }));
  assert.equal(answer.outcome, 'unknown', JSON.stringify(answer));
});

test('creditCards.authorize PAY-8: no answer after sending is an unknown outcome', async () => {
  const answer = await authorizeAt((response) => response.destroy());
  assert.equal(answer.outcome, 'unknown', JSON.stringify(answer));
});

test('creditCards.authorize: a sound answer is taken as it is', async () => {
  const faulty = await startFaultyProcessor(say({ ...sound, addedLater: true }));
  assert.deepEqual(await faulty.processor.authorize(authorizationOf(KEY), noDeadline), approval);
  const [call] = faulty.got;
  assert.equal(call?.path, '/authorize');
  assert.equal(call?.headers.authorization, 'Bearer s3cret');
  assert.deepEqual(JSON.parse(call?.body ?? ''), {
    ...{ protocol: 1, key: KEY, paymentId: '1', merchantGuid: 'm' },
    ...{ amountMinor: 1250, currencyCode: 'USD' },
    ...{ cardNumberOrigin: 'END_USER', willSaveCard: false },
    card: {
      ...{ number: CARD, securityCode: '7391', expMonth: '12', expYear: '39' },
      ...{ postalCode: '02110', country: 'USA' },
    },
  });
  await faulty.close();
});

test('creditCards.authorize: a refusal with any status is not processed', async () => {
  for (const [status, key] of [
    [200, KEY],
    [401, null],
    [503, null],
  ] as const) {
    const answer = { outcome: 'notProcessed', explanation: 'the network is away' };
    const got = await authorizeAt(say({ protocol: 1, key, answer }, status));
    assert.deepEqual(got, answer);
  }
});

test('creditCards.authorize: a processor that nobody reaches is not processed', async () => {
  // Nobody listens there; a port that was just closed may be another test's by now.
  const away = httpProcessor({ url: () => 'http://127.0.0.1:1', secret: null });
  const answer = await away.authorize(authorizationOf(KEY), noDeadline);
  assert.equal(answer.outcome, 'notProcessed');
  const nowhere = httpProcessor({ url: () => null, secret: null });
  const none = await nowhere.authorize(authorizationOf(KEY), noDeadline);
  assert.equal(none.outcome, 'notProcessed');
});

test('creditCards.authorize PAY-8: a deadline that passes after sending is unknown', async () => {
  const deadline = new AbortController();
  const faulty = await startFaultyProcessor(() => deadline.abort());
  const answer = await faulty.processor.authorize(authorizationOf(KEY), deadline.signal);
  assert.equal(answer.outcome, 'unknown');
  await faulty.close();
});

test('creditCards.authorize PAY-8: a kept connection that breaks is unknown', async () => {
  let calls = 0;
  const faulty = await startFaultyProcessor((response) => {
    calls += 1;
    if (calls === 1) say(sound)(response);
    else response.destroy();
  });
  const { processor } = faulty;
  const outcomes = [
    (await processor.authorize(authorizationOf(KEY), noDeadline)).outcome,
    (await processor.authorize(authorizationOf(KEY), noDeadline)).outcome,
  ];
  assert.deepEqual(outcomes, ['approved', 'unknown']);
  await faulty.close();
});

test('creditCards.authorize: a certificate that is not trusted gets no card', async () => {
  const certificate = await developmentCertificate(folder, new FixedClock(Date.UTC(2026, 10, 1)));
  const faulty = await startFaultyProcessor(say(sound), (listener) =>
    createTlsServer(certificate, listener),
  );
  const answer = await faulty.processor.authorize(authorizationOf(KEY), noDeadline);
  assert.equal(answer.outcome, 'notProcessed', JSON.stringify(answer));
  assert.deepEqual(faulty.got, []);
  await faulty.close();
});

test('creditCards.authorize: the other calls carry their keys', async () => {
  const faulty = await startFaultyProcessor((response, body) => {
    const { key } = JSON.parse(body) as { key: string };
    say({ protocol: 1, key, answer: { outcome: 'notFound', explanation: '' } })(response);
  });
  const { processor, got } = faulty;
  const hold = { authorizationKey: KEY };
  const money = { amountMinor: 1, currencyCode: 'USD' };
  const answers = [
    await processor.inquire({ key: KEY }, noDeadline),
    await processor.capture({ key: 'capture:1', ...hold, ...money }, noDeadline),
    await processor.void({ key: 'void:1', ...hold }, noDeadline),
  ];
  for (const { outcome } of answers) assert.equal(outcome, 'notFound');
  assert.deepEqual(
    got.map(({ path, body }) => [path, JSON.parse(body)]),
    [
      ['/inquire', { protocol: 1, key: KEY }],
      ['/capture', { protocol: 1, key: 'capture:1', ...hold, ...money }],
      ['/void', { protocol: 1, key: 'void:1', ...hold }],
    ],
  );
  await faulty.close();
});
