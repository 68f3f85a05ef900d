import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, Socket } from 'node:net';
import { after, test } from 'node:test';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { machineClock } from '@servery/support/clock.ts';
import { afterTurn, nextTurn } from '@servery/support/runner.ts';
import { generate } from 'selfsigned';
import { attemptTime, openSocket } from '../../../src/webhooks/sockets/dial.ts';
import { askNameServers } from '../../../src/webhooks/sockets/names.ts';
import type { Outcome } from '../../../src/webhooks/sockets/outcome.ts';
import { Targets, type TargetsOptions } from '../../../src/webhooks/sockets/targets.ts';
import { ManualTimer } from './manual-timer.ts';
import { type NameServer, type Question, startNameServer } from './name-server.ts';
import { type Receiver, startHttpReceiver, startReceiver } from './socket-receiver.ts';

const DAY_MS = 86_400_000;
const NAME = 'receiver.partner-hooks.com';
const PUBLIC = '93.184.216.34';
const PUBLIC_IPV6 = '2606:4700::1111';
/** The time of a query is real: a machine that stands still for seconds loses none of these. */
const LONG_TIMEOUTS = { timeout: 60_000, maxTimeout: 60_000, tries: 20 };

const open: { close(): Promise<void> }[] = [];
after(async () => {
  for (const one of open) await one.close();
});

function kept<Value extends { close(): Promise<void> }>(value: Value): Value {
  open.push(value);
  return value;
}

function opened(options: Partial<TargetsOptions> = {}): Targets {
  return kept(new Targets({ rules: { allowsLoopback: false }, ...options }));
}

function post(targets: Targets, url: string): Promise<Outcome> {
  return targets.post({
    ...{ url, headers: {}, body: Buffer.from('{"a":1}') },
    ...{ connectTimeoutMs: 30_000, answerTimeoutMs: 30_000 },
  });
}

/** Connects to loopback in place of every address, and lets the socket say that it went there. */
function redirected(asked: string[] = []): (addresses: readonly string[], port: number) => Socket {
  return (addresses, port) => {
    asked.push(...addresses);
    const socket = connect(port, '127.0.0.1');
    Object.defineProperty(socket, 'remoteAddress', { value: addresses[0] });
    return socket;
  };
}

async function certificateFor(
  name: string,
  type: 2 | 7 = 2,
): Promise<{ cert: string; key: string }> {
  const pair = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    // Also where the clock of the machine is set back meanwhile.
    notBeforeDate: new Date(machineClock.nowMs() - DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [type === 2 ? { type, value: name } : { type, ip: name }],
      },
    ],
  });
  return { cert: pair.cert, key: pair.private };
}

async function startTls(
  names: { servername?: string; host?: string },
  pair: object,
): Promise<Receiver> {
  const make = () =>
    createTlsServer(pair, (request, response) => {
      names.host = request.headers.host ?? '';
      names.servername = String((request.socket as TLSSocket).servername);
      response.end('ok');
    });
  return kept(await startReceiver(make));
}

test('TLS is made with the name, not the address, and its certificate is checked', async () => {
  const pair = await certificateFor(NAME);
  const seen: { servername?: string; host?: string } = {};
  const { port } = await startTls(seen, pair);
  const asked: string[] = [];
  const shared = {
    names: { addressesOf: async () => [PUBLIC, PUBLIC_IPV6] },
    open: redirected(asked),
  };
  const secureContext = createSecureContext({ ca: pair.cert });
  const outcome = await post(opened({ ...shared, secureContext }), `https://${NAME}:${port}/`);
  assert.equal(outcome.kind, 'ANSWERED', JSON.stringify(outcome));
  assert.equal(outcome.address, PUBLIC);
  assert.deepEqual(seen, { servername: NAME, host: `${NAME}:${port}` });
  assert.deepEqual(asked, [PUBLIC, PUBLIC_IPV6]);
  // Nobody vouches for it.
  const unknown = await post(opened(shared), `https://${NAME}:${port}/`);
  assert.equal(unknown.kind, 'TLS');
  assert.match('explanation' in unknown ? unknown.explanation : '', /SELF_SIGNED/);
  assert.equal(unknown.address, PUBLIC);
  // It is somebody else's.
  const other = opened({ ...shared, secureContext });
  const wrong = await post(other, `https://other.partner-hooks.com:${port}/`);
  assert.equal(wrong.kind, 'TLS');
  assert.match('explanation' in wrong ? wrong.explanation : '', /ALTNAME/);
});

test('TLS to an address by numbers checks the certificate for the address', async () => {
  const pair = await certificateFor(PUBLIC, 7);
  const seen: { servername?: string; host?: string } = {};
  const { port } = await startTls(seen, pair);
  const secureContext = createSecureContext({ ca: pair.cert });
  const targets = opened({ open: redirected(), secureContext });
  const outcome = await post(targets, `https://${PUBLIC}:${port}/`);
  assert.equal(outcome.kind, 'ANSWERED', JSON.stringify(outcome));
  assert.equal(seen.servername, 'false');
  const other = await post(targets, `https://93.184.216.35:${port}/`);
  assert.equal(other.kind, 'TLS', JSON.stringify(other));
});

test('what answers without TLS is told nothing', async () => {
  const received: string[] = [];
  const receiver = kept(
    await startReceiver(() =>
      createServer((socket) => {
        socket.on('data', (data) => received.push(data.toString('latin1')));
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      }),
    ),
  );
  const targets = opened({ names: { addressesOf: async () => [PUBLIC] }, open: redirected() });
  const outcome = await post(targets, `https://${NAME}:${receiver.port}/`);
  assert.equal(outcome.kind, 'TLS');
  assert.ok(!received.join('').includes('POST'));
});

test('name, connection and TLS together have the time for connecting', async () => {
  const silent = kept(await startReceiver(() => createServer(() => {})));
  const sockets: Socket[] = [];
  const never = Promise.withResolvers<readonly string[]>();
  const steps: Record<string, (begin: () => void) => Partial<TargetsOptions>> = {
    name: (begin) => ({
      names: {
        addressesOf: () => {
          begin();
          return never.promise;
        },
      },
    }),
    connection: (begin) => ({
      open: () => {
        const socket = new Socket();
        sockets.push(socket);
        begin();
        return socket;
      },
    }),
    TLS: (begin) => {
      void silent.nextConnection().then(begin);
      return { open: redirected() };
    },
  };
  for (const [step, optionsOf] of Object.entries(steps)) {
    const timer = new ManualTimer();
    const names = { addressesOf: async () => [PUBLIC] };
    const begun = Promise.withResolvers<void>();
    const targets = opened({ names, ...optionsOf(begun.resolve), timer });
    const outcome = post(targets, `https://${NAME}:${silent.port}/`);
    await begun.promise;
    timer.advance(29_999);
    timer.advance(1);
    const { kind, durationMs } = await outcome;
    assert.deepEqual([kind, durationMs], ['CONNECT_TIMEOUT', 30_000], step);
    assert.equal(timer.size, 0);
  }
  assert.ok(sockets.length === 1 && sockets.every(({ destroyed }) => destroyed));
  // A name that is told too late opens nothing.
  never.resolve([PUBLIC]);
  await nextTurn();
  assert.equal(silent.sockets.length, 1);
});

async function nameServer(
  answer: (question: Question) => readonly string[] | null | 'silence',
): Promise<NameServer> {
  return kept(await startNameServer(answer));
}

test('a name that leads elsewhere after its check: the checked address is used', async () => {
  const forbidden = kept(await startHttpReceiver((_request, response) => response.end()));
  let count = 0;
  const server = await nameServer(({ type }) => {
    if (type === 'AAAA') return [];
    count += 1;
    return count === 1 ? [PUBLIC] : ['127.0.0.1'];
  });
  const asked: (readonly string[])[] = [];
  const targets = opened({
    names: askNameServers([server.address], LONG_TIMEOUTS),
    open: (addresses, port) => {
      asked.push(addresses);
      // A connection that asks for nothing but these addresses, and finds nobody there.
      const socket = openSocket(addresses, port, 1_000);
      afterTurn(() => socket.destroy(new Error('nobody is there')));
      return socket;
    },
  });
  const url = `https://${NAME}:${forbidden.port}/`;
  assert.equal((await post(targets, url)).kind, 'REFUSED');
  assert.deepEqual(asked, [[PUBLIC]]);
  assert.deepEqual(server.questions.map(({ type }) => type).sort(), ['A', 'AAAA']);
  // The next post asks anew, and is refused by what is said then.
  assert.equal((await post(targets, url)).kind, 'BLOCKED_TARGET');
  assert.equal(asked.length, 1);
  assert.equal(forbidden.sockets.length, 0);
});

test('a name whose addresses change between public and inner ones never leads inside', async () => {
  const forbidden = kept(await startHttpReceiver((_request, response) => response.end()));
  let count = 0;
  const server = await nameServer(({ type }) => {
    count += 1;
    const inner = type === 'A' ? '127.0.0.1' : '::1';
    return count % 3 === 0 ? [inner] : [type === 'A' ? PUBLIC : PUBLIC_IPV6, inner];
  });
  const targets = opened({ names: askNameServers([server.address], LONG_TIMEOUTS) });
  for (let round = 0; round < 30; round += 1) {
    const outcome = await post(targets, `https://${NAME}:${forbidden.port}/`);
    assert.equal(outcome.kind, 'BLOCKED_TARGET', JSON.stringify(outcome));
  }
  assert.equal(forbidden.sockets.length, 0);
});

test('the addresses of both families are checked, and one family is enough', async () => {
  const server = await nameServer(({ name, type }) => {
    if (name.startsWith('none')) return null;
    if (name.startsWith('empty')) return [];
    if (name.startsWith('six')) return type === 'AAAA' ? [PUBLIC_IPV6] : null;
    return type === 'A' ? [PUBLIC, '93.184.216.35'] : [PUBLIC_IPV6];
  });
  const names = askNameServers([server.address], LONG_TIMEOUTS);
  assert.deepEqual(await names.addressesOf('both.com'), [PUBLIC, '93.184.216.35', PUBLIC_IPV6]);
  assert.deepEqual(await names.addressesOf('six.com'), [PUBLIC_IPV6]);
  await assert.rejects(names.addressesOf('none.com'), /ENOTFOUND/);
  await assert.rejects(names.addressesOf('empty.com'), /ENODATA/);
  const targets = opened({ names });
  const outcome = await post(targets, 'https://none.com/');
  assert.equal(outcome.kind, 'UNREACHABLE');
});

test('no file of hosts has a say, and no search list, and localhost is known', async () => {
  const server = await nameServer(() => null);
  const names = askNameServers([server.address], LONG_TIMEOUTS);
  assert.deepEqual(await names.addressesOf('localhost'), ['127.0.0.1', '::1']);
  assert.deepEqual(await names.addressesOf('demo.localhost'), ['127.0.0.1', '::1']);
  assert.deepEqual(await names.addressesOf('127.0.0.1'), ['127.0.0.1']);
  assert.deepEqual(server.questions, []);
  await assert.rejects(names.addressesOf('ip6-loopback'), /ENOTFOUND/);
  const asked = new Set(server.questions.map(({ name }) => name));
  assert.deepEqual([...asked], ['ip6-loopback']);
});

test('a name server that is silent for one name holds up no other', async () => {
  const server = await nameServer(({ name, type }) => {
    if (name.startsWith('hangs')) return 'silence';
    return [type === 'A' ? PUBLIC : PUBLIC_IPV6];
  });
  const names = askNameServers([server.address], LONG_TIMEOUTS);
  const hanging = Array.from({ length: 64 }, (_, index) => names.addressesOf(`hangs${index}.com`));
  for (const one of hanging) one.catch(() => {});
  const first = await Promise.race([
    Promise.race(hanging).catch(() => 'a name that hangs'),
    names.addressesOf('other.com').then(() => 'the other name'),
  ]);
  assert.equal(first, 'the other name');
  assert.equal(server.questions.length, 2 * 65);
});

test('of several addresses the one that answers is used', async () => {
  const receiver = kept(await startHttpReceiver((_request, response) => response.end('ok')));
  const names = { addressesOf: async () => ['127.9.9.9', '::1', '127.0.0.1'] };
  const targets = opened({ names, rules: { allowsLoopback: true } });
  const outcome = await post(targets, `http://demo.localhost:${receiver.port}/`);
  assert.equal(outcome.kind, 'ANSWERED', JSON.stringify(outcome));
  assert.equal(outcome.address, '127.0.0.1');
});

test('every address has its time, and the last one a share of any time for connecting', () => {
  assert.equal(attemptTime(2_000, 2), 1_200, 'a lost packet is sent again within it');
  assert.equal(attemptTime(10_000, 2), 1_500);
  for (const timeoutMs of [100, 1_000, 2_000, 10_000]) {
    for (let count = 2; count <= 16; count += 1) {
      const lastMs = timeoutMs - (count - 1) * attemptTime(timeoutMs, count);
      assert.ok(lastMs >= timeoutMs * 0.3, `${lastMs} of ${timeoutMs} ms, ${count} addresses`);
    }
  }
});

test('a socket asks for nothing but the addresses that it was given', async () => {
  const receiver = kept(await startHttpReceiver((_request, response) => response.end()));
  const socket = openSocket(['127.0.0.1'], receiver.port, 1_000);
  await once(socket, 'connect');
  assert.equal(socket.remoteAddress, '127.0.0.1');
  socket.destroy();
});

test('a connection that is reset at once is a failed one, and no blocked one', async () => {
  const names = { addressesOf: async () => [PUBLIC] };
  const receiver = kept(await startHttpReceiver((_request, response) => response.end()));
  const open = (_: readonly string[], port: number) => {
    const socket = connect(port, '127.0.0.1');
    // What the machine says of a connection that ended as it came about.
    Object.defineProperty(socket, 'remoteAddress', { value: undefined });
    return socket;
  };
  const outcome = await post(opened({ names, open }), `https://${NAME}:${receiver.port}/`);
  assert.equal(outcome.kind, 'REFUSED', JSON.stringify(outcome));
  assert.match('explanation' in outcome ? outcome.explanation : '', /ECONNRESET/);
});
